/** What each rank of a partition has to do and to send, of the shares that the ranks themselves would get. */
import type { ShareOutline } from "@stickslip/core/parallel";
import { type HaloPlan, splitPlans } from "@stickslip/core/parallel";
import type { Shares } from "@stickslip/partition";

/** The messages of one exchange of a rank. Blocks are of `width` numbers. */
export interface Messages {
	readonly width: number;
	readonly targets: Int32Array;
	/** Blocks to each. */
	readonly sent: Int32Array;
	readonly sources: Int32Array;
	readonly received: Int32Array;
}

/** A step of a sweep: contacts that need nothing from others, and those that do. */
export interface StepLoad {
	readonly interior: number;
	readonly boundary: number;
	/** What the step changed and others need. */
	readonly passed: Messages;
}

export interface RankLoad {
	readonly contacts: number;
	/** Copies of contacts of others. */
	readonly ghosts: number;
	readonly halo: Messages;
	readonly steps: readonly StepLoad[];
}

/** Of all ranks: their outlines are made one by one, and not kept. */
export function loadsOf(shares: Shares): RankLoad[] {
	return Array.from({ length: shares.ranks }, (_, rank) => loadOf(shares.outline(rank)));
}

function loadOf({ ownContacts, ghosts, halo, sweep }: ShareOutline): RankLoad {
	const { steps, start, runs, passed } = sweep;
	const blocks = (from: number, to: number) => {
		let count = 0;
		for (let k = from; k < to; k += 1) count += runs[2 * k + 1]! - runs[2 * k]!;
		return count;
	};
	const plans = splitPlans(passed);
	return {
		contacts: ownContacts,
		ghosts: ghosts.length,
		halo: messagesOf(halo),
		steps: Array.from({ length: steps }, (_, step) => ({
			interior: blocks(start[2 * step]!, start[2 * step + 1]!),
			boundary: blocks(start[2 * step + 1]!, start[2 * step + 2]!),
			passed: plans[step] === undefined ? NO_MESSAGES : messagesOf(plans[step]),
		})),
	};
}

const none = new Int32Array(0);
const NO_MESSAGES: Messages = { width: 3, targets: none, sent: none, sources: none, received: none };

function messagesOf({ width, targets, sendStart, sources, receiveStart }: HaloPlan): Messages {
	const counts = (start: Int32Array) =>
		Int32Array.from({ length: start.length - 1 }, (_, i) => start[i + 1]! - start[i]!);
	return { width, targets, sent: counts(sendStart), sources, received: counts(receiveStart) };
}

export interface LoadSummary {
	readonly contactsLeast: number;
	readonly contactsMean: number;
	readonly contactsMost: number;
	/** Of the exchange of all ghosts: neighbours of a rank, and ghosts of it, on average and at most. */
	readonly neighboursMean: number;
	readonly neighboursMost: number;
	readonly ghostsMean: number;
	readonly ghostsMost: number;
}

export function summaryOf(loads: readonly RankLoad[]): LoadSummary {
	const contacts = loads.map((load) => load.contacts);
	const neighbours = loads.map(({ halo }) => halo.sources.length);
	const ghosts = loads.map((load) => load.ghosts);
	return {
		contactsLeast: Math.min(...contacts),
		contactsMean: mean(contacts),
		contactsMost: Math.max(...contacts),
		neighboursMean: mean(neighbours),
		neighboursMost: Math.max(...neighbours),
		ghostsMean: mean(ghosts),
		ghostsMost: Math.max(...ghosts),
	};
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
