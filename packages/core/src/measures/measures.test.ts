/** The measures against their definitions (testing/judge.ts), on answers and on anything else, scaled or not. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import type { Problem } from "../problem/problem.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { oneContact } from "../testing/closed-forms.js";
import { gallery } from "../testing/gallery.js";
import { judge } from "../testing/judge.js";
import { randomProblem } from "../testing/random-problems.js";

interface Point {
	readonly r: Float64Array;
	readonly l: Float64Array;
}

function measured(problem: Problem, { r, l }: Point, scaling: "contact" | number, engine: "wasm" | "twin" = "wasm") {
	const system = systemOf(problem, { ...systemDefaults, operator: "assembled", scaling, engine }, { r, l });
	system.startAt(system.r);
	system.velocity(system.r, system.u);
	const { measures } = system;
	return {
		energy: measures.measure("energy", system.r, system.u),
		natural: measures.measure("natural", system.r, system.u),
		merit: measures.measure("merit", system.r, system.u),
		gradient: measures.measure("gradient", system.r, system.u),
	};
}

/** A point inside the cones, outside, on their boundary and at their tips. */
function pointOf(problem: Problem, seed: number): Point {
	const random = new Random(seed);
	const r = problem.q.map(() => random.between(-1, 1));
	for (let a = 0; a < problem.contacts; a += 1) {
		const kind = random.below(4);
		if (kind === 0) r.fill(0, 3 * a, 3 * a + 3);
		if (kind === 1) r.set([1, 0.6 * problem.mu[a]!, 0.8 * problem.mu[a]!], 3 * a);
		if (kind === 2) r.set([1, 0.1 * problem.mu[a]!, 0], 3 * a);
	}
	return { r, l: Float64Array.from({ length: problem.equalities?.count ?? 0 }, () => random.between(-1, 1)) };
}

describe.each(["contact", 1, 1e-3] as const)("scaling: %s", (scaling) => {
	test.each(gallery.map((problem) => [problem.name, problem] as const))("%s", (_, problem) => {
		for (let seed = 0; seed < 5; seed += 1) {
			const point = pointOf(problem, seed);
			const wanted = judge(problem, point.r, point.l);
			for (const engine of ["wasm", "twin"] as const) {
				const found = measured(problem, point, scaling, engine);
				// Singular blocks have no inverse to divide by, and merit none to be measured with.
				for (const name of ["energy", "natural", "merit"] as const) {
					expect(Math.abs(found[name] / wanted[name] - 1), name).toBeLessThan(1e-10);
				}
				// It is the difference of two numbers that are the same to six digits.
				expect(Math.abs(found.gradient / wanted.gradient - 1)).toBeLessThan(1e-6);
			}
		}
	});
});

test("one contact at rest under a push, by hand: W = I / 2, q = (-1, 0, 0), R = 0, mu = 0.5", () => {
	const problem = oneContact([0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5], [-1, 0, 0], 0.5);
	const { energy, natural, merit, gradient } = measured(
		problem,
		{ r: new Float64Array(3), l: new Float64Array(0) },
		"contact",
	);
	// e = -proj(2, 0, 0): <W e, e> = 2, and <W^-1 q, q> = 2.
	expect(energy).toBeCloseTo(1, 15);
	// C = -(1, 0, 0), |q| = |U| = 1.
	expect(natural).toBeCloseTo(1, 15);
	expect(merit).toBeCloseTo(1, 15);
	// F = -(1, 0, 0), a third of it for each of three numbers.
	expect(gradient).toBeCloseTo(1 / 3, 12);
});

test("zero denominators count as one", () => {
	const problem: Problem = { ...randomProblem({ seed: 1, contacts: 4 }), q: new Float64Array(12) };
	const zero: Point = { r: new Float64Array(12), l: new Float64Array(0) };
	expect(measured(problem, zero, "contact")).toEqual({ energy: 0, natural: 0, merit: 0, gradient: 0 });
	const point = pointOf(problem, 3);
	const wanted = judge(problem, point.r);
	const found = measured(problem, point, "contact");
	expect(found.energy / wanted.energy).toBeCloseTo(1, 12);
	expect(found.merit / wanted.merit).toBeCloseTo(1, 12);
});
