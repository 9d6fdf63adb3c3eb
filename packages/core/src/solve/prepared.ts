/**
 * A solver for one pattern: which contacts there are and which of them couple is looked at once (indices, colours, order), and values come
 * as often as they change, as they do from one step of a simulation to the next while its contacts stay.
 */
import { InputError } from "../base/errors.js";
import { type Plan, patternPlanOf } from "../outline/plan.js";
import { sharePatternOf } from "../outline/whole.js";
import { hasPattern, patternOf } from "../problem/pattern.js";
import type { Problem } from "../problem/problem.js";
import type { SolveOptions } from "./options.js";
import { checkAlone, checkSolve, prepareChecked } from "./prepare.js";
import type { Solution } from "./report.js";
import { type PreparedPattern, setUpChecked, solveChecked } from "./solve.js";

export interface PreparedSolver {
	/**
	 * Solves a problem with the pattern that was prepared: the same contacts, rows of W or bodies of contacts, and other values where they
	 * are others. The answer has the bits of `solve(problem)`; above 65,536 contacts, which are gathered by where they were
	 * in the problem that was prepared for, those of another order. Throws an InputError for another pattern.
	 */
	solve(problem: Problem): Solution;
	/** Sets a solve up as `solve` does, and goes no further: for measuring. */
	setUp(problem: Problem): void;
}

function knownOf(plan: Plan): PreparedPattern {
	return { plan: patternPlanOf(plan), share: sharePatternOf(plan) };
}

/** Checks a problem and options, and keeps what is the same for all problems of its pattern. Equality rows, and a global form alone, are looked at anew in each solve. */
export function prepareSolver(problem: Problem, options: SolveOptions = {}): PreparedSolver {
	const checked = checkSolve(problem, options);
	const pattern = patternOf(checked.problem);
	const known = pattern && knownOf(prepareChecked(checked).plan);
	const check = (next: Problem) => {
		if (pattern !== undefined && !(typeof next === "object" && next !== null && hasPattern(next, pattern))) {
			const remedy = "prepare a solver for it, or call solve(problem)";
			throw new InputError("problem", "pattern", "is not the one that the solver was prepared for", remedy);
		}
		return checkAlone(next, options, pattern);
	};
	return {
		solve(next) {
			const before = performance.now();
			return solveChecked(check(next), options, before, known);
		},
		setUp: (next) => setUpChecked(check(next), options, known),
	};
}
