/** The seven rules for rho: where they must solve, what they refuse, and that products are counted. */
import { expect, test } from "vitest";
import { generate } from "../generate/index.js";
import { solve } from "../solve/solve.js";
import { randomProblem } from "../testing/random-problems.js";
import { RHO_RULES } from "./rho-rules.js";

const pile = generate("planks", { contacts: 100, seed: 2 });

test.each(RHO_RULES)("%s: with a step that adapts itself any first step does", (rho) => {
	const { report } = solve(pile, { method: "apgd", set: { rho, scaling: "none", operator: "assembled" } });
	expect(report.status).toBe("solved");
});

test.each(["w-rho", "eigen-w-rho"])("%s: below 1 / |W|, so that fixed steps converge as well", (rho) => {
	const problem = randomProblem({ seed: 3, contacts: 20, density: 0.2, mu: 0.3 });
	const set = { rho, ratio: "no" };
	const { report } = solve(problem, { method: "apgd", tolerance: 1e-5, maxIterations: 5000, set });
	expect(report.status).toBe("solved");
});

test("eigenvalues cost products, norms do not; the outer update of s solves each convex problem first", () => {
	const run = (set: Record<string, string | number>) =>
		solve(pile, { method: "apgd", maxIterations: 1, set: { ratio: "no", operator: "assembled", ...set } }).report
			.products;
	expect(run({ rho: "w-rho" })).toBe(1);
	expect(run({ rho: "eigen-w-rho" })).toBe(13);
	const { report } = solve(pile, { method: "apgd", set: { inner: 1e-4, patience: 500 } });
	expect(report.status).toBe("solved");
});

test("what a rule lacks is told with the remedy", () => {
	const of = randomProblem({ seed: 1, contacts: 5 });
	expect(() => solve(of, { method: "apgd", set: { rho: "acary" } })).toThrow(/units of the problem.*scaling=none/s);
	expect(() => solve(of, { method: "apgd", set: { rho: "acary", scaling: "none" } })).toThrow(/W alone is known/);
	expect(() => solve(pile, { method: "apgd", set: { rho: "w-rho", operator: "matrix-free" } })).toThrow(
		/rows of W.*operator=assembled/s,
	);
	expect(() => solve(of, { method: "apgd", set: { rho: "best" } })).toThrow(/out of range/);
});
