import { describe, expect, it } from "vitest";
import { makeBodies } from "../bodies/make.js";
import { ellipsoidModel } from "../testing/ellipsoids.js";
import { orders } from "../testing/flight.js";
import type { Scheme, SchemeOptions } from "./scheme.js";
import { makeScheme } from "./theta.js";

const gravity = 10;
const model = ellipsoidModel([1, 1, 1], { gravity: Float64Array.of(0, 0, -gravity) });

interface Ball {
	readonly height?: number;
	readonly speed?: number;
	readonly friction?: number;
	readonly restitution?: number;
}

/** A ball of radius 1 above or on the plane z = 0, whose one contact is solved in closed form: W_N = 1 / m, W_T = 7 / 2 m. */
function run(options: SchemeOptions, h: number, steps: number, ball: Ball, each: (z: number) => void = () => {}) {
	const { height = 1, speed = 0, friction = 0, restitution = 0 } = ball;
	const scheme = makeScheme(options);
	const bodies = makeBodies(model, [{ shape: 0, material: 0, position: [0, 0, height], velocity: [speed, 0, 0] }]);
	const { position, velocity, spin } = bodies;
	const mass = bodies.mass[0]!;
	const impulses = { linear: new Float64Array(3), angular: new Float64Array(3), rate: new Float64Array(0) };
	for (let step = 0; step < steps; step += 1) {
		const t = step * h;
		scheme.configure(model, bodies, t, h);
		scheme.freeVelocity(model, bodies, t, h);
		impulses.linear.fill(0);
		impulses.angular.fill(0);
		const gap = position[2]! - 1;
		if (counts(scheme, gap, restitution, scheme.before.velocity[2]!, h)) {
			const q = velocity[2]! + scheme.contactTerm(gap, restitution, scheme.before.velocity[2]!, h);
			const normal = Math.max(0, -q * mass);
			const sticking = -(velocity[0]! - spin[1]!) * mass * (2 / 7);
			const along = Math.max(-friction * normal, Math.min(friction * normal, sticking));
			impulses.linear.set([along, 0, normal]);
			impulses.angular[1] = -along;
		}
		scheme.finish(model, bodies, impulses, t, h);
		each(position[2]!);
	}
	return bodies;
}

/** Rule of detection: a contact that bounces is left to touch where the scheme does not anticipate it. */
function counts(scheme: Scheme, gap: number, restitution: number, speed: number, h: number): boolean {
	const { margin, ahead, fall, anticipatesBounces } = scheme.range(model, h);
	return gap <= margin || ((anticipatesBounces || restitution === 0) && gap + ahead * speed <= margin + fall);
}

const SCHEMES: readonly SchemeOptions[] = [
	{ name: "half-step" },
	{ name: "moreau", theta: 0.5 },
	{ name: "moreau", theta: 0.75 },
	{ name: "velocity-impulse" },
];

describe.each(SCHEMES)("a ball on a plane by $name, theta $theta", (options) => {
	it("bounces to the square of its restitution", () => {
		// Dropped from 5 above the plane it lands after 1 with speed 10, and is at the top again 0.5 later, at 5 / 4.
		for (const h of [1e-2, 1e-3, 1e-4]) {
			let [top, time, step] = [0, 0, 0];
			run(options, h, Math.round(2 / h), { height: 6, restitution: 0.5 }, (z) => {
				step += 1;
				if (step * h > 1.1 && z > top) [top, time] = [z, step * h];
			});
			// The moment of impact is known to a step, in which the ball moves 10 h at most.
			expect(Math.abs(top - 1 - 1.25)).toBeLessThan(20 * h);
			expect(Math.abs(time - 1.5)).toBeLessThan(5 * h);
		}
	});

	it("rests where it is", () => {
		const bodies = run(options, 1e-3, 1000, { restitution: 0.5 });
		expect(bodies.position[2]).toBe(1);
		expect(bodies.velocity[2]).toBe(0);
	});

	it("slides until it rolls: 5 / 7 of its speed, after 2 v / 7 mu g, with order 1 or better on the way", () => {
		const [speed, friction] = [3, 0.2];
		const end = (2 * speed) / (7 * friction * gravity);
		const way = speed * end - 0.5 * friction * gravity * end * end + (5 / 7) * speed * (0.75 - end);
		const errors = [1 / 64, 1 / 128, 1 / 256].map((h) => {
			const bodies = run(options, h, 0.75 / h, { speed, friction });
			expect(bodies.velocity[0]).toBeCloseTo((5 / 7) * speed, 12);
			expect(bodies.spin[1]).toBeCloseTo((5 / 7) * speed, 12);
			return Math.abs(bodies.position[0]! - way);
		});
		for (const order of orders(errors)) expect(order).toBeGreaterThan(0.9);
	});
});

