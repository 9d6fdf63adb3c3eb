/**
 * Sums that neither the order of their terms nor the ranks these are on can change: every term is a whole multiple of a fixed fraction of the largest
 * one, in two parts, so that all additions are exact.
 */
import { type Communicator, type Merge, REDUCE_MAX } from "@stickslip/core/parallel";

/** Bits of a part: with 2^26 terms sums stay whole numbers below 2^53. */
const PART = 2 ** 26;
/** Adding and subtracting it rounds to a whole number. */
const ROUNDER = 1.5 * 2 ** 52;

const mergeLargest: Merge = (into, from) => {
	for (let i = 0; i < into.length; i += 1) into[i] = Math.max(into[i]!, from[i]!);
};

const mergeSums: Merge = (into, from) => {
	for (let i = 0; i < into.length; i += 1) into[i]! += from[i]!;
};

/** Numbers of an extreme: its value, and the ids of at most two bodies that it belongs to, -1 for none. */
export const EXTREME = 3;

/** The larger value, of equal ones that of the smaller ids: the same in any order. NaN is larger than anything. */
const mergeExtremes: Merge = (into, from) => {
	for (let at = 0; at < into.length; at += EXTREME) {
		if (isBefore(from, into, at)) for (let k = at; k < at + EXTREME; k += 1) into[k] = from[k]!;
	}
};

function isBefore(one: Float64Array, other: Float64Array, at: number): boolean {
	const [x, y] = [one[at]!, other[at]!];
	if (x !== y) return x > y || (Number.isNaN(x) && !Number.isNaN(y));
	return (one[at + 1]! - other[at + 1]! || one[at + 2]! - other[at + 2]!) < 0;
}

interface Scratch {
	readonly scale: Float64Array;
	readonly parts: Float64Array;
}

/** Largest values over all ranks, and exact sums. */
export class Totals {
	readonly #communicator: Communicator;
	/** By the width of sums. */
	readonly #scratch: (Scratch | undefined)[] = [];

	constructor(communicator: Communicator) {
		this.#communicator = communicator;
	}

	/** Collective. The largest of each number over all ranks. */
	largest(values: Float64Array): Float64Array {
		return this.#reduce(values, mergeLargest);
	}

	/** Collective. The greatest of each extreme over all ranks. */
	extremes(values: Float64Array): Float64Array {
		return this.#reduce(values, mergeExtremes);
	}

	/** Collective. Of whole numbers whose sums are below 2^53. */
	counts(values: Float64Array): Float64Array {
		return this.#reduce(values, mergeSums);
	}

	/** Collective. Sums of `width` numbers over the rows of all ranks; NaN where a term is not finite. */
	sums(terms: Float64Array, rows: number, width: number): Float64Array {
		const { scale, parts } = this.#scratchFor(width);
		const end = rows * width;
		for (let k = 0; k < width; k += 1) {
			let largest = 0;
			for (let at = k; at < end; at += width) {
				const size = Math.abs(terms[at]!);
				// NaN is larger than anything.
				if (!(size <= largest)) largest = size;
			}
			scale[k] = largest;
		}
		this.largest(scale);
		for (let k = 0; k < width; k += 1) scale[k] = powerAbove(scale[k]!);
		for (let k = 0; k < width; k += 1) {
			const unit = scale[k]!;
			let upper = 0;
			let lower = 0;
			for (let at = k; at < end; at += width) {
				const term = (terms[at]! / unit) * PART;
				const whole = term + ROUNDER - ROUNDER;
				upper += whole;
				lower += (term - whole) * PART + ROUNDER - ROUNDER;
			}
			parts[2 * k] = upper;
			parts[2 * k + 1] = lower;
		}
		this.counts(parts);
		const sums = new Float64Array(width);
		for (let k = 0; k < width; k += 1) {
			sums[k] = (parts[2 * k]! / PART + parts[2 * k + 1]! / PART / PART) * scale[k]!;
		}
		return sums;
	}

	/** Used again by all sums of so many numbers. */
	#scratchFor(width: number): Scratch {
		let scratch = this.#scratch[width];
		if (scratch === undefined) {
			scratch = { scale: new Float64Array(width), parts: new Float64Array(2 * width) };
			this.#scratch[width] = scratch;
		}
		return scratch;
	}

	#reduce(values: Float64Array, merge: Merge): Float64Array {
		// To make a view takes longer than what one rank has to do, and few numbers need none.
		if (values.length > 0 && values.length <= REDUCE_MAX) {
			this.#communicator.reduce(values, merge);
			return values;
		}
		for (let from = 0; from < values.length; from += REDUCE_MAX) {
			this.#communicator.reduce(values.subarray(from, from + REDUCE_MAX), merge);
		}
		return values;
	}
}

const bits = new DataView(new ArrayBuffer(8));

/** A power of two above a size; 1 for zero and what is as good as zero, so that its parts vanish. */
function powerAbove(size: number): number {
	if (!Number.isFinite(size)) return Number.NaN;
	if (size < 2 ** -900) return 1;
	bits.setFloat64(0, size);
	const exponent = (bits.getUint16(0) & 0x7ff0) + 0x10;
	bits.setFloat64(0, 0);
	bits.setUint16(0, Math.min(exponent, 0x7fe0));
	return bits.getFloat64(0);
}
