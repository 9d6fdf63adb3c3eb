import { expect, it } from "vitest";
import { Simulation } from "../simulation/simulation.js";
import { readScene } from "./scene-file.js";

const file = {
	version: 1,
	name: "events",
	gravity: [0, 0, -10],
	step: 0.01,
	until: 0.4,
	scheme: { name: "half-step" },
	solver: {},
	materials: { stone: { density: 1000 } },
	contact: { friction: 0.5 },
	shapes: { ball: { kind: "sphere", radius: 0.1 }, plate: { kind: "box", size: [1, 1, 0.1] } },
	obstacles: [
		{
			name: "plate",
			shape: "plate",
			material: "stone",
			position: [9, 0, 0],
			motion: [{ from: 0, velocity: [1, 0, 0] }],
		},
	],
	bodies: [
		{ name: "held", shape: "ball", material: "stone", position: [0, 0, 5], isHeld: true },
		{ name: "falls", shape: "ball", material: "stone", position: [3, 0, 5] },
	],
	events: [
		{ time: 0.1, kind: "release", bodies: ["held"], velocity: [2, 0, 0], spin: [0, 0, 3] },
		{ time: 0.1, kind: "motion", obstacle: "plate", spin: [0, 0, Math.PI] },
		{ time: 0.2, kind: "gravity", gravity: [0, 10, 0] },
		{
			time: 0.3,
			kind: "add",
			bodies: [{ shape: "ball", material: "stone", position: [-3, 0, 0], velocity: [0, 0, 1] }],
		},
	],
};

// The half-step scheme has constant forces exactly, and so whole steps before and after an event.
it("events happen at their times", () => {
	const scene = readScene(JSON.stringify(file), "events.json");
	const simulation = new Simulation(scene);
	while (simulation.steps < scene.steps) {
		const step = simulation.step();
		while (step.next().done !== true);
	}
	const { bodies } = simulation;
	const at = (i: number, field: Float64Array) => [...field.subarray(3 * i, 3 * i + 3)];
	const close = (values: number[]) => values.map((value) => expect.closeTo(value, 12));
	// Gravity acts on the released one for 0.1 s downwards, then for 0.2 s along y.
	expect(at(1, bodies.position)).toEqual(close([0.6, 0.2, 5 - 0.05 - 0.1 * 2]));
	expect(at(1, bodies.velocity)).toEqual(close([2, 2, -1]));
	expect(at(1, bodies.spin)).toEqual(close([0, 0, 3]));
	expect(at(2, bodies.position)).toEqual(close([3, 0.2, 5 - 0.2 - 0.2 * 2]));
	expect(bodies.id[3]).toBe(3);
	expect(at(3, bodies.position)).toEqual(close([-3, 0.05, 0.1]));
	// The plate went along x, then turned where it was: by 0.3 of half a turn.
	expect(at(0, bodies.position)).toEqual(close([9.1, 0, 0]));
	expect(bodies.orientation[3]).toBeCloseTo(Math.sin(0.15 * Math.PI), 12);
});
