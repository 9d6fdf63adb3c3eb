/**
 * M = L U for the sparse matrices of the global form: mass matrices (blocks on the diagonal, near linear time) and stiffness
 * matrices (banded after reverse Cuthill-McKee). Envelope storage, no pivoting: M is positive definite where it has a
 * meaning, and need not be symmetric. Row i of L and column i of U are kept from the first entry of either to the diagonal.
 */
import { InputError } from "../base/errors.js";
import type { CsrMatrix } from "./problem.js";
import { reverseCuthillMckee } from "./rcm.js";

/** Entries of L and of U, each: 1 GiB. */
const ENVELOPE_MAX = 2 ** 27;
/** Multiplications: some minutes. */
const WORK_MAX = 2e11;
/** A pivot smaller than this part of what it is the difference of is no pivot. */
const PIVOT_MIN = 1e-14;

export interface SparseLu {
	readonly size: number;
	/** Memory of the factors and the order. */
	readonly bytes: number;
	/** Old index of each new one; components lie one after another. */
	readonly order: Int32Array;
	/** New index of each old one. */
	readonly place: Int32Array;
	readonly componentStart: Int32Array;
	/** x = M^-1 x in the old order. Allocates nothing. */
	solve(x: Float64Array): void;
	/** The same in the new order, for the unknowns from..to-1 of whole components. */
	solvePart(x: Float64Array, from: number, to: number): void;
}

/** Throws InputError where M has no such factors: not square, a zero pivot (names the row), or an envelope without bound. */
export function factor(matrix: CsrMatrix, source: string, place: string): SparseLu {
	if (matrix.rows !== matrix.columns) {
		throw new InputError(
			source,
			place,
			`has ${matrix.rows} rows and ${matrix.columns} columns`,
			"give a square matrix",
		);
	}
	const { order, componentStart } = reverseCuthillMckee(matrix);
	const envelope = envelopeOf(matrix, order);
	if (envelope.work > WORK_MAX || envelope.length > ENVELOPE_MAX) {
		const what = `couples its ${matrix.rows} unknowns too widely to be factored here (${envelope.length} entries)`;
		throw new InputError(source, place, what, "give the local form (W, q) instead");
	}
	const factors = new EnvelopeLu(order, componentStart, envelope);
	factors.scatter(matrix);
	factors.eliminate((row, pivot) => {
		const what = `is singular at row ${row} (pivot ${pivot})`;
		throw new InputError(
			source,
			`${place}, row ${row}`,
			what,
			"give a matrix that can be inverted: no massless unknowns",
		);
	});
	return factors;
}

interface Envelope {
	readonly place: Int32Array;
	/** First column (new order) of each row's envelope. */
	readonly first: Int32Array;
	/** Where each row begins in L and each column in U. */
	readonly start: Int32Array;
	readonly length: number;
	readonly work: number;
}

function envelopeOf(matrix: CsrMatrix, order: Int32Array): Envelope {
	const size = matrix.rows;
	const place = new Int32Array(size);
	for (let k = 0; k < size; k += 1) place[order[k]!] = k;
	const first = Int32Array.from({ length: size }, (_, k) => k);
	for (let row = 0; row < size; row += 1) {
		const end = matrix.rowStart[row + 1]!;
		for (let k = matrix.rowStart[row]!; k < end; k += 1) {
			const i = place[row]!;
			const j = place[matrix.column[k]!]!;
			if (j < first[i]!) first[i] = j;
			if (i < first[j]!) first[j] = i;
		}
	}
	const start = new Int32Array(size + 1);
	let length = 0;
	let work = 0;
	for (let k = 0; k < size; k += 1) {
		const width = k - first[k]!;
		length += width;
		work += width * width;
		start[k + 1] = Math.min(length, 2 ** 31 - 1);
	}
	return { place, first, start, length, work };
}

