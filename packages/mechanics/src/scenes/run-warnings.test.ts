/** Warnings of whole runs: their remedies, followed once, end them. */
import { toTheEnd } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { Simulation } from "../simulation/simulation.js";
import { describeScene } from "./catalogue.js";
import type { SceneDescription } from "./description.js";
import { runWarnings } from "./run-warnings.js";
import { buildScene } from "./scene.js";
import { recommendedStep } from "./step-size.js";

/** The steps that warnings of a run to `until` recommend. */
function recommended(description: SceneDescription, step: number, until: number): number[] {
	const scene = buildScene({ ...description, step, until });
	const simulation = new Simulation(scene, { onFailure: "continue" });
	for (let k = 0; k < scene.steps; k += 1) toTheEnd(simulation.step());
	return [...scene.warnings, ...runWarnings(scene, simulation.extremes)].map(({ remedy }) =>
		Number(/at most ([\d.e-]+)/.exec(remedy)![1]),
	);
}

/** Without sub-steps, which would spare most of these scenes their warnings. */
const whole = (scene: SceneDescription): SceneDescription => ({ ...scene, scheme: { ...scene.scheme, substeps: 1 } });
const falling = whole(describeScene("roll", { speed: 0, height: 2, restitution: 0.5 }));
const pile = whole(describeScene("pile", { bodies: 15 }));
const gas: SceneDescription = {
	...describeScene("stack", { bodies: 5, restitution: 1 }),
	gravity: [0, 0, 0],
	scheme: { name: "half-step", substeps: 1 },
	bodies: Array.from({ length: 8 }, (_, k) => ({
		...describeScene("stack", { bodies: 1 }).bodies[0]!,
		position: [0.2 * (k % 2), 0.2 * (Math.floor(k / 2) % 2), 0.2 + 0.2 * Math.floor(k / 4)] as const,
		velocity: [1 - 2 * (k % 2), 1.5 - 3 * (Math.floor(k / 2) % 2), 2 - 4 * Math.floor(k / 4)] as const,
	})),
};

describe("a step that is too long", () => {
	it.each([
		["a ball that falls", falling, 0.02, 1],
		["a ball that falls", falling, 0.005, 1],
		["a pile", pile, 0.02, 0.3],
		["a pile by moreau", { ...pile, scheme: { name: "moreau", substeps: 1 } as const }, 0.02, 0.3],
		["boxes that fly at each other", gas, 0.01, 0.1],
	])("%s: the remedies end the warnings when they are followed once", (_, description, step, until) => {
		const steps = recommended(description, step, until);
		expect(steps.length).toBeGreaterThan(0);
		for (const each of steps) expect(each).toBeLessThan(step);
		expect(recommended(description, Math.min(...steps), until)).toEqual([]);
	});
});

describe("extremes of a run", () => {
	const scene = buildScene(whole(describeScene("roll", { radius: 0.1, step: 0.001 })));
	const { obstacles } = scene.bodies;
	const speed = { value: 60, time: 0.5, bodies: [obstacles] };

	it("are warned of at the body, with a step for the whole run", () => {
		// Half of the radius in a step.
		expect(scene.speedLimit).toBeCloseTo(50, 12);
		expect(runWarnings(scene, { speed: { ...speed, value: 50 } })).toEqual([]);
		const [warning, none] = runWarnings(scene, { speed });
		expect(warning!.path).toMatch(/^bodies\[0\]/);
		expect(warning!.remedy).toContain("0.00066");
		expect(none).toBeUndefined();
	});

	it("are warned of where two bodies overlap by more than a twentieth of the smallest", () => {
		expect(scene.overlapLimit).toBeCloseTo(0.01, 12);
		const overlap = { value: 0.011, time: 0.25, bodies: [0, obstacles] };
		expect(runWarnings(scene, { overlap: { ...overlap, value: 0.01 } })).toEqual([]);
		const [warning] = runWarnings(scene, { overlap, speed: { ...speed, value: 2 } });
		expect(warning!.path).toMatch(/^bodies\[0\]/);
		expect(warning!.problem).toContain("obstacles[0]");
		// Two bodies at 2 m/s move 4 m/s times 0.72 ms, less than 0.01 m: the overlap itself decides.
		expect(warning!.remedy).toContain("0.00072");
	});
});

it("recommends steps of two digits, below what is just short enough", () => {
	for (let k = 0; k < 300; k += 1) {
		const longest = 10 ** (-6 + k / 40);
		const step = recommendedStep(longest);
		expect(step).toBeLessThan(0.81 * longest);
		expect(step).toBeGreaterThan(0.7 * longest);
		expect(
			String(step)
				.replace(/e.*/, "")
				.replace(/^0\.0*|\.|0*$/g, "").length,
		).toBeLessThanOrEqual(2);
	}
});
