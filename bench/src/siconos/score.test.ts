import { describe, expect, it } from "vitest";
import { type BlockProblem, score } from "./score.js";

/** One contact with W = w I: everything can be said by hand. */
function single(w: number, q: readonly number[], mu: number): BlockProblem {
	return {
		contacts: 1,
		rowStart: Int32Array.of(0, 1),
		column: Int32Array.of(0),
		values: Float64Array.of(w, 0, 0, 0, w, 0, 0, 0, w),
		q: Float64Array.from(q),
		mu: Float64Array.of(mu),
	};
}

describe("the score of an answer", () => {
	it("is zero for sticking: R = -q / w inside the cone", () => {
		expect(score(single(2, [-4, 1, 0], 0.5), Float64Array.of(2, -0.5, 0))).toEqual({ natural: 0, merit: 0, energy: 0 });
	});

	it("is zero for sliding: R = (2, -1, 0) on the cone's border, U = (0, 1, 0) against it", () => {
		const { natural, merit, energy } = score(single(2, [-4, 3, 0], 0.5), Float64Array.of(2, -1, 0));
		for (const value of [natural, merit, energy]) expect(value).toBeCloseTo(0, 15);
	});

	it("of R = 0 under a pure push q = (-p, 0, 0) is 1, 1 and 1 where w = 1", () => {
		// F = q, R - F = (p, 0, 0) in K: n = e = -(p, 0, 0); |n| / |q| = 1, <n, n> / <q, q> = 1.
		expect(score(single(1, [-3, 0, 0], 0.3), new Float64Array(3))).toEqual({ natural: 1, merit: 1, energy: 1 });
	});

	it("keeps energy, and only energy, under a change of units", () => {
		// Impulses 100 times smaller numbers: W grows 100 times with q kept, R shrinks.
		const a = score(single(2, [-4, 3, 1], 0.5), Float64Array.of(1.5, -0.3, 0.1));
		const b = score(single(200, [-4, 3, 1], 0.5), Float64Array.of(0.015, -0.003, 0.001));
		expect(b.energy).toBeCloseTo(a.energy, 14);
		expect(Math.abs(b.natural - a.natural)).toBeGreaterThan(1e-3);
	});

	it("takes R as it is for natural and merit, and projected for energy", () => {
		// R = (2, -1.5, 0) projects on (2.2, -1.1, 0) at mu = 0.5; U there (0.4, 0.8, 0), F = (0.8, 0.8, 0), w = 2,
		// R - F / 2 = (1.8, -1.5, 0) projects on (2.04, -1.02, 0): e = (0.16, -0.08, 0), energy^2 = 2 * 0.032 / (25 / 2).
		const { energy } = score(single(2, [-4, 3, 0], 0.5), Float64Array.of(2, -1.5, 0));
		expect(energy).toBeCloseTo(Math.sqrt(0.064 / 12.5), 14);
	});

	it("counts a zero denominator as 1", () => {
		expect(score(single(1, [0, 0, 0], 0.5), Float64Array.of(0, 0, 0))).toEqual({ natural: 0, merit: 0, energy: 0 });
	});

	it("multiplies by blocks in any column order, unsymmetric ones by rows", () => {
		// Two contacts, W_10 = 0, W_01 unsymmetric; mu = 0, U_0 = W_01 R_1 + R_0 + q_0 with only the N row wanted 0.
		const coupling = [0.5, 0, 0, 0.25, 0, 0, 0, 0, 0];
		const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
		const problem: BlockProblem = {
			contacts: 2,
			rowStart: Int32Array.of(0, 2, 3),
			column: Int32Array.of(1, 0, 1),
			values: Float64Array.from([...coupling, ...identity, ...identity]),
			q: Float64Array.of(-3, 0, 0, -2, 0, 0),
			mu: Float64Array.of(0, 0),
		};
		// R_1 = 2, so R_0 = 3 - 0.5 * 2 = 2; the tangential U_0 = 0.25 * 2 slides freely.
		expect(score(problem, Float64Array.of(2, 0, 0, 2, 0, 0))).toEqual({ natural: 0, merit: 0, energy: 0 });
	});
});
