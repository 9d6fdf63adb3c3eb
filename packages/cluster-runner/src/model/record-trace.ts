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
import { leastOf, operationsOf, steadied, type Trace } from "./trace.js";

export interface RecordedSolve {
	readonly trace: Trace;
	/** What its reductions returned, and the reaction by block id as its last exchange had it: what shares need of the others. */
	readonly reduced: readonly Float64Array[];
	readonly reaction: Float64Array;
}

/** Solves `repeats` times; every operation has its least time. */
export function recordSolve({ options }: Prepared, whole: Shares, repeats: number): RecordedSolve {
	const outline = whole.outline(0);
	const share = shareOf(outline, whole.rows(outline));
	const { trace: first, communicator } = record(share, options, { rank: 0, size: 1, keeps: true });
	const { kept, last } = communicator;
	const reaction = new Float64Array(3 * share.blocks);
	for (const [at, id] of share.ids.entries()) {
		for (let i = 0; i < 3; i += 1) reaction[3 * id + i] = last?.[3 * at + i] ?? 0;
	}
	const again = () => record(share, options, { rank: 0, size: 1 }).trace;
	const trace = leastOf([first, ...Array.from({ length: repeats - 1 }, again)]);
	if (trace === undefined) throw new Error(`${share.name}: two solves did not do the same`);
	return { trace: steady(trace), reduced: kept, reaction };
}

/** The same of one share, by itself. Undefined where it does not do what the whole solve did. */
export function recordShare(
	{ options }: Prepared,
	shares: Shares,
	rank: number,
	{ trace, reduced, reaction }: RecordedSolve,
	repeats: number,
): Trace | undefined {
	const outline = shares.outline(rank);
	const share = shareOf(outline, shares.rows(outline));
	const first = ghostPlace(share.ids.length);
	const ghosts = new Float64Array(3 * (first + share.ghosts.length));
	for (const [at, id] of share.ghosts.entries()) {
		for (let i = 0; i < 3; i += 1) ghosts[3 * (first + at) + i] = reaction[3 * id + i]!;
	}
	const how = { rank, size: shares.ranks, ghosts, reduced };
	const traces = Array.from({ length: repeats }, () => record(share, options, how).trace);
	return leastOf([trace, ...traces]) && steady({ ...leastOf(traces)!, contacts: share.ownContacts });
}

const steady = (trace: Trace): Trace => ({ ...trace, operations: steadied(trace.operations) });

function record(share: Share, options: RunOptions, how: RecordingOptions) {
	const communicator = new RecordingCommunicator(how);
	let isBegun = false;
	const watch = {
		// First asked for where the time of a solve begins.
		get request() {
			if (!isBegun) communicator.begin();
			isBegun = true;
			return 0;
		},
	};
	const { report } = toTheEnd(runShare(share, { ...options, repeat: 1 }, communicator, watch));
	const { exchanges, reductions, method, operator, status, iterations } = report;
	const { steps } = share.sweep;
	const plans = 1 + (share.ranks === 1 ? 1 : steps);
	// Afterwards the answer is measured once more.
	const operations = operationsOf(communicator.events.slice(0, exchanges + reductions), steps, plans);
	const { name: problem, counted: contacts } = share;
	const trace: Trace = { problem, contacts, method, operator, status, iterations, steps, operations };
	return { trace, communicator };
}
