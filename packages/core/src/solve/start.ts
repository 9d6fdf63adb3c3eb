/** Where a solve starts from. */
import { InputError } from "../base/errors.js";
import { isReals } from "../base/reals.js";
import { shown } from "../base/shown.js";
import { areFinite } from "../problem/check.js";
import type { Guess, Problem } from "../problem/problem.js";
import type { SolveOptions } from "./options.js";

/** The start as the problem's guess or the caller's reaction; undefined for zero. */
export function startOf(problem: Problem, start: SolveOptions["start"]): Guess | undefined {
	if (start === undefined || start === "zero") return undefined;
	if (start === "guess") {
		const guess = problem.guesses?.[0];
		if (guess === undefined) throw new InputError(problem.name, "guesses", "there is none", "start from zero");
		return guess;
	}
	if (!isReals(start)) {
		throw new InputError(
			"options",
			"start",
			`${shown(start)} is not a start value`,
			"give zero, guess or a Float64Array",
		);
	}
	if (start.length !== 3 * problem.contacts) {
		const remedy = `give ${3 * problem.contacts} numbers, 3 per contact`;
		throw new InputError("options", "start", `has ${start.length} numbers`, remedy);
	}
	if (!areFinite(start, start.length)) throw new InputError("options", "start", "is not finite", "give finite numbers");
	return { r: start };
}
