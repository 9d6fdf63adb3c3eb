/** Where the bins of order-proof sums are cut: assembly/bins.ts has the formulas. All numbers are powers of two, exact by multiplication. */

export const BINS = 74;
/** The lowest top bin: two more lie below it. */
export const FIRST_TOP = 2;
/** Bits between bins, and between a bin's C and its limit. */
const STEP = 2 ** 28;
const LIMIT = 2 ** -25;

/** C_i and limit_i for every bin. */
export function fillBins(table: Float64Array): void {
	let power = 2 ** -1022;
	for (let bin = 0; bin < BINS; bin += 1) {
		table[2 * bin] = 1.5 * power;
		table[2 * bin + 1] = LIMIT * power;
		power *= STEP;
	}
}
