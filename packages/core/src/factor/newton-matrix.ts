/**
 * Omega_ab = P_a W_ab + [a = b] (P_a shift + Q_a) of a system with rows of W, factored: what Newton's methods solve with, whatever linearisation
 * P and Q come from. Two blocks of three make one of six.
 */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import { BlockLu } from "./block-lu.js";
import { graphOf } from "./graph.js";
import { type Pairing, pairUp } from "./pairing.js";

/** Rows of W as they are stored (system/sell-storage.ts). */
export interface StoredRows {
	readonly start: IntVector;
	readonly column: IntVector;
	readonly values: Vector;
}

export class NewtonMatrix {
	readonly #lu: BlockLu;
	readonly #rows: StoredRows;
	readonly #blocks: number;
	readonly #pairing: Pairing;
	/** Where a block of W begins in the values of the factors' matrix, by slot and lane; -1 for padding. */
	readonly #target: Int32Array;
	readonly #diagonal: Int32Array;
	readonly #x: Float64Array;
	readonly #slots: Int32Array;
	readonly #entryStart: Int32Array;

	constructor(arena: Arena, rows: StoredRows, blocks: number) {
		this.#rows = rows;
		this.#blocks = blocks;
		const entries = entriesOf(rows, blocks);
		this.#pairing = pairUp(graphOf(blocks, entries.start, entries.column));
		const { pairs, pair, half } = this.#pairing;
		const { start, column, index } = pairPattern(entries, this.#pairing, blocks);
		this.#lu = new BlockLu(arena, pairs, start, column);
		const offset = (row: number, to: number, k: number) => 36 * this.#lu.slot[k]! + 18 * half[to]! + 3 * half[row]!;
		this.#target = new Int32Array(entries.slot.length).fill(-1);
		for (let i = 0; i < blocks; i += 1) {
			for (let k = entries.start[i]!; k < entries.start[i + 1]!; k += 1) {
				this.#target[k] = offset(i, entries.column[k]!, index[k]!);
			}
		}
		this.#diagonal = new Int32Array(blocks);
		for (let i = 0; i < blocks; i += 1) {
			const first = start[pair[i]!]!;
			let k = first;
			while (column[k] !== pair[i]) k += 1;
			this.#diagonal[i] = offset(i, i, k);
		}
		this.#slots = entries.slot;
		this.#entryStart = entries.start;
		this.#x = new Float64Array(6 * pairs);
	}

	get flops(): number {
		return this.#lu.flops;
	}

	/** Forms and factors the matrix of P and Q, nine numbers by rows for each block; false where that is not possible. */
	factor(p: Float64Array, q: Float64Array, shift: number): boolean {
		const a = this.#lu.a.values;
		const w = this.#rows.values.values;
		a.fill(0);
		for (let i = 0; i < this.#blocks; i += 1) {
			for (let k = this.#entryStart[i]!; k < this.#entryStart[i + 1]!; k += 1) {
				addProduct(p, 9 * i, w, this.#slots[k]!, a, this.#target[k]!);
			}
			const at = this.#diagonal[i]!;
			for (let e = 0; e < 9; e += 1) a[at + 6 * (e % 3) + Math.floor(e / 3)]! += shift * p[9 * i + e]! + q[9 * i + e]!;
		}
		this.#padSingles(a);
		return this.#lu.factor();
	}

	/** x <- Omega^-1 x. */
	solve(x: Float64Array): void {
		const { pair, half } = this.#pairing;
		const sixes = this.#x;
		sixes.fill(0);
		for (let i = 0; i < this.#blocks; i += 1) {
			for (let k = 0; k < 3; k += 1) sixes[6 * pair[i]! + 3 * half[i]! + k] = x[3 * i + k]!;
		}
		this.#lu.solve(sixes);
		for (let i = 0; i < this.#blocks; i += 1) {
			for (let k = 0; k < 3; k += 1) x[3 * i + k] = sixes[6 * pair[i]! + 3 * half[i]! + k]!;
		}
	}

	/** Ones where a block has no partner. */
	#padSingles(a: Float64Array): void {
		const { pairs, pair, half } = this.#pairing;
		const isFull = new Uint8Array(pairs);
		for (let i = 0; i < this.#blocks; i += 1) if (half[i] === 1) isFull[pair[i]!] = 1;
		for (let i = 0; i < this.#blocks; i += 1) {
			if (isFull[pair[i]!] === 1) continue;
			for (let k = 3; k < 6; k += 1) a[this.#diagonal[i]! + 7 * k] = 1;
		}
	}
}

interface Entries {
	readonly start: Int32Array;
	readonly column: Int32Array;
	/** Where the block begins in the values of the rows; its numbers are two apart. */
	readonly slot: Int32Array;
}

/** Blocks by rows; padding is what follows a row's first zero block on a column that it has had. */
function entriesOf({ start, column, values }: StoredRows, blocks: number): Entries {
	const starts = new Int32Array(blocks + 1);
	const columns: number[] = [];
	const slots: number[] = [];
	const seen = new Int32Array(blocks).fill(-1);
	for (let i = 0; i < blocks; i += 1) {
		const [pair, lane] = [i >> 1, i & 1];
		for (let s = start.values[pair]!; s < start.values[pair + 1]!; s += 1) {
			const to = column.values[2 * s + lane]! / 24;
			if (seen[to] === i && isZero(values.values, 18 * s + lane)) continue;
			seen[to] = i;
			columns.push(to);
			slots.push(18 * s + lane);
		}
		starts[i + 1] = columns.length;
	}
	return { start: starts, column: Int32Array.from(columns), slot: Int32Array.from(slots) };
}

function isZero(values: Float64Array, at: number): boolean {
	for (let k = 0; k < 18; k += 2) if (values[at + k] !== 0) return false;
	return true;
}

/** The pattern of pairs, its diagonal included, and which of its entries each entry of the blocks is part of. */
function pairPattern(
	entries: Entries,
	{ pairs, pair }: Pairing,
	blocks: number,
): { start: Int32Array; column: Int32Array; index: Int32Array } {
	const members: number[][] = Array.from({ length: pairs }, () => []);
	for (let i = 0; i < blocks; i += 1) members[pair[i]!]!.push(i);
	const start = new Int32Array(pairs + 1);
	const column: number[] = [];
	const index = new Int32Array(entries.column.length);
	const place = new Int32Array(pairs).fill(-1);
	for (let p = 0; p < pairs; p += 1) {
		const first = column.length;
		const take = (to: number): number => {
			if (place[to]! < first) {
				place[to] = column.length;
				column.push(to);
			}
			return place[to]!;
		};
		take(p);
		for (const i of members[p]!) {
			for (let k = entries.start[i]!; k < entries.start[i + 1]!; k += 1) index[k] = take(pair[entries.column[k]!]!);
		}
		start[p + 1] = column.length;
	}
	return { start, column: Int32Array.from(column), index };
}

/** A <- A + P W, A by columns of six. */
function addProduct(p: Float64Array, at: number, w: Float64Array, from: number, a: Float64Array, to: number): void {
	for (let j = 0; j < 3; j += 1) {
		const w0 = w[from + 2 * j]!;
		const w1 = w[from + 2 * j + 6]!;
		const w2 = w[from + 2 * j + 12]!;
		for (let i = 0; i < 3; i += 1) {
			a[to + 6 * j + i]! += p[at + 3 * i]! * w0 + p[at + 3 * i + 1]! * w1 + p[at + 3 * i + 2]! * w2;
		}
	}
}
