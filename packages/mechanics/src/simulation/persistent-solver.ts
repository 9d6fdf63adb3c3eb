/** Solves the problem of a step, and tries again in other ways where that fails. */
import type { Problem } from "@stickslip/core";
import type { ContactSolver, SolverOptions, StepProblem, StepSolution } from "../ranks/contact-solver.js";
import type { Domain } from "../ranks/domain.js";

/** A solve that did not reach its tolerance. */
export interface FailedSolve {
	/** Of the step that was under way, counted from 0. */
	readonly step: number;
	readonly problem: Problem;
	readonly start: Float64Array | undefined;
	readonly options: SolverOptions;
	readonly report: StepSolution["report"];
}

/** A step whose solve failed, whatever was tried. */
export class StepFailure extends Error {
	readonly step: number;
	readonly report: StepSolution["report"];

	constructor(step: number, report: StepSolution["report"]) {
		super(`step ${step} was not solved: ${report.reason}`);
		this.name = "StepFailure";
		this.step = step;
		this.report = report;
	}
}

export interface SolvedStep {
	/** The best one where none is good enough. */
	readonly solution: StepSolution;
	/** Solves that failed before. */
	readonly retries: number;
}

export class PersistentSolver {
	readonly #solver: ContactSolver;
	readonly #options: SolverOptions;
	readonly #onFailedSolve: ((failed: FailedSolve) => void) | undefined;

	constructor(solver: ContactSolver, options: SolverOptions, onFailedSolve?: (failed: FailedSolve) => void) {
		this.#solver = solver;
		this.#options = options;
		this.#onFailedSolve = onFailedSolve;
	}

	/** Collective. Tries one remedy after another until the problem is solved. */
	*solve(step: number, problem: StepProblem, domain: Domain): Generator<void, SolvedStep, void> {
		let best: StepSolution | undefined;
		let failures = 0;
		for (const remedy of REMEDIES) {
			const tried = remedy(this.#options, problem.start);
			if (tried === undefined) continue;
			const { start, options } = tried;
			const solution = yield* this.#solver.solve({ ...problem, start }, options, domain);
			if (solution.report.status === "solved") return { solution, retries: failures };
			failures += 1;
			if (best === undefined || isBetter(solution.report.error, best.report.error)) best = solution;
			this.#onFailedSolve?.({ step, problem: problem.problem, start, options, report: solution.report });
		}
		return { solution: best!, retries: failures - 1 };
	}
}

/** Any error is better than one that is not a number. */
function isBetter(error: number, best: number): boolean {
	return error < best || (Number.isNaN(best) && !Number.isNaN(error));
}

interface Attempt {
	readonly options: SolverOptions;
	readonly start: Float64Array | undefined;
}

/** As wanted; from zero; from zero by the method that is most robust, with its own options and limits. */
const REMEDIES: readonly ((options: SolverOptions, start: Float64Array | undefined) => Attempt | undefined)[] = [
	(options, start) => ({ options, start }),
	(options, start) => start && { options, start: undefined },
	({ set: _set, maxIterations: _max, ...options }) => ({ options: { ...options, method: "auto" }, start: undefined }),
];
