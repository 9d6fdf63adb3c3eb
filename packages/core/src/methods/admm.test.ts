/** ADMM: its linear solvers against a dense one, its rules for rho by their formulas, and what it refuses. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { solve } from "../solve/solve.js";
import { systemDefaults, systemOf } from "../system/system.js";
import { storeById } from "../testing/by-id.js";
import { denseOf, difference, solveDense } from "../testing/dense.js";
import { randomProblem, reals } from "../testing/random-problems.js";
import { sampleProblem } from "../testing/samples.js";
import { NewtonSystem, WHOLE_LU } from "./newton-system.js";
import { balancedFactor, bounded, isWorthwhile, spectralCurvature, spectralRho } from "./penalty-rule.js";
import { ShiftedCg, ShiftedFactors } from "./shifted-solver.js";

test.each([0.1, 1, 30])("(W + %d I) x = b, by conjugate gradients and by factors", (rho) => {
	const problem = randomProblem({ seed: 5, contacts: 14, density: 0.3 });
	const system = systemOf(problem, { ...systemDefaults, scaling: 1, operator: "assembled" });
	const size = 3 * problem.contacts;
	const b = reals(new Random(3), size);
	const shifted = denseOf(problem.W!).map((value, k) => value + (k % (size + 1) === 0 ? rho : 0));
	const [right, wanted, found] = [system.vector(), system.vector(), system.vector()];
	storeById(system, solveDense(shifted, b), wanted, 1);
	for (const solver of [
		new ShiftedCg(system, { epsilon: 1e-13, steps: 500 }),
		new ShiftedFactors(new NewtonSystem(system, "admm", WHOLE_LU), system),
		new ShiftedFactors(
			new NewtonSystem(
				system,
				"admm",
				{ linear: "krylov", subdomain: 5, overlap: 1, reduction: 1e-13, inner: 500 },
				"definite",
			),
			system,
		),
	]) {
		storeById(system, b, right, 1);
		expect(solver.solve(rho, right, found)).toBe(true);
		expect(difference([...found.values], [...wanted.values])).toBeLessThan(1e-10);
	}
});

describe("rho", () => {
	test("spectral: the curvature of a quadratic function, and none where changes do not correlate", () => {
		expect(spectralCurvature(4, 12, 36)).toBe(3);
		expect(spectralCurvature(1, -1, 1)).toBeUndefined();
		expect(spectralCurvature(0, 0, 0)).toBeUndefined();
		expect(spectralRho(7, 4, 9)).toBe(6);
		expect(spectralRho(7, undefined, 9)).toBe(9);
		expect(spectralRho(7, undefined, undefined)).toBe(7);
	});

	test("balanced: the root of the ratio of relative residuals; 1 where one of them is zero", () => {
		// |X - Z| is 0.2 of its size, the dual one 0.05 of its own: four times, by squares.
		expect(balancedFactor(0.04, 1, 0.0025, 1)).toBeCloseTo(2, 12);
		expect(balancedFactor(0, 1, 1, 1)).toBe(1);
	});

	test("small changes are none, and all changes fade", () => {
		expect(isWorthwhile(1, 1.5)).toBe(false);
		expect(isWorthwhile(1, 0.1)).toBe(true);
		expect(isWorthwhile(1, Number.NaN)).toBe(false);
		expect(bounded(1, 1e9, 100)).toBe(2);
		expect(bounded(1, 1e-9, 100)).toBe(0.5);
	});
});

test.each(["spectral", "balanced", "fixed"])(
	"regular problems to 1e-8, rule %s, with both solvers and with and without a window",
	(rule) => {
		for (const seed of [1, 2, 3]) {
			const problem = randomProblem({ seed, contacts: 20, density: 0.2 });
			for (const set of [{ rule }, { rule, window: 0 }, { rule, solve: "factor" }]) {
				const { report } = solve(problem, { method: "admm", tolerance: 1e-8, maxIterations: 2000, set });
				expect([seed, set, report.status]).toEqual([seed, set, "solved"]);
			}
		}
	},
);

test("factors want rows of W", () => {
	const problem = sampleProblem({ seed: 1, contacts: 12, bodies: 6 });
	const set = { solve: "factor", operator: "global" };
	expect(() => solve(problem, { method: "admm", set })).toThrow(/factors rows of W.*operator=assembled/s);
});
