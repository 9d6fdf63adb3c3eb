/** A session: ranks that stay up, and solve problem after problem. One interface for one thread (openSession here), ranks on Node.js, and browsers. */
import type { Problem, RigidContacts } from "../problem/problem.js";
import type { ProblemPart } from "../problem/problem-part.js";
import type { SolveOptions } from "../solve/options.js";
import type { Solution } from "../solve/report.js";
import type { PartsSolution } from "./parts.js";

/** What a problem of a prepared pattern has of its own; what is left out is as it was. */
export interface NewValues {
	readonly q: Float64Array;
	readonly mu?: Float64Array;
	/** Numbers of the contacts' laws (PARAMETERS each), which stay themselves. */
	readonly parameters?: Float64Array;
	/** Blocks of W in the order of the pattern, nine numbers each. */
	readonly values?: Float64Array;
	/** Of the bodies, all but who touches whom. */
	readonly rigid?: Partial<Omit<RigidContacts, "body" | "moment">>;
	/** A reaction to start from. */
	readonly start?: Float64Array;
}

/** Whose memory the arrays of an answer are: `owned` ones are the caller's; a `view` is valid until the next solve of the session or pattern that gave it. */
export type Results = "owned" | "view";

declare const untilNextSolve: unique symbol;
/** A Solution whose arrays the next solve overwrites: copy what is to stay. */
export type SolutionView = Solution & { readonly [untilNextSolve]: true };

export interface SessionSolveOptions extends Omit<SolveOptions, "keep"> {
	/**
	 * The number of each contact that stays the same from solve to solve, for warm starts: what the session last found for the same numbers is the
	 * start where that is better than zero. Whole numbers, each once. `series` tells apart scenes whose numbers are not the same contacts.
	 */
	readonly keys?: Float64Array;
	readonly series?: string;
	/** Seconds until the answer is wanted, with waiting for a free rank: what is not solved then ends with the status time-limit. */
	readonly deadline?: number;
}

/** Starts are in the parts. */
export type PartsOptions = Omit<SessionSolveOptions, "start" | "keys" | "series">;

/** The parts of one problem, of which there are so many. */
export interface PartsCollection {
	readonly of: number;
	/** Hands a part over; its arrays may not be changed before the problem is solved. */
	add(index: number, part: ProblemPart): Promise<void>;
	/** When all are there. Whatever comes of it, the parts are forgotten. */
	solve(options?: PartsOptions): Promise<PartsSolution>;
	/** Forgets the parts without solving. */
	drop(): Promise<void>;
}

export interface PreparedPattern {
	readonly contacts: number;
	solve(values: NewValues, options?: SessionSolveOptions & { readonly results?: "owned" }): Promise<Solution>;
	solve(values: NewValues, options: SessionSolveOptions & { readonly results: "view" }): Promise<SolutionView>;
	/** Forgets what was prepared. */
	release(): void;
}

export interface Session {
	readonly ranks: number;
	/** Why there is nothing left to solve on, if a rank has failed. */
	readonly failure: Error | undefined;
	/** Looks once at which contacts there are and which of them couple; the problem's values are the first ones. */
	prepare(
		problem: Problem,
		options?: Omit<SolveOptions, "keep" | "signal" | "onProgress" | "start">,
	): Promise<PreparedPattern>;
	/**
	 * Solves any problem. Several may be under way at once: small ones are solved side by side, one on each rank; large ones
	 * one after another on all of them. The bits are those of `solve`.
	 */
	solve(problem: Problem, options?: SessionSolveOptions): Promise<Solution>;
	/**
	 * Solves a problem whose parts come from several processes; the bits are those of the whole. What is wrong is an InputError that names the part
	 * and the field.
	 */
	solveParts?(parts: readonly ProblemPart[], options?: PartsOptions): Promise<PartsSolution>;
	/** The same for parts that come one by one: each goes to its rank at once, so that nobody has all of them. */
	collectParts?(of: number): PartsCollection;
	/** Forgets the warm starts of a series. */
	forgetSeries?(series: string): void;
	/** Resolves when what was under way is cancelled and nothing of the ranks is left. */
	close(): Promise<void>;
}