describe("an overlap", () => {
	const fast = { recoverySpeed: Number.POSITIVE_INFINITY };
	const after = (options: SchemeOptions) => run(options, 0.01, 1, { height: 0.98 }).position[2]!;

	it("is not in the contact law of the half step", () => {
		expect(after({ name: "half-step", recovery: 1, ...fast })).toBe(0.98);
	});

	it("is taken back in the velocity-impulse scheme, as much and as fast as is said", () => {
		expect(after({ name: "velocity-impulse", ...fast })).toBeCloseTo(1, 14);
		expect(after({ name: "velocity-impulse", recovery: 0.5, ...fast })).toBeCloseTo(0.99, 14);
		expect(after({ name: "velocity-impulse", recoverySpeed: 0.5 })).toBeCloseTo(0.985, 14);
	});

	it("throws nothing up that is taken back as fast as nothing is said", () => {
		let top = 0;
		const heights: number[] = [];
		const bodies = run({ name: "velocity-impulse" }, 0.01, 200, { height: 0.8 }, (z) => {
			top = Math.max(top, z);
			heights.push(z);
		});
		expect(bodies.position[2]).toBeCloseTo(1, 3);
		expect(top).toBeLessThan(1.001);
		// sqrt(2 * 10 * 0.001) is the speed.
		expect(heights[50]! - heights[0]!).toBeCloseTo(0.5 * Math.sqrt(0.02), 12);
	});

	it("is taken back slowly where there is no gravity", () => {
		const scheme = makeScheme({ name: "velocity-impulse" });
		const weightless = { ...model, gravity: new Float64Array(3) };
		const bodies = makeBodies(weightless, [{ shape: 0, material: 0 }]);
		scheme.freeVelocity(weightless, bodies, 0, 0.01);
		expect(scheme.contactTerm(-0.5, 0, 0, 0.01)).toBeCloseTo(-0.01, 14);
		expect(scheme.contactTerm(-1e-5, 0, 0, 0.01)).toBeCloseTo(-1e-3, 14);
	});
});

describe("a gap", () => {
	it.each(SCHEMES)("closes in the step and no more by $name, theta $theta", (options) => {
		const theta = options.name === "velocity-impulse" ? 1 : (options.theta ?? 0.5);
		const falls = { height: 1.0004 };
		// The gap is closed where the contacts of the next step are found.
		const bodies = run(options, 0.01, 1, falls);
		expect(bodies.position[2]! + (1 - theta) * 0.01 * bodies.velocity[2]!).toBeCloseTo(1, 14);
	});

	it("of a contact that bounces counts when it touches", () => {
		expect(run({ name: "half-step" }, 0.01, 1, { height: 1.0004, restitution: 0.5 }).position[2]).toBeCloseTo(
			0.9999,
			14,
		);
	});

	it("counts as far as the step closes it, or as far as is said", () => {
		const near = makeScheme({ name: "velocity-impulse" }).range(model, 0.01);
		expect(near).toMatchObject({ margin: 1e-5, ahead: 0.01, anticipatesBounces: true });
		expect(near.fall).toBeCloseTo(1e-3, 14);
		expect(makeScheme({ name: "velocity-impulse", margin: 0.25 }).range(model, 0.01).margin).toBe(0.25);
		expect(makeScheme({ name: "moreau" }).range(model, 1e-4)).toMatchObject({
			margin: 1e-5,
			anticipatesBounces: false,
		});
		expect(makeScheme({ name: "velocity-impulse" }).range({ ...model, shapes: [] }, 0.01).margin).toBe(0);
	});
});

describe("options of a scheme", () => {
	const refusals: readonly [SchemeOptions, string][] = [
		[{ name: "euler" as never }, "/scheme/name: euler cannot be; choose one of half-step, velocity-impulse, moreau"],
		[{ name: "half-step", theta: 0.5 }, "/scheme/theta: 0.5 cannot be; it is an option of moreau"],
		[{ name: "moreau", theta: 0.4 }, "/scheme/theta: 0.4 cannot be; give a number from 0.5 to 1"],
		[{ name: "half-step", margin: -1 }, "/scheme/margin: -1 cannot be; give zero or more"],
		[{ name: "half-step", recovery: 2 }, "/scheme/recovery: 2 cannot be; give a number from 0 to 1"],
		[{ name: "half-step", recoverySpeed: Number.NaN }, "/scheme/recoverySpeed: NaN cannot be; give zero or more"],
		[{ name: "moreau", substeps: 0.5 }, "/scheme/substeps: 0.5 cannot be; give a whole number from 1"],
	];
	it.each(refusals)("are refused: %o", (options, message) => {
		expect(() => makeScheme(options)).toThrow(message);
	});
});
