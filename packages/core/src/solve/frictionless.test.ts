/**
 * Without friction the problem is a bound-constrained quadratic one: R_T = 0 and 0 <= R_N, W_NN R_N + q_N >= 0, at right angles: the
 * minimum of <W_NN R, R> / 2 + <q_N, R> over R >= 0. Found here by trying active sets (Lawson and Hanson), dense.
 */

import { describe, expect, test } from "vitest";
import type { Problem } from "../problem/problem.js";
import { denseOf, difference, solveDense } from "../testing/dense.js";
import { BOUNDS, FACTORS, METHODS } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { solve } from "./solve.js";

/** The minimiser of <A x, x> / 2 + <b, x> over x >= 0, A positive definite. */
function boundConstrained(A: Float64Array, b: Float64Array): Float64Array {
	const n = b.length;
	let x = new Float64Array(n);
	const active = new Set<number>();
	for (let round = 0; round < 1000; round += 1) {
		const slope = b.map((value, i) => x.reduce((sum, xj, j) => sum + A[i * n + j]! * xj, value));
		const free = [...slope.keys()].filter((i) => !active.has(i) && slope[i]! < -1e-13);
		if (free.length === 0) return x;
		active.add(free.reduce((best, i) => (slope[i]! < slope[best]! ? i : best)));
		for (;;) {
			const set = [...active];
			const sub = Float64Array.from(set.flatMap((i) => set.map((j) => A[i * n + j]!)));
			const z = solveDense(
				sub,
				Float64Array.from(set, (i) => -b[i]!),
			);
			if (z.every((value) => value > 0)) {
				x = new Float64Array(n);
				for (const [k, i] of set.entries()) x[i] = z[k]!;
				break;
			}
			// As far as the first that would turn negative, which leaves the set.
			const share = Math.min(...set.map((i, k) => (z[k]! > 0 ? 1 : x[i]! / (x[i]! - z[k]!))));
			for (const [k, i] of set.entries()) x[i]! += share * (z[k]! - x[i]!);
			for (const i of set) if (x[i]! <= 1e-15) active.delete(i);
			for (const i of set) if (!active.has(i)) x[i] = 0;
		}
	}
	throw new Error("no active set was found");
}

function normalsOnly(problem: Problem): { A: Float64Array; b: Float64Array } {
	const n = problem.contacts;
	const dense = denseOf(problem.W!);
	const A = Float64Array.from({ length: n * n }, (_, k) => dense[3 * Math.floor(k / n) * 3 * n + 3 * (k % n)]!);
	return { A, b: Float64Array.from({ length: n }, (_, a) => problem.q[3 * a]!) };
}

describe.each([...METHODS, ...BOUNDS, ...FACTORS])("%s", (method) => {
	test.each([1, 2, 3, 4, 5])("seed %d: the minimum, to ten digits", (seed) => {
		const problem = randomProblem({ seed: 80 + seed, contacts: 5 * seed, mu: 0 });
		const { A, b } = normalsOnly(problem);
		const wanted = boundConstrained(A, b);
		expect(wanted.some((value) => value === 0) || seed === 1).toBe(true);
		const { reaction, report } = solve(problem, { method, tolerance: 1e-12 });
		expect(report.status).toBe("solved");
		const normal = Float64Array.from(wanted, (_, a) => reaction[3 * a]!);
		expect(difference(normal, wanted)).toBeLessThan(1e-10);
		expect(reaction.every((value, i) => i % 3 === 0 || Math.abs(value) < 1e-12)).toBe(true);
	});
});
