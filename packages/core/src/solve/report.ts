/** What a solve ends in. An outcome is data: only bad input throws. */
import type { MeasureName } from "../measures/measures.js";
import type { Efficiency } from "./efficiency.js";

/**
 * solved: the measure, taken afresh, is at most the tolerance. stalled: the method has nothing left to try.
 * iteration-limit, time-limit: a limit of the caller's. diverged: the iterate left the finite numbers. cancelled: asked to.
 */
export type Status = "solved" | "stalled" | "iteration-limit" | "time-limit" | "diverged" | "cancelled";

/** The fields that `--json` prints, in its order; changes need a changelog line. */
export interface Report {
	readonly problem: string;
	readonly contacts: number;
	/** The method that was asked for, also where it is auto: `reason` tells what auto began with, `remedies` what came after. */
	readonly method: string;
	readonly status: Status;
	/** One line for people: why it ended so, and for auto why it chose so. */
	readonly reason: string;
	/** What was changed on the way when progress stopped, in order. */
	readonly remedies: readonly string[];
	readonly iterations: number;
	/** Products with W inside the method, without the ones that refresh U; a Gauss-Seidel sweep counts as one. */
	readonly products: number;
	readonly measure: MeasureName;
	readonly tolerance: number;
	/** The three measures of the reaction returned, measured afresh at the end. */
	readonly energy: number;
	readonly natural: number;
	readonly merit: number;
	/** The solve alone, with what it took before a checkpoint that it went on from; with repeat, the least of them. */
	readonly seconds: number;
	/** The first solve, with the checking of the problem and the set-up of operator and method; without reading. */
	readonly secondsFirst: number;
	readonly ranks: number;
	readonly transport: string;
	/** Which operator was used, and why. */
	readonly operator: string;
	/** Neighbour exchanges and reductions of one solve, the same on every rank; with those before a checkpoint, unlike in `perRank`'s phases. */
	readonly exchanges: number;
	readonly reductions: number;
	/** One entry per rank. */
	readonly perRank: readonly RankReport[];
	/** Where parallel time goes: shares that multiply to the first. */
	readonly efficiency: Efficiency;
	/** SHA-256 of R, little-endian, in file order, as hexadecimal. */
	readonly hash: string;
	readonly version: string;
	/** One number per iteration in the measure, the start left out; present when asked for. */
	readonly history?: readonly number[];
}

/** Seconds of the solve that is reported: computing, packing and unpacking, waiting for neighbours, reducing. */
export interface Phases {
	readonly compute: number;
	readonly pack: number;
	readonly wait: number;
	readonly reduce: number;
}

export interface RankReport {
	readonly rank: number;
	/** Contacts that the rank owns. */
	readonly contacts: number;
	readonly exchanges: number;
	readonly reductions: number;
	/** Sent to other ranks. */
	readonly messages: number;
	readonly bytes: number;
	readonly phases: Phases;
	/** Bytes of the solver's memory at its largest: the rank's share of the problem, operator, vectors and blocks. */
	readonly peakMemory: number;
}

/** The answer: arrays in the problem's own order and units, and the report. */
export interface Solution {
	/** Reactions, 3 per contact. */
	readonly reaction: Float64Array;
	/** Velocities U = W R + V l + q, 3 per contact. */
	readonly velocity: Float64Array;
	/** Multipliers of the equality rows; empty without them. */
	readonly multiplier: Float64Array;
	readonly report: Report;
}
