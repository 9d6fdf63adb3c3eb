/** Fused sums over all contacts: one reduction for as many values as are wanted at once. */
import type { Arena, Vector } from "../kernels/arena.js";
import { BINS, FIRST_TOP } from "../kernels/bin-table.js";
import { type Reducer, SUM_NUMBERS } from "./reducer.js";

/** Terms that a kernel forms before it adds them up. */
export const CHUNK = 64;

export class Sums {
	readonly #arena: Arena;
	readonly #reducer: Reducer;
	readonly #sums: Vector;
	readonly #values: Vector;
	readonly #totals: Float64Array;
	#used = 0;
	/** The largest over all ranks of what each gave to the last reduction. */
	largest = 0;
	/** Sums that have never been used: set when the first is taken, as a leg that never comes takes none. */
	#unset: number;

	/** Room for `width` values in one reduction. */
	constructor(arena: Arena, reducer: Reducer, width: number) {
		this.#arena = arena;
		this.#reducer = reducer;
		this.#sums = arena.room(SUM_NUMBERS * width);
		this.#values = arena.room(4 * CHUNK);
		this.#totals = new Float64Array(width);
		this.#unset = width;
	}

	/** Values added since the last reduction. */
	get used(): number {
		return this.#used;
	}

	/** Scratch for the terms of up to four sums, CHUNK of each. */
	get scratch(): Vector {
		return this.#values;
	}

	/** The place of the coming `count` values, for a kernel that adds to them. */
	take(count: number): number {
		if (this.#unset > 0) this.#set();
		const at = this.#sums.at + SUM_NUMBERS * this.#used;
		this.#used += count;
		return at;
	}

	/** Adds x . V_j for j < k (V_j = v + j stride) and x . y. */
	dots(x: number, v: number, stride: number, k: number, y: number, length: number): void {
		const { kernels, bins } = this.#arena;
		kernels.dotBins(x, v, stride, k, y, length, this.take(k + 1), bins.at);
	}

	/** Adds the sum of `count` terms. */
	terms(count: number, term: (index: number) => number): void {
		const sum = this.take(1);
		for (let from = 0; from < count; from += CHUNK) {
			const size = Math.min(CHUNK, count - from);
			for (let i = 0; i < size; i += 1) this.#values.values[i] = term(from + i);
			this.#arena.kernels.deposit(this.#values.at, size, sum, this.#arena.bins.at);
		}
	}

	/** Adds the sum of |x| in every direction, of so many blocks. */
	sizes(blocks: number, x: Vector): void {
		const sum = this.take(1);
		const { kernels, bins } = this.#arena;
		for (let from = 0; from < blocks; from += CHUNK) {
			const count = Math.min(CHUNK, blocks - from);
			kernels.sizes(count, x.at + 3 * from, this.#values.at);
			kernels.deposit(this.#values.at, count, sum, bins.at);
		}
	}

	/** Collective. The totals stand in the order the values were added, until the next reduction; `largest` is then that of all ranks' `own`. */
	reduce(own = 0): Float64Array {
		this.largest = this.#reducer.sum(this.#sums.values, this.#used, this.#totals, own);
		this.#clear(this.#used);
		return this.#totals;
	}

	#set(): void {
		this.#sums.values.fill(0);
		this.#clear(this.#unset);
		this.#unset = 0;
	}

	#clear(used: number): void {
		const { values } = this.#sums;
		for (let at = 0; at < SUM_NUMBERS * used; at += SUM_NUMBERS) {
			// Sums of one iteration are much like those of the last: where their top bin is the same, no term is added twice.
			const top = values[at]!;
			values[at + 1] = top >= FIRST_TOP && top < BINS ? top : FIRST_TOP;
			values[at] = FIRST_TOP;
			for (let i = 2; i < SUM_NUMBERS; i += 1) values[at + i] = 0;
		}
		this.#used = 0;
	}
}
