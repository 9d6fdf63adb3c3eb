import { toTheEnd } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { makeBodies } from "../bodies/make.js";
import { compileShape } from "../shapes/compile.js";
import { modelOf, planeShape } from "../testing/bodies.js";
import type { SchemeOptions } from "../time/scheme.js";
import { makeScheme } from "../time/theta.js";
import { Simulation } from "./simulation.js";

const box = compileShape({ kind: "box", size: [1, 1, 1] });
const gravity = Float64Array.of(0, 0, -10);
const model = { ...modelOf([planeShape([0, 0, 1], 0), box]), laws: [{ friction: 0.5, restitution: 0 }], gravity };
/** Reach of the box. */
const REACH = Math.sqrt(0.75);
const LEFT = 1e-3 * REACH;

/** A stack of two boxes, each deep in what is below it; upwards the second is twice as fast. */
function stack(scheme: SchemeOptions, speed = 0) {
	const plane = { kind: "obstacle", shape: 0, material: 0 } as const;
	const at = (z: number, w: number) => ({ shape: 1, material: 0, position: [0, 0, z], velocity: [0, 0, w] }) as const;
	const bodies = makeBodies(model, [plane, at(0.48, speed), at(1.45, 2 * speed)]);
	const solver = { measure: "energy", tolerance: 1e-12 } as const;
	return new Simulation({ name: "stack", model, bodies, events: [], scheme: makeScheme(scheme), step: 1e-3, solver });
}

const heights = ({ bodies: { position } }: Simulation) => [position[5]!, position[8]!];

describe.each(["half-step", "moreau"] as const)("overlaps in %s", (name) => {
	it("are taken back by half in each step, without any velocity", () => {
		const simulation = stack({ name, recovery: 0.5 });
		const before = heights(simulation);
		const { kinetic, products } = toTheEnd(simulation.step());
		const after = heights(simulation);
		expect(after[0]! - before[0]!).toBeCloseTo(0.5 * (0.02 - LEFT), 4);
		expect(after[1]! - before[1]!).toBeCloseTo(0.5 * (0.02 - LEFT) + 0.5 * (0.03 - LEFT), 4);
		expect(kinetic).toBeLessThan(1e-20);
		expect(products).toBeGreaterThan(0);
		for (let step = 0; step < 40; step += 1) expect(toTheEnd(simulation.step()).kinetic).toBeLessThan(1e-20);
		expect(simulation.bodies.position[8]! - simulation.bodies.position[5]!).toBeCloseTo(1 - LEFT, 5);
	});

	it("stay where recovery is off", () => {
		const simulation = stack({ name, recovery: 0 });
		const before = heights(simulation);
		for (let step = 0; step < 10; step += 1) toTheEnd(simulation.step());
		for (const [i, height] of heights(simulation).entries()) expect(height).toBeCloseTo(before[i]!, 12);
	});

	it("of bodies that leave each other by themselves are left to that", () => {
		const simulation = stack({ name, recovery: 0.5 }, 100);
		const before = heights(simulation);
		toTheEnd(simulation.step());
		for (const [i, height] of heights(simulation).entries()) expect(height - before[i]!).toBeCloseTo(0.1 * (i + 1), 4);
	});
});

it("bodies that are wedged stay where they are", () => {
	const walls = [planeShape([1, 0, 0], 0), planeShape([-1, 0, 0], -0.9), box];
	const wedge = { ...modelOf(walls), laws: [{ friction: 0, restitution: 0 }], gravity: new Float64Array(3) };
	const obstacle = (shape: number) => ({ kind: "obstacle", shape, material: 0 }) as const;
	const bodies = makeBodies(wedge, [obstacle(0), obstacle(1), { shape: 2, material: 0, position: [0.46, 0, 0] }]);
	const solver = { measure: "energy", tolerance: 1e-10 } as const;
	const scheme = makeScheme({ name: "moreau" });
	const simulation = new Simulation({ name: "wedge", model: wedge, bodies, events: [], scheme, step: 1e-3, solver });
	for (let step = 0; step < 5; step += 1) {
		expect(toTheEnd(simulation.step()).kinetic).toBe(0);
		expect(Math.abs(simulation.bodies.position[6]! - 0.45)).toBeLessThan(0.1);
	}
});

it("recovery is no faster than the scheme says", () => {
	const simulation = stack({ name: "half-step", recovery: 0.5, recoverySpeed: 2 });
	const before = heights(simulation);
	toTheEnd(simulation.step());
	expect(heights(simulation)[0]! - before[0]!).toBeCloseTo(2e-3, 5);
	expect(heights(simulation)[1]! - before[1]!).toBeCloseTo(4e-3, 5);
});
