/**
 * Copies of other ranks' blocks: which they are, their order, and the flows between ranks that keep them up to date. Ghosts stand by owner and then by id,
 * so that what arrives from one rank is one run.
 */
import { ghostPlace } from "@stickslip/core/parallel";
import type { Flow } from "./plans.js";

/** Ids by owner, then by id. */
function byOwner(ids: Int32Array, owner: Int32Array): Int32Array {
	const blocks = owner.length;
	const keys = new Float64Array(ids.length);
	for (let i = 0; i < ids.length; i += 1) keys[i] = owner[ids[i]!]! * blocks + ids[i]!;
	keys.sort();
	const sorted = new Int32Array(ids.length);
	for (let i = 0; i < ids.length; i += 1) sorted[i] = keys[i]! % blocks;
	return sorted;
}

/** What ranks need of one another. */
export interface Borders {
	/** Blocks that couple with another rank's; some may be named twice. */
	readonly waiting: Int32Array;
	/** By rank the blocks of others that own ones couple with, by owner, then by id. */
	readonly ghosts: readonly Int32Array[];
}

/** By the rows of a matrix: its blocks are the couplings. */
export function bordersOfRows(rowStart: Int32Array, column: Int32Array, owner: Int32Array, ranks: number): Borders {
	const waiting: number[] = [];
	const ghosts = Array.from({ length: ranks }, (): number[] => []);
	for (let a = 0; a + 1 < rowStart.length; a += 1) {
		const own = owner[a]!;
		const before = ghosts[own]!.length;
		for (let k = rowStart[a]!, end = rowStart[a + 1]!; k < end; k += 1) {
			if (owner[column[k]!] !== own) ghosts[own]!.push(column[k]!);
		}
		if (ghosts[own]!.length > before) waiting.push(a);
	}
	return { waiting: new Int32Array(waiting), ghosts: ghosts.map((list) => onceEach(list, owner)) };
}

/** By owner, then by id, each once. */
export function onceEach(ids: readonly number[], owner: Int32Array): Int32Array {
	const sorted = byOwner(new Int32Array(ids), owner);
	return sorted.filter((id, i) => i === 0 || id !== sorted[i - 1]);
}

/** Of each tile, 1 where one of these blocks is in it. */
export function tilesWith(blocks: Int32Array, tile: Int32Array, tiles: number): Uint8Array {
	const has = new Uint8Array(tiles);
	for (let i = 0; i < blocks.length; i += 1) has[tile[blocks[i]!]!] = 1;
	return has;
}

/** One rank's blocks: how many are its own, and which are copies. */
export interface Copies {
	readonly own: number;
	readonly ghosts: Int32Array;
}

export class GhostFlows {
	readonly #copies: readonly Copies[];
	readonly #owner: Int32Array;
	/** The place of each block at its owner. */
	readonly #place: Int32Array;

	constructor(copies: readonly Copies[], owner: Int32Array, place: Int32Array) {
		this.#copies = copies;
		this.#owner = owner;
		this.#place = place;
	}

	/** What a rank sends and receives of all ghosts. */
	all(rank: number): Flow[] {
		return this.bySteps(rank, 1, () => 0)[0]!;
	}

	/** The same by what each block is of: the step of a sweep that changes it. */
	bySteps(rank: number, steps: number, stepOf: (id: number) => number): Flow[][] {
		const flows: Flow[][] = Array.from({ length: steps }, () => []);
		for (let to = 0; to < this.#copies.length; to += 1) {
			const { own, ghosts } = this.#copies[to]!;
			const first = ghostPlace(own);
			const begin = to === rank ? 0 : this.#firstOf(ghosts, rank);
			const made: (Flow | undefined)[] = [];
			let owner = -1;
			for (let g = begin; g < ghosts.length; g += 1) {
				const id = ghosts[g]!;
				const from = this.#owner[id]!;
				if (to !== rank && from !== rank) break;
				if (from !== owner) made.length = 0;
				owner = from;
				const step = stepOf(id);
				let flow = made[step];
				if (flow === undefined) {
					flow = { from, to, send: [], receive: [] };
					made[step] = flow;
					flows[step]!.push(flow);
				}
				flow.send.push(this.#place[id]!);
				flow.receive.push(first + g);
			}
		}
		return flows;
	}

	/** Where the ghosts begin that this rank or a later one owns. */
	#firstOf(ghosts: Int32Array, rank: number): number {
		let low = 0;
		let high = ghosts.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.#owner[ghosts[middle]!]! < rank) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

/** Ids of each rank in the order given. */
export function shareOut(order: Int32Array, owner: Int32Array, ranks: number): Int32Array[] {
	const count = new Int32Array(ranks);
	for (let i = 0; i < order.length; i += 1) count[owner[order[i]!]!]! += 1;
	const lists = Array.from(count, (length) => new Int32Array(length));
	count.fill(0);
	for (let i = 0; i < order.length; i += 1) {
		const id = order[i]!;
		const rank = owner[id]!;
		lists[rank]![count[rank]!] = id;
		count[rank]! += 1;
	}
	return lists;
}

/** The place of each id in its list. */
export function placesIn(lists: readonly Int32Array[], count: number): Int32Array {
	const place = new Int32Array(count);
	for (const ids of lists) for (let at = 0; at < ids.length; at += 1) place[ids[at]!] = at;
	return place;
}
