/** Who solves the contact problem of a step, and what that takes and gives. */
import type { Problem, SolveOptions } from "@stickslip/core";
import type { SolveFacts } from "@stickslip/core/parallel";
import type { Contacts } from "../contacts/contacts.js";
import type { ContactOwners } from "./contact-owners.js";
import type { Domain } from "./domain.js";

/** Options of `solve` of core for the steps of a scene. */
export type SolverOptions = Pick<
	SolveOptions,
	"method" | "tolerance" | "measure" | "maxIterations" | "timeLimit" | "set"
>;

/** Options of one attempt at a step. */
export interface AttemptOptions extends SolverOptions {
	/** Iterations within which the best error has to halve, or the attempt ends as stalled. */
	readonly patience?: number;
	/** Operator in place of the one that is chosen by the size of W. */
	readonly operator?: "assembled";
	/** Use of a start that is worse than zero; drop (default) or use. */
	readonly worseStart?: "use" | "drop";
}

export interface StepProblem {
	/** Of all contacts that the rank knows; bodies are numbered by their places, from the first that is no obstacle. */
	readonly problem: Problem;
	readonly contacts: Contacts;
	readonly owner: ContactOwners;
	/** On all ranks or on none. */
	readonly start: Float64Array | undefined;
}

export interface StepSolution {
	/** Of the contacts of the problem; of those that the rank does not own only where they are at own bodies. */
	readonly reaction: Float64Array;
	readonly report: SolveFacts;
}

export interface ContactSolver {
	/** Collective. */
	solve(step: StepProblem, options: AttemptOptions, domain: Domain): Generator<void, StepSolution, void>;
}
