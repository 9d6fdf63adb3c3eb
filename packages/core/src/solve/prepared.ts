/**
 * A solver for one pattern: which contacts there are and which of them couple is looked at once (indices, colours, order), and values come
 * as often as they change, as they do from one step of a simulation to the next while its contacts stay.
 */
import { InputError } from "../base/errors.js";
import { type Plan, type PlanOptions, patternPlanOf } from "../outline/plan.js";
import { sharePatternOf } from "../outline/whole.js";
import { hasPattern, type Pattern, patternOf } from "../problem/pattern.js";
import type { Problem } from "../problem/problem.js";
import type { AnswerRoom } from "./finish.js";
import type { SolveOptions } from "./options.js";
import { type CheckedSolve, checkAlone, checkSolve, type Prepared, prepareChecked } from "./prepare.js";
import type { Solution } from "./report.js";
import type { Watch } from "./requests.js";
import { type KnownPattern, setUpChecked, solveChecked, stepsChecked } from "./solve.js";

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

function knownOf(plan: Plan): KnownPattern {
	return { plan: patternPlanOf(plan), share: sharePatternOf(plan) };
}

/** Options that decide on the plan: with others than those of the preparation it is another plan. */
const PLANNED = ["operator", "order", "seed", "tile"] as const satisfies readonly (keyof PlanOptions)[];

/** What `prepareSolver` gives, and sessions solve with. */
export class PatternSolver implements PreparedSolver {
	readonly #options: SolveOptions;
	readonly #system: PlanOptions;
	/** Undefined where there is none: equality rows, and a global form alone, are looked at anew in each solve. */
	readonly #pattern: Pattern | undefined;
	readonly #known: KnownPattern | undefined;
	#room: AnswerRoom | undefined;

	constructor(problem: Problem, options: SolveOptions = {}) {
		const checked = checkSolve(problem, options);
		this.#options = options;
		this.#system = checked.system;
		this.#pattern = patternOf(checked.problem);
		this.#known = this.#pattern && knownOf(prepareChecked(checked).plan);
	}

	solve(problem: Problem): Solution {
		const before = performance.now();
		return solveChecked(this.#check(problem, this.#options), this.#options, before, this.#known);
	}

	setUp(problem: Problem): void {
		setUpChecked(this.#check(problem, this.#options), this.#options, this.#known);
	}

	/**
	 * The same solve in steps, with other options than those of the preparation where some are given. As a view, the answer's arrays are the
	 * next one's too.
	 */
	*steps(problem: Problem, given: SolveOptions, watch: Watch, isView = false): Generator<void, Solution, void> {
		const before = performance.now();
		const options = { ...this.#options, ...given };
		const checked = this.#check(problem, options);
		const room = isView ? this.#roomFor(checked) : undefined;
		return yield* stepsChecked(checked, options, watch, before, undefined, this.#known, room);
	}

	/** Undefined where the number of blocks is no part of the pattern. */
	#roomFor({ problem }: CheckedSolve): AnswerRoom | undefined {
		if (this.#known === undefined) return undefined;
		const count = 3 * problem.contacts;
		this.#room ??= { reaction: new Float64Array(count), velocity: new Float64Array(count) };
		return this.#room;
	}

	/** The plan of a solve that is shared out: for ranks, which do not look whether blocks are finite. */
	prepare(problem: Problem, given: SolveOptions = {}): Prepared {
		return prepareChecked(this.#check(problem, { ...this.#options, ...given }, true), this.#known?.plan);
	}

	/** Whether there is a pattern to keep: not of equality rows, nor of a global form alone. */
	get isKept(): boolean {
		return this.#pattern !== undefined;
	}

	/** The prepared problem with the solver's own copies of what its pattern is, which nobody changes and need not be compared. */
	withOwnPattern(problem: Problem): Problem {
		const { rowStart, column, body } = this.#pattern ?? {};
		const { W, rigid } = problem;
		return {
			...problem,
			...(W && rowStart && column && { W: { ...W, rowStart, column } }),
			...(rigid && body && { rigid: { ...rigid, body } }),
		};
	}

	#check(problem: Problem, options: SolveOptions, isShared = false): CheckedSolve {
		const pattern = this.#pattern;
		if (pattern !== undefined && !(typeof problem === "object" && problem !== null && hasPattern(problem, pattern))) {
			const remedy = "prepare a solver for it, or call solve(problem)";
			throw new InputError("problem", "pattern", "is not the one that the solver was prepared for", remedy);
		}
		const checked = isShared ? checkSolve(problem, options, { pattern }) : checkAlone(problem, options, pattern);
		for (const name of this.#known === undefined ? [] : PLANNED) {
			if (checked.system[name] === this.#system[name]) continue;
			throw new InputError("options", `set.${name}`, "is not as it was prepared", "prepare a solver with this option");
		}
		return checked;
	}
}

/** Checks a problem and options, and keeps what is the same for all problems of its pattern. */
export function prepareSolver(problem: Problem, options: SolveOptions = {}): PreparedSolver {
	return new PatternSolver(problem, options);
}
