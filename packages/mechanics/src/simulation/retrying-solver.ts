/** Solves the problem of a step, and tries again in other ways where that fails. */
import { withRelaxation } from "@stickslip/core/parallel";
import type { ContactSolver, SolverOptions, StepProblem, StepSolution } from "../ranks/contact-solver.js";
import type { Domain } from "../ranks/domain.js";
import { type WholeProblem, wholeProblem } from "../ranks/whole-problem.js";
import { type Findings, optionsOf, type ProblemKind, REMEDIES, relaxationOptions } from "./remedies.js";

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

	/**
	 * Collective. Tries one remedy after another until the problem is solved; `without` makes the problem in which no overlap is taken back, if the scheme
	 * takes overlaps back.
	 */
	*solve(
		step: number,
		given: StepProblem,
		kind: ProblemKind,
		domain: Domain,
		without: () => StepProblem["problem"] | undefined,
	): Generator<void, SolvedStep, void> {
		let best: StepSolution | undefined;
		let [failures, seconds] = [0, 0];
		let other: StepProblem["problem"] | undefined;
		const found: Findings = { missesDualCone: false, isInfeasible: false };
		for (const remedy of REMEDIES) {
			const options = optionsOf(remedy, this.#options, kind, found);
			if (options === undefined) continue;
			if (!remedy.takesBack) other ??= without();
			const problem = remedy.takesBack ? given.problem : other;
			if (problem === undefined) continue;
			let start = remedy.start === "given" ? given.start : undefined;
			if (remedy.start === "relaxed") {
				const relaxed = yield* this.#relaxed({ ...given, problem, start }, kind, found, domain);
				seconds += relaxed?.report.seconds ?? 0;
				start = relaxed?.reaction;
			}
			const attempted = { ...given, problem, start };
			const solution = yield* this.#solver.solve(attempted, options, domain);
			const { report } = solution;
			seconds += report.seconds;
			this.#onSolve?.({ step, failures, options, report, whole: () => wholeProblem(attempted, domain) });
			if (report.status === "solved") return { solution, retries: failures, seconds };
			failures += 1;
			found.missesDualCone ||= report.missesDualCone;
			found.isInfeasible ||= remedy.takesBack && report.status === "infeasible";
			if (best === undefined || isBetter(report.error, best.report.error)) best = solution;
		}
		return { solution: best!, retries: failures - 1, seconds };
	}

	/** Collective. Solves the convex relaxation, whose solution is one of the problem if nothing moves in the end, and a start elsewhere; undefined if no method fits. */
	*#relaxed(
		step: StepProblem,
		kind: ProblemKind,
		found: Findings,
		domain: Domain,
	): Generator<void, StepSolution | undefined, void> {
		const options = relaxationOptions(this.#options, kind, found);
		if (options === undefined) return undefined;
		const { problem } = step;
		const relaxed = { ...problem, laws: withRelaxation(problem.laws, problem.contacts) };
		return yield* this.#solver.solve({ ...step, problem: relaxed }, options, domain);
	}
}

/** Any error is better than one that is not a number. */
function isBetter(error: number, best: number): boolean {
	return error < best || (Number.isNaN(best) && !Number.isNaN(error));
}