class EnvelopeLu implements SparseLu {
	readonly size: number;
	readonly bytes: number;
	readonly place: Int32Array;
	readonly #first: Int32Array;
	readonly #start: Int32Array;
	readonly #lower: Float64Array;
	readonly #upper: Float64Array;
	readonly #diagonal: Float64Array;
	readonly #work: Float64Array;

	constructor(
		readonly order: Int32Array,
		readonly componentStart: Int32Array,
		{ place, first, start, length }: Envelope,
	) {
		this.size = order.length;
		this.place = place;
		this.#first = first;
		this.#start = start;
		this.#lower = new Float64Array(length);
		this.#upper = new Float64Array(length);
		this.#diagonal = new Float64Array(this.size);
		this.#work = new Float64Array(this.size);
		this.bytes = 16 * length + 16 * this.size + 4 * (4 * this.size + componentStart.length);
	}

	/** Puts M into the envelope. */
	scatter(matrix: CsrMatrix): void {
		for (let row = 0; row < this.size; row += 1) {
			const i = this.place[row]!;
			const end = matrix.rowStart[row + 1]!;
			for (let k = matrix.rowStart[row]!; k < end; k += 1) {
				const j = this.place[matrix.column[k]!]!;
				const value = matrix.values[k]!;
				if (i === j) this.#diagonal[i]! += value;
				else if (j < i) this.#lower[this.#start[i]! + j - this.#first[i]!]! += value;
				else this.#upper[this.#start[j]! + i - this.#first[j]!]! += value;
			}
		}
	}

	/** L and U in place (Doolittle), row i of L and column i of U together. */
	eliminate(singular: (row: number, pivot: number) => never): void {
		const lower = this.#lower;
		const upper = this.#upper;
		for (let i = 0; i < this.size; i += 1) {
			const first = this.#first[i]!;
			// `base + k` is where the entry with index k of row i stands.
			const base = this.#start[i]! - first;
			for (let j = first; j < i; j += 1) {
				const from = Math.max(first, this.#first[j]!);
				const other = this.#start[j]! - this.#first[j]!;
				let left = lower[base + j]!;
				let up = upper[base + j]!;
				for (let k = from; k < j; k += 1) {
					left -= lower[base + k]! * upper[other + k]!;
					up -= lower[other + k]! * upper[base + k]!;
				}
				lower[base + j] = left / this.#diagonal[j]!;
				upper[base + j] = up;
			}
			const given = this.#diagonal[i]!;
			let taken = 0;
			for (let k = first; k < i; k += 1) taken += lower[base + k]! * upper[base + k]!;
			const pivot = given - taken;
			const scale = Math.max(Math.abs(given), Math.abs(taken));
			if (!(Math.abs(pivot) > PIVOT_MIN * scale && scale < Number.POSITIVE_INFINITY)) singular(this.order[i]!, pivot);
			this.#diagonal[i] = pivot;
		}
	}

	solve(x: Float64Array): void {
		const work = this.#work;
		for (let k = 0; k < this.size; k += 1) work[k] = x[this.order[k]!]!;
		this.solvePart(work, 0, this.size);
		for (let k = 0; k < this.size; k += 1) x[this.order[k]!] = work[k]!;
	}

	solvePart(x: Float64Array, from: number, to: number): void {
		const lower = this.#lower;
		const upper = this.#upper;
		const firsts = this.#first;
		const starts = this.#start;
		for (let i = from; i < to; i += 1) {
			const first = firsts[i]!;
			const base = starts[i]! - first;
			let value = x[i]!;
			for (let k = first; k < i; k += 1) value -= lower[base + k]! * x[k]!;
			x[i] = value;
		}
		for (let i = to - 1; i >= from; i -= 1) {
			const first = firsts[i]!;
			const base = starts[i]! - first;
			const value = x[i]! / this.#diagonal[i]!;
			x[i] = value;
			for (let k = first; k < i; k += 1) x[k]! -= upper[base + k]! * value;
		}
	}
}
