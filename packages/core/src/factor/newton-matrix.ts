/** P W + Q of rows of 3x3 blocks, P and Q of diagonal blocks, factored: what Newton's methods solve with, whatever linearisation P and Q come from. */
import type { Arena } from "../kernels/arena.js";
import { PairedFactor } from "./paired-factor.js";

/** Blocks by rows, nine numbers of each by rows. */
export interface SquareRows {
	readonly rows: number;
	readonly rowStart: Int32Array;
	readonly column: Int32Array;
	readonly values: Float64Array;
}

export class NewtonMatrix {
	readonly #w: SquareRows;
	readonly #factor: PairedFactor;
	/** Of each block that is the moment of a rolling contact, which entry is that with its force; -1 of others. */
	readonly #force: Int32Array | undefined;

	/** Symmetric where W is, P_a the same multiple of I for all blocks, and Q_a symmetric. */
	constructor(arena: Arena, w: SquareRows, isSymmetric = false, force?: Int32Array) {
		this.#w = w;
		this.#force = force;
		this.#factor = new PairedFactor(arena, w.rows, w.rowStart, w.column, isSymmetric);
	}

	get flops(): number {
		return this.#factor.flops;
	}

	get factorBlocks(): number {
		return this.#factor.factorBlocks;
	}

	/**
	 * Forms and factors the matrix of P and Q, nine numbers by rows for each block, and the coupling, three for each block that go with the normal
	 * number of its force; false where that is not possible.
	 */
	factor(p: Float64Array, q: Float64Array, coupling?: Float64Array): boolean {
		const { rows, rowStart, values } = this.#w;
		const { a, target, diagonal } = this.#factor;
		const force = coupling && this.#force;
		this.#factor.clear();
		for (let i = 0; i < rows; i += 1) {
			const isAsked = hasEntry(p, 9 * i);
			for (let k = rowStart[i]!; isAsked && k < rowStart[i + 1]!; k += 1)
				addProduct(p, 9 * i, values, 9 * k, a, target[k]!);
			const at = diagonal[i]!;
			for (let e = 0; e < 9; e += 1) a[at + 6 * (e % 3) + Math.floor(e / 3)]! += q[9 * i + e]!;
			const entry = force?.[i] ?? -1;
			if (entry >= 0) for (let e = 0; e < 3; e += 1) a[target[entry]! + e]! += coupling![3 * i + e]!;
		}
		return this.#factor.factor();
	}

	/** x <- (P W + Q)^-1 x. */
	solve(x: Float64Array): void {
		this.#factor.solve(x);
	}
}

function hasEntry(p: Float64Array, at: number): boolean {
	for (let e = at; e < at + 9; e += 1) if (p[e] !== 0) return true;
	return false;
}

/** A <- A + P W, A by columns of six. */
function addProduct(p: Float64Array, at: number, w: Float64Array, from: number, a: Float64Array, to: number): void {
	for (let j = 0; j < 3; j += 1) {
		const w0 = w[from + j]!;
		const w1 = w[from + j + 3]!;
		const w2 = w[from + j + 6]!;
		for (let i = 0; i < 3; i += 1) {
			a[to + 6 * j + i]! += p[at + 3 * i]! * w0 + p[at + 3 * i + 1]! * w1 + p[at + 3 * i + 2]! * w2;
		}
	}
}
