/**
 * Many halo plans in a few arrays: a sweep has one per step, and a body with tens of thousands of contacts as many steps. What travels
 * to a rank has a limited number of arrays, so theirs are laid end to end.
 */
import type { HaloPlan } from "./communicator.js";

/** Plans of one width, one after another. */
export interface HaloPlans {
	readonly width: number;
	/** Where each plan's targets start; one entry more than there are plans. */
	readonly targetStart: Int32Array;
	readonly targets: Int32Array;
	/** Where each target's places start in `send`; one entry more than there are targets in all. */
	readonly sendStart: Int32Array;
	readonly send: Int32Array;
	readonly sourceStart: Int32Array;
	readonly sources: Int32Array;
	readonly receiveStart: Int32Array;
	readonly receive: Int32Array;
}

/** A plan without neighbours. */
export function emptyPlan(width: number): HaloPlan {
	const none = new Int32Array(0);
	const start = Int32Array.of(0);
	return { width, targets: none, sendStart: start, send: none, sources: none, receiveStart: start, receive: none };
}

/** The same blocks the other way. */
export function reversedPlan({ width, targets, sendStart, send, sources, receiveStart, receive }: HaloPlan): HaloPlan {
	return {
		width,
		targets: sources,
		sendStart: receiveStart,
		send: receive,
		sources: targets,
		receiveStart: sendStart,
		receive: send,
	};
}

/** So many plans without neighbours. */
export function emptyPlans(count: number, width: number): HaloPlans {
	const { targets, sendStart, send } = emptyPlan(width);
	return {
		width,
		targetStart: new Int32Array(count + 1),
		targets,
		sendStart,
		send,
		sourceStart: new Int32Array(count + 1),
		sources: targets,
		receiveStart: sendStart,
		receive: send,
	};
}

export function joinPlans(plans: readonly HaloPlan[], width: number): HaloPlans {
	const out = joinSides(
		plans.map(({ targets, sendStart, send }) => ({ ranks: targets, start: sendStart, places: send })),
	);
	const back = joinSides(
		plans.map(({ sources, receiveStart, receive }) => ({ ranks: sources, start: receiveStart, places: receive })),
	);
	return {
		width,
		targetStart: out.rankStart,
		targets: out.ranks,
		sendStart: out.start,
		send: out.places,
		sourceStart: back.rankStart,
		sources: back.ranks,
		receiveStart: back.start,
		receive: back.places,
	};
}

/** The plans again; their lists are views of the joined ones. */
export function splitPlans(plans: HaloPlans): HaloPlan[] {
	const { width, targets, sendStart, send, sources, receiveStart, receive } = plans;
	const out = splitSides({ rankStart: plans.targetStart, ranks: targets, start: sendStart, places: send });
	const back = splitSides({ rankStart: plans.sourceStart, ranks: sources, start: receiveStart, places: receive });
	const empty = emptyPlan(width);
	return out.map((sent, i) => {
		const received = back[i]!;
		if (sent === undefined && received === undefined) return empty;
		return {
			width,
			targets: sent?.ranks ?? empty.targets,
			sendStart: sent?.start ?? empty.sendStart,
			send: sent?.places ?? empty.send,
			sources: received?.ranks ?? empty.sources,
			receiveStart: received?.start ?? empty.receiveStart,
			receive: received?.places ?? empty.receive,
		};
	});
}

/** Whether their arrays fit together: what came from elsewhere is looked at before it is split. */
export function arePlans(plans: HaloPlans, count: number): boolean {
	const { targetStart, targets, sendStart, send, sourceStart, sources, receiveStart, receive } = plans;
	return (
		targetStart.length === count + 1 &&
		sourceStart.length === count + 1 &&
		areStarts(targetStart, targets.length) &&
		areStarts(sourceStart, sources.length) &&
		sendStart.length === targets.length + 1 &&
		receiveStart.length === sources.length + 1 &&
		areStarts(sendStart, send.length) &&
		areStarts(receiveStart, receive.length)
	);
}

/** From 0 to the end, never descending. */
function areStarts(start: Int32Array, end: number): boolean {
	return start[0] === 0 && start.at(-1) === end && start.every((from, i) => i === 0 || from >= start[i - 1]!);
}

interface Side {
	readonly ranks: Int32Array;
	readonly start: Int32Array;
	readonly places: Int32Array;
}

interface Sides extends Side {
	readonly rankStart: Int32Array;
}

function joinSides(sides: readonly Side[]): Sides {
	const rankStart = new Int32Array(sides.length + 1);
	for (const [i, { ranks }] of sides.entries()) rankStart[i + 1] = rankStart[i]! + ranks.length;
	const ranks = new Int32Array(rankStart[sides.length]!);
	const start = new Int32Array(ranks.length + 1);
	const places = new Int32Array(sides.reduce((sum, side) => sum + side.places.length, 0));
	let end = 0;
	for (const [i, side] of sides.entries()) {
		const first = rankStart[i]!;
		ranks.set(side.ranks, first);
		places.set(side.places, end);
		for (let k = 0; k < side.ranks.length; k += 1) start[first + k + 1] = end + side.start[k + 1]!;
		end += side.places.length;
	}
	return { rankStart, ranks, start, places };
}

/** Undefined for a side without ranks, as most are where a sweep has very many steps. */
function splitSides({ rankStart, ranks, start, places }: Sides): (Side | undefined)[] {
	return Array.from({ length: rankStart.length - 1 }, (_, i) => {
		const first = rankStart[i]!;
		const end = rankStart[i + 1]!;
		if (end === first) return undefined;
		const base = start[first]!;
		return {
			ranks: ranks.subarray(first, end),
			start: start.slice(first, end + 1).map((place) => place - base),
			places: places.subarray(base, start[end]!),
		};
	});
}
