/** The problem seen otherwise has the same answer: contacts renumbered, tangents turned, units changed. */

import { describe, expect, test } from "vitest";
import { difference } from "../testing/dense.js";
import { pile } from "../testing/gallery.js";
import { FIRST_ORDER } from "../testing/methods.js";
import { randomProblem } from "../testing/random-problems.js";
import { inUnits, permuted, withTurnedTangents } from "../testing/transform.js";
import type { SolveOptions } from "./options.js";
import { solve } from "./solve.js";

/** W is well away from singular and friction is small: the reactions themselves are unique. */
const unique = [
	randomProblem({ seed: 11, contacts: 15, mu: [0.05, 0.3] }),
	randomProblem({ seed: 12, contacts: 25, density: 0.2, mu: [0.05, 0.3] }),
];
const tolerance = 1e-11;
// Mixed sweeps cycle on the pile, and a cycle has no number of iterations to compare.
const ways: [string, SolveOptions][] = [
	["auto", {}],
	["pqn", { method: "pqn" }],
	["gauss-seidel", { method: "gauss-seidel", set: { window: 0 } }],
	["pqn-diagonal", { method: "pqn-diagonal" }],
	...FIRST_ORDER.map((method): [string, SolveOptions] => [method, { method }]),
	["proximal-gauss-seidel", { method: "proximal-gauss-seidel" }],
];

describe.each(ways)("%s", (_, way) => {
	test.each(unique.map((problem) => [problem.name, problem] as const))("%s: renumbered", (_name, problem) => {
		const plain = solve(problem, { ...way, tolerance });
		for (const seed of [1, 2, 3]) {
			const { problem: changed, restore } = permuted(problem, seed);
			const found = solve(changed, { ...way, tolerance });
			expect(found.report.status).toBe("solved");
			expect(difference(restore(found.reaction), plain.reaction)).toBeLessThan(1e-8);
		}
	});

	test.each(unique.map((problem) => [problem.name, problem] as const))("%s: tangents turned", (_name, problem) => {
		const plain = solve(problem, { ...way, tolerance });
		const { problem: changed, turn } = withTurnedTangents(problem, 4);
		const found = solve(changed, { ...way, tolerance });
		expect(found.report.status).toBe("solved");
		expect(difference(turn(found.reaction, true), plain.reaction)).toBeLessThan(1e-8);
	});

	test.each([
		[1e6, 1],
		[1e-6, 1e3],
		[3.7, 0.011],
	])("W times %d, q times %d: the same iterations to a tenth, and R times b / a", (a, b) => {
		for (const problem of [...unique, pile("spheres", 200)]) {
			// The plain methods creep on a pile: no more of them is asked there than they are made for.
			const wanted = unique.includes(problem) ? 1e-8 : 1e-2;
			const plain = solve(problem, { ...way, tolerance: wanted });
			const found = solve(inUnits(problem, a, b), { ...way, tolerance: wanted });
			expect(found.report.status).toBe("solved");
			const [more, less] = [found.report.iterations, plain.report.iterations];
			expect(Math.abs(more - less)).toBeLessThanOrEqual(Math.max(1, 0.1 * less));
			if (!unique.includes(problem)) continue;
			const back = found.reaction.map((value) => (a / b) * value);
			expect(difference(back, plain.reaction)).toBeLessThan(1e-6);
		}
	});
});

test("a power of two in units changes nothing at all: the scaled system is the same to the bit", () => {
	const problem = pile("spheres", 200);
	const plain = solve(problem, { tolerance: 1e-8, set: { operator: "assembled" } });
	const found = solve(inUnits(problem, 2 ** 40, 2 ** 20), { tolerance: 1e-8 });
	expect(found.report.iterations).toBe(plain.report.iterations);
	expect(found.reaction.map((value) => 2 ** 20 * value)).toEqual(plain.reaction);
});

test("scaling by a number is the published form on W so many times as large", () => {
	const problem = pile("spheres", 60);
	const step = 2 ** -10;
	const W = inUnits(problem, step, 1);
	const settings = { delta: 0.01, deltaRelativeTo: "mean", operator: "assembled" };
	const options = { method: "pqn", measure: "merit", tolerance: 1e-8 } as const;
	const forces = solve(W, { ...options, set: { ...settings, scaling: "none", omega: 2 ** -30 } });
	const impulses = solve(problem, { ...options, set: { ...settings, scaling: step, omega: 2 ** -35 } });
	expect(forces.report.status).toBe("solved");
	expect(impulses.report).toMatchObject({ iterations: forces.report.iterations, products: forces.report.products });
	expect(
		difference(
			impulses.reaction,
			forces.reaction.map((value) => step * value),
		),
	).toBeLessThan(1e-9);
	expect(solve(problem, { ...options, set: { ...settings, scaling: 1 } }).report.hash).toBe(
		solve(problem, { ...options, set: { ...settings, scaling: "none" } }).report.hash,
	);
});
