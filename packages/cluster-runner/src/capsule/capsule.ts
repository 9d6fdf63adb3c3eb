/**
 * The failure capsule: the record of a failed solve, for an analysis elsewhere. It has two files: the whole problem as an FCLIB file, and
 * a JSON file of this form with the name of the FCLIB file, the options that decide the bits, and all that is known about the failure.
 */
import type { Status } from "@stickslip/core";
import type { MachineFacts } from "../records/facts.js";
import type { SolverOptions } from "../requests/solve-request.js";

/** The name of the format in its files, and its version: a reader refuses a higher one. */
export const CAPSULE = "capsule";
export const CAPSULE_FORMAT = 1;

/** The options that decide the result of a solve; ranks and transport do not. Options that were not given are absent. */
export type CapsuleOptions = Omit<SolverOptions, "repeat">;

/** How it ran: only useful for finding the cause. */
export interface RunSetup {
	readonly ranks?: number;
	readonly transport?: string;
	/** Where and how members were started, for a run on many machines. */
	readonly gang?: Readonly<Record<string, string | number>>;
	/** The newest checkpoint, from the capsule's folder. */
	readonly checkpoint?: string;
}

/** Iterations and the error at each; thinned evenly if there were more than are kept. */
export interface CapsuleHistory {
	/** Of so many. */
	readonly of: number;
	/** Whether the errors were measured at every point, or partly estimated by the method. */
	readonly measured: boolean;
	/** [iteration, error]; null for an error that is not finite. */
	readonly points: readonly (readonly [number, number | null])[];
}

/** A lost rank or host, or a solver that threw; -1 if no rank is to blame. */
export interface Failure {
	readonly rank: number;
	readonly reason: string;
}

export interface Capsule {
	readonly stickslip: typeof CAPSULE;
	readonly format: number;
	/** Of the program that wrote it. */
	readonly version: string;
	readonly when: string;
	/** The FCLIB file: a name in the same folder. */
	readonly file: string;
	/** The name of the problem where it was solved. */
	readonly problem: string;
	readonly contacts: number;
	readonly line: readonly string[];
	readonly options: CapsuleOptions;
	readonly ran: RunSetup;
	readonly status: Status | "failed";
	readonly reason: string;
	readonly remedies: readonly string[];
	readonly failure?: Failure;
	readonly iterations?: number;
	readonly products?: number;
	/** The three measures of the best iterate, which is the FCLIB file's solution; null where not finite. */
	readonly energy?: number | null;
	readonly natural?: number | null;
	readonly merit?: number | null;
	/** Of the best iterate. */
	readonly hash?: string;
	readonly history: CapsuleHistory;
	readonly machine: MachineFacts;
}

/** Whether a status is a failure to save: neither solved nor cancelled on request. */
export function isFailure(status: Status): boolean {
	return status !== "solved" && status !== "cancelled";
}
