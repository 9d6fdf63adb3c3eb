/**
 * P W + Q of all blocks on one rank, factored as a whole: additive Schwarz with a single subdomain (schwarz.ts), to the same bits, where nothing has to
 * travel. Exchanges are counted as there.
 */
import { NewtonMatrix } from "../factor/newton-matrix.js";
import { entriesOf, type StoredRows } from "../factor/stored-rows.js";
import type { Vector } from "../kernels/arena.js";
import type { Exchange } from "../parallel/communicator.js";
import { emptyPlan } from "../parallel/halo-plans.js";
import type { System } from "../system/system.js";

export class WholeFactor {
	readonly flops: number;
	readonly factorBlocks: number;
	readonly #system: System;
	/** The id of each place: rows are factored in the order of ids. */
	readonly #ids: Int32Array;
	readonly #matrix: NewtonMatrix;
	readonly #p: Float64Array;
	readonly #q: Float64Array;
	readonly #x: Float64Array;
	readonly #exchange: Exchange;

	constructor(system: System, rows: StoredRows, isSymmetric: boolean) {
		const { arena, blocks, share } = system;
		const ids = share.ids;
		const entries = entriesOf(rows, blocks);
		const placeOf = new Int32Array(blocks);
		for (let place = 0; place < blocks; place += 1) placeOf[ids[place]!] = place;
		const rowStart = new Int32Array(blocks + 1);
		const column = new Int32Array(entries.column.length);
		const values = new Float64Array(9 * entries.column.length);
		const stored = rows.values.values;
		let used = 0;
		for (let id = 0; id < blocks; id += 1) {
			const place = placeOf[id]!;
			for (let k = entries.start[place]!; k < entries.start[place + 1]!; k += 1) {
				column[used] = ids[entries.column[k]!]!;
				for (let e = 0, from = entries.slot[k]!; e < 9; e += 1, from += 2) values[9 * used + e] = stored[from]!;
				used += 1;
			}
			rowStart[id + 1] = used;
		}
		this.#system = system;
		this.#ids = ids;
		this.#matrix = new NewtonMatrix(arena, { rows: blocks, rowStart, column, values }, isSymmetric);
		this.flops = this.#matrix.flops;
		this.factorBlocks = this.#matrix.factorBlocks;
		this.#p = new Float64Array(9 * blocks);
		this.#q = new Float64Array(9 * blocks);
		this.#x = new Float64Array(3 * blocks);
		this.#exchange = system.open(emptyPlan(3));
	}

	/** P and Q are nine numbers by rows for each block, by place; false where there are no factors. */
	factor(p: Float64Array, q: Float64Array): boolean {
		const [ownP, ownQ, ids] = [this.#p, this.#q, this.#ids];
		for (let place = 0; place < ids.length; place += 1) {
			for (let e = 0, from = 9 * place, to = 9 * ids[place]!; e < 9; e += 1) {
				ownP[to + e] = p[from + e]!;
				ownQ[to + e] = q[from + e]!;
			}
		}
		this.#count();
		const failed = Float64Array.of(this.#matrix.factor(ownP, ownQ) ? 0 : 1);
		this.#system.reducer.largest(failed);
		return failed[0] === 0;
	}

	/** y = A^-1 x; they may be the same. */
	apply({ values: from }: Vector, { values: to }: Vector): void {
		const [x, ids] = [this.#x, this.#ids];
		for (let place = 0; place < ids.length; place += 1) {
			for (let i = 0, k = 3 * ids[place]!; i < 3; i += 1) x[k + i] = from[3 * place + i]!;
		}
		this.#count();
		this.#matrix.solve(x);
		this.#count();
		for (let place = 0; place < ids.length; place += 1) {
			for (let i = 0, k = 3 * ids[place]!; i < 3; i += 1) to[3 * place + i] = x[k + i]!;
		}
	}

	#count(): void {
		this.#exchange.begin(this.#x);
		this.#exchange.finish(this.#x);
	}
}
