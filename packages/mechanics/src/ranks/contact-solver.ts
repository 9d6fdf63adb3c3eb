/** Who solves the contact problem of a step, and what that takes and gives. */
import type { Problem, SolveOptions } from "@stickslip/core";
import type { SolveFacts } from "@stickslip/core/parallel";
import type { Contacts } from "../contacts/contacts.js";
import type { ContactOwners } from "./contact-owners.js";
import type { Domain } from "./domain.js";

/** What `solve` of core is given, the same for every step. */
export type SolverOptions = Pick<
	SolveOptions,
	"method" | "tolerance" | "measure" | "maxIterations" | "timeLimit" | "set"
>;

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
	solve(step: StepProblem, options: SolverOptions, domain: Domain): Generator<void, StepSolution, void>;
}
