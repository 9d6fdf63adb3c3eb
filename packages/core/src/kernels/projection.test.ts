/** The projection on the friction cone (Koziara 2017, eq. 23) against what makes a point the nearest one of a cone. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { nearest, type Triple } from "../testing/judge.js";
import { Arena } from "./arena.js";

const mus = [0, 1e-3, 0.3, 1, 2.5, 40];
const points: Triple[] = [
	[0, 0, 0],
	[1, 0, 0],
	[-1, 0, 0],
	[0, 1, 0],
	[0, 0, -3],
	[2, 0.1, -0.1],
	[-5, 1, 1],
	[1e-120, 1e-120, 0],
];
const random = new Random(23);
for (let i = 0; i < 500; i += 1) {
	points.push([random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)]);
}

/** The kernel on many points at once: `addProjected` without an increment. */
function project(mu: number, list: readonly Triple[], engine: "wasm" | "twin"): Triple[] {
	const arena = new Arena(engine);
	const friction = arena.vector(list.length);
	const r = arena.vector(3 * list.length);
	friction.values.fill(mu);
	r.values.set(list.flat());
	arena.kernels.addProjected(0, list.length, list.length, friction.at, 0, -1, r.at);
	return list.map((_, a) => [r.values[3 * a]!, r.values[3 * a + 1]!, r.values[3 * a + 2]!]);
}

const dot = (x: Triple, y: Triple): number => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
const minus = (x: Triple, y: Triple): Triple => [x[0] - y[0], x[1] - y[1], x[2] - y[2]];
const norm = (x: Triple): number => Math.hypot(...x);

describe.each(["wasm", "twin"] as const)("proj_K, %s", (engine) => {
	test.each(mus)("mu %d: P z in K, z - P z in the polar cone, and both at right angles (Moreau, eq. 17)", (mu) => {
		for (const [i, p] of project(mu, points, engine).entries()) {
			const z = points[i]!;
			const rest = minus(z, p);
			const small = 1e-15 * (1 + mu) * norm(z);
			expect(Math.hypot(p[1], p[2])).toBeLessThanOrEqual(mu * p[0] * (1 + 1e-15) + 1e-300);
			// The polar cone of K: S_N + mu |S_T| <= 0.
			expect(rest[0] + mu * Math.hypot(rest[1], rest[2])).toBeLessThanOrEqual(4 * small);
			expect(Math.abs(dot(p, rest))).toBeLessThanOrEqual(4 * small * norm(z) + Number.MIN_VALUE);
		}
	});

	test.each(mus)("mu %d: eq. 23 word by word", (mu) => {
		for (const [i, p] of project(mu, points, engine).entries()) {
			const z = points[i]!;
			const length = Math.hypot(z[1], z[2]);
			const t = length > 0 ? [z[1] / length, z[2] / length] : [1, 0];
			const lambda1 = Math.max(0, (-z[0] - mu * length) / (1 + mu * mu));
			const lambda2 = Math.max(0, (length - mu * z[0]) / (1 + mu * mu));
			const polar: Triple = [
				-lambda1 - mu * lambda2,
				(lambda2 - mu * lambda1) * t[0]!,
				(lambda2 - mu * lambda1) * t[1]!,
			];
			expect(norm(minus(minus(z, polar), p))).toBeLessThanOrEqual(1e-14 * norm(z));
			expect(norm(minus(nearest(mu, z), p))).toBeLessThanOrEqual(1e-14 * norm(z));
		}
	});

	test.each([1e9, 1e-9])("scaled by %d: the cone does not notice", (factor) => {
		const scaled = points.map((z): Triple => [factor * z[0], factor * z[1], factor * z[2]]);
		const plain = project(0.7, points, engine);
		for (const [i, p] of project(0.7, scaled, engine).entries()) {
			const wanted = plain[i]!;
			const expected: Triple = [factor * wanted[0], factor * wanted[1], factor * wanted[2]];
			expect(norm(minus(p, expected))).toBeLessThanOrEqual(1e-15 * norm(scaled[i]!));
		}
	});

	test("points inside, on the axis and at the tip stay to the bit; the polar cone goes to the tip", () => {
		const inside: Triple[] = [
			[2, 0.5, -0.5],
			[3, 0, 0],
			[0, 0, 0],
			[1, 0.5, 0],
		];
		expect(project(0.5, inside, engine)).toEqual(inside);
		expect(project(0.5, [[-2, 1, 1]], engine)).toEqual([[0, 0, 0]]);
		expect(project(0, [[-2, 0, 0]], engine)).toEqual([[0, 0, 0]]);
	});

	test("without friction the cone is a half-line", () => {
		expect(project(0, [[3, 4, 5]], engine)).toEqual([[3, 0, 0]]);
	});

	test("twice is once, up to rounding", () => {
		const once = project(0.6, points, engine);
		for (const [i, p] of project(0.6, once, engine).entries()) {
			expect(norm(minus(p, once[i]!))).toBeLessThanOrEqual(4e-16 * norm(once[i]!));
		}
	});
});

test("equality blocks are free: their numbers stay as they are", () => {
	const arena = new Arena();
	const mu = arena.vector(2);
	const r = arena.vector(6);
	r.values.set([-1, 1, 1, -2, 3, 4]);
	arena.kernels.addProjected(0, 2, 1, mu.at, 0, -1, r.at);
	expect([...r.values]).toEqual([0, 0, 0, -2, 3, 4]);
});
