/** Sums without rounding: every finite number is a whole multiple of 2^-1074, and whole numbers of any length add exactly. */

const DIGITS = 52n;

/** The number as a multiple of 2^-1074. */
export function wholeOf(value: number): bigint {
	const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
	const exponent = (bits >> DIGITS) & 0x7ffn;
	const fraction = bits & ((1n << DIGITS) - 1n);
	if (exponent === 0x7ffn) throw new Error("not a finite number");
	const size = exponent === 0n ? fraction : (fraction | (1n << DIGITS)) << (exponent - 1n);
	return bits >> 63n === 1n ? -size : size;
}

export function wholeSum(values: Iterable<number>): bigint {
	let sum = 0n;
	for (const value of values) sum += wholeOf(value);
	return sum;
}
