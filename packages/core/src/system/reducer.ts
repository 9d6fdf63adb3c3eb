/**
 * Sums over all contacts. Kernels leave one partial per leaf of 64 blocks and value; the reducer adds them along a fixed
 * tree (over ranks: the same tree, with parts that are runs of leaves), so the sum has the same bits in any split.
 */
import type { Arena, Vector } from "../kernels/arena.js";

export const LEAF_BLOCKS = 64;

export interface Reducer {
	/** Reductions done so far. */
	readonly count: number;
	/** Sums the first `used` of `width` values over all leaves; the sums stand in the first numbers of partials afterwards. */
	sum(partials: Vector, leaves: number, width: number, used: number): void;
}

export class SerialReducer implements Reducer {
	count = 0;
	readonly #arena: Arena;

	constructor(arena: Arena) {
		this.#arena = arena;
	}

	sum(partials: Vector, leaves: number, width: number, used: number): void {
		this.count += 1;
		this.#arena.kernels.treeSum(partials.at, leaves, width, used);
	}
}
