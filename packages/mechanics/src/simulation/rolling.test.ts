/** Rolling contacts in scenes by closed forms over many steps: a sphere or disc on a slope sticks, rolls, slips or slides, and a top spins down. */
import { toTheEnd } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import type { SceneDescription } from "../scenes/description.js";
import { buildScene } from "../scenes/scene.js";
import type { Vector } from "../shapes/shape.js";
import { Simulation } from "./simulation.js";

const G = 10;
const H = 1e-3;
const STEPS = 50;
const RADIUS = 0.25;
const MASS = 2;

interface Wheel {
	/** Tangent of the slope. */
	readonly tangent?: number;
	readonly mu: number;
	/** Over the radius. */
	readonly rolling: number;
	readonly spinning?: number;
	/** Of the moment of inertia, k m a^2. */
	readonly k?: number;
	readonly velocity?: Vector;
	readonly spin?: Vector;
}

/** On the plane z = 0, weighed down along x where it slopes. */
function sceneOf({ tangent = 0, mu, rolling, spinning, k = 0.4, ...motion }: Wheel): SceneDescription {
	const moment = k * MASS * RADIUS ** 2;
	const volume = (4 / 3) * Math.PI * RADIUS ** 3;
	return {
		version: 1,
		name: "wheel",
		gravity: [tangent * G, 0, -G],
		step: H,
		until: 1,
		scheme: { name: "half-step", margin: 1e-2 },
		solver: { method: "gauss-seidel", tolerance: 1e-14 },
		materials: { rubber: { density: MASS / volume }, stone: { density: 1 } },
		contact: { friction: 0 },
		laws: [
			{
				between: ["stone", "rubber"],
				...{ friction: mu, law: "rolling", rollingFriction: rolling * RADIUS },
				...(spinning !== undefined && { spinningFriction: spinning }),
			},
		],
		shapes: { wheel: { kind: "sphere", radius: RADIUS }, wall: { kind: "plane", normal: [0, 0, 1], offset: 0 } },
		obstacles: [{ shape: "wall", material: "stone", position: [0, 0, 0] }],
		bodies: [
			{
				...{ shape: "wheel", material: "rubber", position: [0, 0, RADIUS], mass: MASS },
				...{ inertia: [moment, moment, moment, 0, 0, 0], ...motion },
			},
		],
		events: [],
	};
}

/** Velocity and spin after some steps, over what a fall gives in a step. */
function after(wheel: Wheel, steps = STEPS): number[] {
	const simulation = new Simulation(buildScene(sceneOf(wheel)));
	for (let step = 0; step < steps; step += 1) {
		const { status, contacts } = toTheEnd(simulation.step());
		expect([status, contacts]).toEqual(["solved", 1]);
	}
	const { velocity, spin } = simulation.bodies;
	return [...velocity.subarray(3), ...spin.subarray(3)].map((value) => value / (G * H));
}

/** To 1e-12 of the largest. */
function expectNear(found: readonly number[], wanted: readonly number[]): void {
	const largest = Math.max(1, ...wanted.map(Math.abs));
	found.forEach((value, i) => {
		expect(Math.abs(value - wanted[i]!) / largest, `number ${i}, ${value}`).toBeLessThan(1e-12);
	});
}

/** It moves along x, and turns about y. */
const moving = (velocity: number, spin: number): number[] => [velocity, 0, 0, 0, spin, 0];

describe.each([0.4, 0.5])("a wheel of k = %d on a slope, over %d steps", (k) => {
	it("rests up to mu_r / a, and rolls above it with (tan - mu_r / a) / (1 + k)", () => {
		expectNear(after({ k, mu: 0.5, rolling: 0.1, tangent: 0.1 * (1 - 1e-6) }), moving(0, 0));
		for (const tangent of [0.1 * (1 + 1e-6), 0.3]) {
			const velocity = (STEPS * (tangent - 0.1)) / (1 + k);
			expectNear(after({ k, mu: 0.5, rolling: 0.1, tangent }), moving(velocity, velocity / RADIUS));
		}
	});

	it("slips by mu where it would roll faster, and slides without turning where mu does not reach mu_r / a", () => {
		const velocity = STEPS * (1.5 - 0.3);
		const spin = (STEPS * (0.3 - 0.1)) / (k * RADIUS);
		expectNear(after({ k, mu: 0.3, rolling: 0.1, tangent: 1.5 }), moving(velocity, spin));
		expectNear(after({ k, mu: 0.2, rolling: 0.3, tangent: 0.5 }), moving(STEPS * 0.3, 0));
	});
});

describe("on a level floor", () => {
	it("what rolls comes to rest by mu_r, and stays there", () => {
		const rolls = {
			mu: 0.5,
			rolling: 0.05,
			velocity: [20 * G * H, 0, 0],
			spin: [0, (20 * G * H) / RADIUS, 0],
		} as const;
		const velocity = (steps: number) => 20 - (steps * 0.05) / 1.4;
		expectNear(after(rolls, 30), moving(velocity(30), velocity(30) / RADIUS));
		expectNear(after({ ...rolls, velocity: [G * H, 0, 0], spin: [0, (G * H) / RADIUS, 0] }, 40), moving(0, 0));
	});

	it("a top spins down by mu_s N over its inertia, and not at all where mu_s is left out", () => {
		const top = { mu: 0.5, rolling: 0.05, spin: [0, 0, 900 * G * H] } as const;
		const slower = (30 * 0.01) / (0.4 * RADIUS ** 2);
		expectNear(after({ ...top, spinning: 0.01 }, 30), [0, 0, 0, 0, 0, 900 - slower]);
		expectNear(after(top, 30), [0, 0, 0, 0, 0, 900]);
	});
});
