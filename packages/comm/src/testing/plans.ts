/**
 * Random halo plans whose exchanges have a known outcome. Every rank draws the lists of all pairs from the seed, so what it should
 * receive is computed without any message.
 */
import { Random } from "@stickslip/core";
import type { Exchange, HaloPlan } from "@stickslip/core/parallel";

export interface RandomPlan extends HaloPlan {
	/** Blocks 0 .. own - 1 are this rank's, those after them arrive. */
	readonly own: number;
	/** For each entry of `receive`: whose block arrives there, and its place on that rank. */
	readonly origins: readonly { readonly rank: number; readonly place: number }[];
}

export interface Tied {
	readonly plan: RandomPlan;
	readonly exchange: Exchange;
}

export interface PlanOptions {
	/** The most own blocks of a rank. */
	readonly blocks?: number;
	/** How likely one rank is another's target. */
	readonly chance?: number;
}

/** Some pairs are no neighbours, some are but have empty lists, and some ranks own nothing. */
export function randomPlan(rank: number, size: number, seed: number, options: PlanOptions = {}): RandomPlan {
	const { blocks = 30, chance = 0.6 } = options;
	const shape = new Random(seed);
	const width = [1, 3, 6][shape.below(3)] ?? 3;
	const owns = Array.from({ length: size }, () => (shape.uniform() < 0.15 && chance < 1 ? 0 : 1 + shape.below(blocks)));
	const own = owns[rank] ?? 0;
	/** What `from` sends `to`, ascending; undefined where they are no neighbours. */
	const list = (from: number, to: number): Int32Array | undefined => {
		const random = new Random(seed, 1 + from * size + to);
		if (from === to || random.uniform() >= chance) return undefined;
		const share = chance < 1 && random.uniform() < 0.2 ? 0 : random.uniform();
		const chosen = Array.from({ length: owns[from] ?? 0 }, (_, place) => place).filter(() => random.uniform() < share);
		return Int32Array.from(chance === 1 && chosen.length === 0 ? [0] : chosen);
	};
	const ranks = Array.from({ length: size }, (_, other) => other);
	const sent = ranks.map((to) => list(rank, to));
	const got = ranks.map((from) => list(from, rank));
	const origins = got.flatMap((places, from) => Array.from(places ?? [], (place) => ({ rank: from, place })));
	return {
		width,
		own,
		origins,
		targets: Int32Array.from(ranks.filter((to) => sent[to] !== undefined)),
		sendStart: starts(sent),
		send: Int32Array.from(sent.flatMap((places) => [...(places ?? [])])),
		sources: Int32Array.from(ranks.filter((from) => got[from] !== undefined)),
		receiveStart: starts(got),
		receive: Int32Array.from(origins, (_, i) => own + i),
	};
}

/** Rank 0 sends its blocks to the last rank, and nobody sends anything else. */
export function oneWayPlan(rank: number, size: number, blocks: number): RandomPlan {
	const isSender = size > 1 && rank === 0;
	const isReceiver = size > 1 && rank === size - 1;
	const list = (is: boolean, first: number) => Int32Array.from({ length: is ? blocks : 0 }, (_, i) => first + i);
	return {
		width: 3,
		own: blocks,
		origins: Array.from(list(isReceiver, 0), (place) => ({ rank: 0, place })),
		targets: Int32Array.from(isSender ? [size - 1] : []),
		sendStart: Int32Array.from(isSender ? [0, blocks] : [0]),
		send: list(isSender, 0),
		sources: Int32Array.from(isReceiver ? [0] : []),
		receiveStart: Int32Array.from(isReceiver ? [0, blocks] : [0]),
		receive: list(isReceiver, blocks),
	};
}

function starts(lists: readonly (Int32Array | undefined)[]): Int32Array {
	const result = [0];
	for (const list of lists) if (list !== undefined) result.push((result.at(-1) ?? 0) + list.length);
	return Int32Array.from(result);
}

/** Different for every rank, place, component and round. */
const number = (rank: number, place: number, component: number, round: number): number =>
	((rank * 65_536 + place) * 8 + component) * 4096 + round + 0.5;

/** A vector of the plan before the exchange: own blocks known, arriving ones NaN. */
export function field(plan: RandomPlan, rank: number, round: number): Float64Array {
	const values = new Float64Array((plan.own + plan.receive.length) * plan.width).fill(Number.NaN);
	for (let i = 0; i < plan.own * plan.width; i += 1) {
		values[i] = number(rank, Math.floor(i / plan.width), i % plan.width, round);
	}
	return values;
}

/** What should arrive, block by block in the order of `receive`. */
export function expected(plan: RandomPlan, round: number): Float64Array {
	const values = new Float64Array(plan.receive.length * plan.width);
	for (const [i, { rank, place }] of plan.origins.entries()) {
		for (let k = 0; k < plan.width; k += 1) values[i * plan.width + k] = number(rank, place, k, round);
	}
	return values;
}
