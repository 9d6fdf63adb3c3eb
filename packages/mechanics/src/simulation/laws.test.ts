/** Laws of contact that scenes give to materials, by closed forms: a block at a floor, a slope or a ceiling, after one step from rest or from a speed. */
import { toTheEnd } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import type { SceneDescription } from "../scenes/description.js";
import { buildScene } from "../scenes/scene.js";
import type { Vector } from "../shapes/shape.js";
import { Simulation } from "./simulation.js";

const G = 10;
const H = 1e-3;
/** Of edges 2, 2 and 1 with a density of 1 / 4: a mass of 1, and four contacts. */
const MASS = 1;
type Law = SceneDescription["contact"];

interface Block {
	readonly law: Law;
	/** Out of the obstacle. */
	readonly normal?: Vector;
	readonly gravity?: Vector;
	readonly velocity?: Vector;
}

/** The velocity of the block after so many steps; it lies with its short edge along z. */
function velocityAfter({ law, normal = [0, 0, 1], gravity = [0, 0, -G], velocity }: Block, steps = 1): number[] {
	const body = { shape: "block", material: "wood", position: [0, 0, 0.5 * normal[2]] as Vector };
	const scene = buildScene({
		version: 1,
		name: "block",
		gravity,
		step: H,
		until: 1,
		scheme: { name: "half-step", margin: 1e-2 },
		solver: { tolerance: 1e-13 },
		materials: { wood: { density: 0.25 }, stone: { density: 1 } },
		contact: { friction: 0 },
		laws: [{ between: ["stone", "wood"], ...law }],
		shapes: { block: { kind: "box", size: [2, 2, 1] }, wall: { kind: "plane", normal, offset: 0 } },
		obstacles: [{ shape: "wall", material: "stone", position: [0, 0, 0] }],
		bodies: [velocity === undefined ? body : { ...body, velocity }],
		events: [],
	});
	const simulation = new Simulation(scene);
	for (let k = 0; k < steps; k += 1) toTheEnd(simulation.step());
	const { bodies } = simulation;
	return [...bodies.velocity.subarray(3)];
}

function expectNear(found: readonly number[], wanted: readonly number[]): void {
	found.forEach((value, i) => {
		expect(Math.abs(value - wanted[i]!)).toBeLessThan(1e-12 * G * H);
	});
}

const CEILING: Vector = [0, 0, -1];
/** Gravity on a slope of this tangent, along x. */
const onSlope = (tangent: number): Vector => [tangent * G, 0, -G];

describe("laws of materials", () => {
	it("cohesive: a block hangs from a ceiling up to four times the cohesion, and above falls with what is left", () => {
		const block = (cohesion: number): Block => ({ law: { friction: 0.5, law: "cohesive", cohesion }, normal: CEILING });
		expectNear(velocityAfter(block((1.001 * MASS * G) / 4), 10), [0, 0, 0]);
		expectNear(velocityAfter(block((0.75 * MASS * G) / 4)), [0, 0, -0.25 * G * H]);
	});

	it("bilateral: it hangs whatever it weighs; frictionless: it slides whatever mu is", () => {
		expectNear(velocityAfter({ law: { friction: 0, law: "bilateral" }, normal: CEILING }, 10), [0, 0, 0]);
		const smooth: Law = { friction: 3, law: "frictionless" };
		expectNear(velocityAfter({ law: smooth, gravity: onSlope(0.1) }, 10), [G * H, 0, 0]);
	});

	it("capped: a floor gives way above its cap, and a slide below it opens by mu times its speed", () => {
		const law = (cap: number): Law => ({ friction: 0.5, law: "capped", cap });
		expectNear(velocityAfter({ law: law((1.001 * MASS * G) / 4) }, 10), [0, 0, 0]);
		expectNear(velocityAfter({ law: law((0.75 * MASS * G) / 4) }), [0, 0, -0.25 * G * H]);
		for (const each of [law(1e9), { friction: 0.5, law: "relaxed" } as const]) {
			expectNear(velocityAfter({ law: each, gravity: onSlope(0.4) }, 10), [0, 0, 0]);
			// R = R_N (1, -mu): (1 + mu^2) R_N / m = -(q_N - mu q_T).
			const normal = (MASS * G * H * (1 + 0.5 * 2)) / 1.25;
			const slip = 2 * G * H - (0.5 * normal) / MASS;
			expectNear(velocityAfter({ law: each, gravity: onSlope(2) }), [slip, 0, 0.5 * slip]);
		}
	});

	it("anisotropic: it sticks along the axis where it slides across, and slides off the line of its weight", () => {
		const law = (axis: Vector): Law => ({ friction: 0.6, law: "anisotropic", frictionAcross: 0.2, axis });
		const gravity = onSlope(0.5);
		expectNear(velocityAfter({ law: law([1, 0, 0]), gravity }, 10), [0, 0, 0]);
		expectNear(velocityAfter({ law: law([0, 1, 0]), gravity }, 10), [10 * 0.3 * G * H, 0, 0]);
		expectNear(velocityAfter({ law: law([0, 2, 7]), gravity }, 10), [10 * 0.3 * G * H, 0, 0]);
		// It ends with slip u along the axes e where it starts with u (1 + mu_i^2 g h / s), s = |mu_i u_i|.
		const [c, s] = [0.8, 0.6];
		const [u1, u2] = [0.3, -0.7];
		const size = Math.hypot(0.6 * u1, 0.2 * u2);
		const [v1, v2] = [u1 * (1 + (0.36 * G * H) / size), u2 * (1 + (0.04 * G * H) / size)];
		const along = (x: number, y: number): Vector => [c * x - s * y, s * x + c * y, 0];
		expectNear(velocityAfter({ law: law([c, s, 0]), velocity: along(v1, v2) }), along(u1, u2));
	});

	it("box: each row has limits of its own, in newtons", () => {
		const limits = (most: number | null): Law => ({
			friction: 0,
			law: "box",
			lower: [0, 0, 0],
			upper: [most, 0, 0],
		});
		expectNear(velocityAfter({ law: limits(null), gravity: onSlope(0.3) }, 10), [3 * G * H, 0, 0]);
		expectNear(velocityAfter({ law: limits(0.2 * MASS * G) }), [0, 0, -0.2 * G * H]);
	});
});
