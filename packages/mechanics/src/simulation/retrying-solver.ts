/** Solves the problem of a step, and tries again in other ways where that fails. */
import type { ContactSolver, SolverOptions, StepProblem, StepSolution } from "../ranks/contact-solver.js";
import type { Domain } from "../ranks/domain.js";
import { type WholeProblem, wholeProblem } from "../ranks/whole-problem.js";

/** A solve that has ended, whether it reached its tolerance or not. */
export interface SolveAttempt {
	/** Of the step that is under way, counted from 0. */
	readonly step: number;
	/** Solves of this step before it, which failed. */
	readonly failures: number;
	readonly options: SolverOptions;
	/** The same on all ranks but for the time. */
	readonly report: StepSolution["report"];
	/** Collective. The problem with its start on rank 0, in arrays that the next step uses again; undefined on others. */
	whole(): WholeProblem | undefined;
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
	/** Of all solves. */
	readonly seconds: number;
}

export class RetryingSolver {
	readonly #solver: ContactSolver;
	readonly #options: SolverOptions;
	readonly #onSolve: ((attempt: SolveAttempt) => void) | undefined;

	constructor(solver: ContactSolver, options: SolverOptions, onSolve?: (attempt: SolveAttempt) => void) {
		this.#solver = solver;
		this.#options = options;
		this.#onSolve = onSolve;
	}

	/** Collective. Tries one remedy after another until the problem is solved; `without` makes the problem in which no overlap is taken back, where the scheme does. */
	*solve(
		step: number,
		problem: StepProblem,
		domain: Domain,
		without: () => StepProblem["problem"] | undefined,
	): Generator<void, SolvedStep, void> {
		let best: StepSolution | undefined;
		let [failures, seconds] = [0, 0];
		for (const remedy of REMEDIES) {
			const tried = remedy(this.#options, problem.start);
			if (tried === undefined) continue;
			const { start, options, takesBack } = tried;
			const other = takesBack ? problem.problem : without();
			if (other === undefined) continue;
			const attempted = { ...problem, problem: other, start };
			const solution = yield* this.#solver.solve(attempted, options, domain);
			const { report } = solution;
			seconds += report.seconds;
			this.#onSolve?.({ step, failures, options, report, whole: () => wholeProblem(attempted, domain) });
			if (solution.report.status === "solved") return { solution, retries: failures, seconds };
			failures += 1;
			if (best === undefined || isBetter(solution.report.error, best.report.error)) best = solution;
		}
		return { solution: best!, retries: failures - 1, seconds };
	}
}

/** Any error is better than one that is not a number. */
function isBetter(error: number, best: number): boolean {
	return error < best || (Number.isNaN(best) && !Number.isNaN(error));
}

interface Attempt {
	readonly options: SolverOptions;
	readonly start: Float64Array | undefined;
	/** Whether overlaps are taken back. */
	readonly takesBack: boolean;
}

/**
 * As wanted; from zero; from zero by the method that is most robust, with its own options and limits; the same while overlaps stay as they are, for a body
 * that is wedged between two others that both would push it away: there is no solution then.
 */
const REMEDIES: readonly ((options: SolverOptions, start: Float64Array | undefined) => Attempt | undefined)[] = [
	(options, start) => ({ options, start, takesBack: true }),
	(options, start) => start && { options, start: undefined, takesBack: true },
	(options) => ({ ...robust(options), takesBack: true }),
	(options) => ({ ...robust(options), takesBack: false }),
];

function robust({ set: _set, maxIterations: _max, ...options }: SolverOptions): Omit<Attempt, "takesBack"> {
	return { options: { ...options, method: "auto" }, start: undefined };
}
