/** Comparing to the bit: numbers as the integers that hold them, so that +0 and -0 differ and NaN equals itself. */

export function bitsOf(values: Float64Array): BigUint64Array {
	return new BigUint64Array(values.slice().buffer);
}

/** The first place where the bits differ, or -1. */
export function firstDifference(a: Float64Array, b: Float64Array): number {
	const [x, y] = [bitsOf(a), bitsOf(b)];
	if (x.length !== y.length) return Math.min(x.length, y.length);
	return x.findIndex((value, i) => value !== y[i]);
}
