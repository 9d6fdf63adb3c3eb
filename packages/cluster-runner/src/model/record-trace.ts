/** Traces of real solves: of the whole problem on one rank, and of single shares of it, which do what they would do among the others. */
import {
	ghostPlace,
	type Prepared,
	type RunOptions,
	runShare,
	type Share,
	shareOf,
	toTheEnd,
} from "@stickslip/core/parallel";
import type { Shares } from "@stickslip/partition";
import { RecordingCommunicator, type RecordingOptions } from "./recording-communicator.js";
import { leastOf, operationsOf, secondsOf, steadied, type Trace, totalsOf } from "./trace.js";

/** How often a solve is timed: for so many seconds, and so many times at least. Compilers need some solves to do their best. */
export interface RepeatLimits {
	readonly least: number;
	readonly seconds: number;
}
const REPEATS_MAX = 300;

export interface RecordedSolve {
	readonly trace: Trace;
	/** What its reductions returned, before it began, to its last iteration and after it, and the reaction by block id as its last exchange had it: what shares need of the others. */
	readonly reducedBefore: readonly Float64Array[];
	readonly reduced: readonly Float64Array[];
	readonly reducedAfter: readonly Float64Array[];
	readonly reaction: Float64Array;
}

/** Of its solves the fastest is kept. */
export function recordSolve({ options }: Prepared, whole: Shares, repeats: RepeatLimits): RecordedSolve {
	const outline = whole.outline(0);
	const share = shareOf(outline, whole.rows(outline));
	const { traces: first, communicator } = record(share, options, 1, { rank: 0, size: 1, keeps: true });
	const { keptBefore, kept, last } = communicator;
	const reaction = new Float64Array(3 * share.blocks);
	for (const [at, id] of share.ids.entries()) {
		for (let i = 0; i < 3; i += 1) reaction[3 * id + i] = last?.[3 * at + i] ?? 0;
	}
	const times = timesOf(repeats, secondsOf(first[0]!));
	const { traces } = record(share, options, times, { rank: 0, size: 1 });
	const trace = leastOf([...first, ...traces]);
	if (trace === undefined) throw new Error(`${share.name}: two solves did not do the same`);
	const { count } = totalsOf(trace.operations).reduce;
	const [reduced, reducedAfter] = [kept.slice(0, count), kept.slice(count + 1)];
	return { trace: steady(trace), reducedBefore: keptBefore, reduced, reducedAfter, reaction };
}

/** The same of one share, by itself. Undefined where it does not do what the whole solve did. */
export function recordShare(
	{ options }: Prepared,
	shares: Shares,
	rank: number,
	{ trace, reducedBefore, reduced, reducedAfter, reaction }: RecordedSolve,
	repeats: RepeatLimits,
): Trace | undefined {
	const outline = shares.outline(rank);
	const share = shareOf(outline, shares.rows(outline));
	const first = ghostPlace(share.ids.length);
	const ghosts = new Float64Array(3 * (first + share.ghosts.length));
	for (const [at, id] of share.ghosts.entries()) {
		for (let i = 0; i < 3; i += 1) ghosts[3 * (first + at) + i] = reaction[3 * id + i]!;
	}
	const times = timesOf(repeats, (secondsOf(trace) * share.counted) / trace.contacts);
	const period = reductionsOf(reduced.length, shares.ranks);
	const known = (index: number) => {
		const after = index - times * period;
		return after >= 0 ? reducedAfter[after] : reduced[(index % period) - AGREEMENTS];
	};
	const how = { rank, size: shares.ranks, ghosts, reducedBefore, reduced: known };
	const { traces } = record(share, options, times, how);
	const least = leastOf(traces);
	if (least === undefined || leastOf([trace, least]) === undefined) return undefined;
	return steady({ ...least, contacts: share.ownContacts });
}

const steady = (trace: Trace): Trace => ({ ...trace, operations: steadied(trace.operations) });

function timesOf({ least, seconds }: RepeatLimits, each: number): number {
	return Math.min(REPEATS_MAX, Math.max(least, Math.ceil(seconds / Math.max(each, 1e-9))));
}

/** Ranks that are not alone agree on the start of a solve; after it all ask which of them took longest. */
const AGREEMENTS = 1;
const reductionsOf = (solve: number, ranks: number): number => (ranks > 1 ? AGREEMENTS : 0) + solve + 1;

function record(share: Share, options: RunOptions, times: number, how: Omit<RecordingOptions, "plans">) {
	const { steps } = share.sweep;
	const plans = 1 + (share.ranks === 1 ? 1 : steps);
	const communicator = new RecordingCommunicator({ ...how, plans });
	let isBegun = false;
	const watch = {
		// First asked for where the time of a solve begins.
		get request() {
			if (!isBegun) communicator.begin();
			isBegun = true;
			return 0;
		},
	};
	const { report } = toTheEnd(runShare(share, { ...options, repeat: times }, communicator, watch));
	const { exchanges, reductions, method, operator, status, iterations } = report;
	const { name: problem, counted: contacts } = share;
	// Afterwards the answer is measured once more.
	const period = exchanges + reductionsOf(reductions, share.ranks);
	const traces = Array.from({ length: times }, (_, time): Trace => {
		const from = time * period + (share.ranks > 1 ? AGREEMENTS : 0);
		const operations = operationsOf(communicator.events.slice(from, from + exchanges + reductions), steps, plans);
		return { problem, contacts, method, operator, status, iterations, steps, operations };
	});
	return { traces, communicator };
}
