/**
 * What a solve ends in. An outcome is data: only bad input throws. The report is described once, here: its type, the check of one that comes from a
 * file or another process, and the list of its fields (`stickslip help report`) follow.
 */
import {
	anyNumber,
	array,
	type Checked,
	called,
	field,
	integer,
	list,
	oneOf,
	optional,
	record,
	text,
} from "../base/schema.js";
import { MEASURES } from "../measures/measures.js";

/**
 * solved: the measure, taken afresh, is at most the tolerance. stalled: the method has nothing left to try.
 * iteration-limit, time-limit: a limit of the caller's. diverged: the iterate left the finite numbers, or grew without bound. cancelled: asked to.
 * infeasible: a contact approaches where its block of W has nothing to stop it; no method begins.
 */
export const STATUSES = [
	"solved",
	"stalled",
	"iteration-limit",
	"time-limit",
	"diverged",
	"infeasible",
	"cancelled",
] as const;
export type Status = (typeof STATUSES)[number];

const LINE_MAX = 100_000;
const REMEDIES_MAX = 1_000_000;
const line = text(LINE_MAX);
const count = integer(0);
const seconds = called("a number of seconds", anyNumber);

const isPhases = record({
	compute: field(seconds, "computing"),
	pack: field(seconds, "packing and unpacking what is exchanged"),
	wait: field(seconds, "waiting for neighbours"),
	reduce: field(seconds, "in reductions"),
});

/** Seconds of the solve that is reported. */
export type PhaseSeconds = Checked<typeof isPhases>;

const isRankReport = record({
	rank: field(count, "its number"),
	contacts: field(count, "contacts that the rank owns"),
	exchanges: field(count, "exchanges with neighbours"),
	reductions: field(count, "reductions over all ranks"),
	messages: field(count, "messages sent to other ranks"),
	bytes: field(count, "bytes sent to other ranks"),
	phases: field(isPhases, "seconds of the solve that is reported"),
	peakMemory: field(
		called("a number of bytes", anyNumber),
		"the solver's memory at its largest: the rank's share of the problem, operator, vectors and blocks",
	),
});

export type RankReport = Checked<typeof isRankReport>;

const isEfficiency = record({
	parallel: field(anyNumber, "parallel efficiency, the product of the other three"),
	loadBalance: field(anyNumber, "mean over largest computing time of the ranks"),
	serialisation: field(anyNumber, "what waiting for late ranks leaves"),
	transfer: field(anyNumber, "what the messages themselves leave"),
});

/** Where parallel time goes: shares that multiply to the first. */
export type Efficiency = Checked<typeof isEfficiency>;

/** What all ranks report alike, but for times. */
const common = {
	problem: field(line, "its name"),
	contacts: field(count, "number of contacts"),
	method: field(line, "the method asked for, also where it is auto"),
	status: field(oneOf(STATUSES), "how the solve ended"),
	reason: field(line, "why it ended so, in one line"),
	choice: field(optional(line), "for auto: the reason of its choice"),
	remedies: field(list(line, REMEDIES_MAX), "what was changed on the way when progress stopped, in order"),
	iterations: field(count, "iterations of the method"),
	products: field(
		count,
		"products with W inside the method, without those that refresh U; a Gauss-Seidel sweep counts as one",
	),
	measure: field(oneOf(MEASURES), "the measure of the tolerance"),
	tolerance: field(anyNumber, "the largest error of a solved problem, in that measure"),
	energy: field(anyNumber, "energy measure of the reaction returned, measured afresh at the end"),
	natural: field(anyNumber, "natural measure of the same"),
	merit: field(anyNumber, "merit measure of the same"),
	gradient: field(optional(anyNumber), "gradient measure of the same; where it is the measure of the tolerance"),
	seconds: field(
		seconds,
		"the solve alone, with what it took before a checkpoint it continued from; with repeat the least",
	),
	secondsFirst: field(
		seconds,
		"the first solve, with checking the problem and setting up operator and method; without reading",
	),
	ranks: field(integer(1), "number of ranks"),
	transport: field(line, "how ranks communicate"),
	operator: field(line, "the operator used, and why"),
	exchanges: field(
		count,
		"exchanges with neighbours in one solve, the same on every rank, with those before a checkpoint",
	),
	reductions: field(count, "reductions in one solve, the same on every rank, with those before a checkpoint"),
};

/**
 * existence-not-guaranteed: no reaction brings all velocities into the dual cones, so that there may be no solution. energy-error: the error is within
 * the tolerance of its measure, but the energy error is that of no solution.
 */
export const WARNING_CODES = ["existence-not-guaranteed", "energy-error"] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

const isWarning = record({
	code: field(oneOf(WARNING_CODES), "what the warning is about"),
	text: field(line, "the warning, in one line"),
});

export type ReportWarning = Checked<typeof isWarning>;

const last = {
	warnings: field(optional(list(isWarning, WARNING_CODES.length)), "doubts about the answer; absent without any"),
	version: field(line, "of stickslip"),
	history: field(
		optional(list(anyNumber, Number.MAX_SAFE_INTEGER)),
		"the error after every iteration in the measure, without the start; where asked for",
	),
};

/** What a rank knows of the report. */
const isOwnReport = record({ ...common, ...last });

/** The fields that `--json` prints, in its order; changes need a changelog line. */
export const isReport = record({
	...common,
	perRank: field(list(isRankReport, REMEDIES_MAX), "one entry per rank"),
	efficiency: field(isEfficiency, "where parallel time goes: shares from 0 to 1"),
	hash: field(text(100), "SHA-256 of R, little-endian, in the order of the file, as hexadecimal"),
	...last,
});

export type Report = Checked<typeof isReport>;

/** What a rank ends with, but for limits that follow from the problem: plain data. */
const isAnyResult = record({
	/** Global ids of its blocks, contacts first, then equality blocks. */
	ids: array(Int32Array),
	/** Three numbers per block: reactions with multipliers, velocities. */
	reaction: array(Float64Array),
	velocity: array(Float64Array),
	equalityRows: count,
	rank: isRankReport,
	/** The same on every rank but for times. */
	report: isOwnReport,
});

export type RankResult = Checked<typeof isAnyResult>;

/** Whether it is the result of a rank, for blocks below `blocks`. */
export function isRankResult(value: unknown, blocks: number): value is RankResult {
	if (!isAnyResult(value)) return false;
	const { ids, reaction, velocity } = value;
	return (
		reaction.length === 3 * ids.length &&
		velocity.length === 3 * ids.length &&
		ids.every((id) => id >= 0 && id < blocks)
	);
}

/** Whether it is a rank's part of a report: what it reports of itself, and what all report alike. */
export const isPartOfReport = record({ rank: isRankReport, report: isOwnReport });

export type PartOfReport = Checked<typeof isPartOfReport>;

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
