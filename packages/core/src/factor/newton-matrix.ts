/**
 * Omega_ab = P_a W_ab + [a = b] (P_a shift + Q_a) of a system with rows of W, factored: what Newton's methods solve with, whatever linearisation
 * P and Q come from. Two blocks of three make one of six.
 */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import { PairedFactor } from "./paired-factor.js";

/** Rows of W as they are stored (system/sell-storage.ts). */
export interface StoredRows {
	readonly start: IntVector;
	readonly column: IntVector;
	readonly values: Vector;
}

export class NewtonMatrix {
	readonly #factor: PairedFactor;
	readonly #rows: StoredRows;
	readonly #blocks: number;
	readonly #entries: Entries;

	/** Symmetric where P_a is the same multiple of I for all blocks, and Q_a is symmetric. */
	constructor(arena: Arena, rows: StoredRows, blocks: number, isSymmetric = false) {
		this.#rows = rows;
		this.#blocks = blocks;
		this.#entries = entriesOf(rows, blocks);
		this.#factor = new PairedFactor(arena, blocks, this.#entries.start, this.#entries.column, isSymmetric);
	}

	get flops(): number {
		return this.#factor.flops;
	}

	/** Forms and factors the matrix of P and Q, nine numbers by rows for each block; false where that is not possible. */
	factor(p: Float64Array, q: Float64Array, shift: number): boolean {
		const { start, slot } = this.#entries;
		const { a, target, diagonal } = this.#factor;
		const w = this.#rows.values.values;
		this.#factor.clear();
		for (let i = 0; i < this.#blocks; i += 1) {
			for (let k = start[i]!; k < start[i + 1]!; k += 1) addProduct(p, 9 * i, w, slot[k]!, a, target[k]!);
			const at = diagonal[i]!;
			for (let e = 0; e < 9; e += 1) a[at + 6 * (e % 3) + Math.floor(e / 3)]! += shift * p[9 * i + e]! + q[9 * i + e]!;
		}
		return this.#factor.factor();
	}

	/** x <- Omega^-1 x. */
	solve(x: Float64Array): void {
		this.#factor.solve(x);
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
