import { expect, it } from "vitest";
import { describeScene, makeScene } from "./catalogue.js";
import { buildScene } from "./scene.js";
import { SceneWatch } from "./watch.js";

it("tells once of a body that leaves the bounds, and once of one that is too fast", () => {
	const scene = makeScene("roll", { step: 0.001, radius: 0.1 });
	const { bodies, description, speedLimit } = scene;
	const watch = new SceneWatch(scene);
	watch.look(bodies, 0);
	expect(watch.found).toEqual([]);
	// Half the radius in each of sixteen parts of a step.
	expect(speedLimit).toBeCloseTo(800, 10);
	bodies.velocity.set([0, 960, 0], 3);
	watch.look(bodies, 0.5);
	expect(watch.found).toEqual([
		{
			path: expect.stringMatching(/^bodies\[0\]/),
			problem: "moves at 960 m/s at 0.5 s: it may pass through others in a step",
			remedy: "give a step of at most 0.000833",
		},
	]);
	bodies.position.set([description.bounds!.upper[0] + 1, 0, 0], 3);
	watch.look(bodies, 0.6);
	watch.look(bodies, 0.7);
	expect(watch.found.map(({ problem }) => problem).slice(1)).toEqual(["left the bounds of the scene at 0.6 s"]);
});

it("takes a body for one outside that is far from all there is, where a scene has no bounds", () => {
	const { bounds: _, ...description } = describeScene("roll", { radius: 0.1 });
	const scene = buildScene({ ...description, bodies: [{ ...description.bodies[0]!, name: "ball" }] });
	const watch = new SceneWatch(scene);
	scene.bodies.position.set([10, 0, 0.1], 3);
	watch.look(scene.bodies, 0.1);
	expect(watch.found).toEqual([]);
	scene.bodies.position.set([10, 0, -30], 3);
	watch.look(scene.bodies, 0.2);
	expect(watch.found).toMatchObject([{ path: "bodies[0] (ball)", problem: "left the bounds of the scene at 0.2 s" }]);
});

it.each([Number.NaN, Number.NEGATIVE_INFINITY, 1e200])("ends a simulation in which a body is at %d", (place) => {
	const scene = makeScene("stack", { bodies: 2 });
	scene.bodies.position[4] = place;
	const watch = new SceneWatch(scene);
	expect(() => watch.look(scene.bodies, 1)).toThrow(`simulation: bodies[0]`);
	expect(() => watch.look(scene.bodies, 1)).toThrow(`is at ${place} m with 0 m/s at 1 s; look for`);
});
