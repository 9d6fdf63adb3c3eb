/**
 * Sums that order cannot change: every term is cut at fixed places of the exponent range into whole multiples of fixed units (bins),
 * and multiples add exactly, in any order and in any grouping (the pre-rounding of Demmel and Nguyen, "Fast reproducible floating-point
 * summation", ARITH 2013). A sum keeps the three bins at and below its largest term: 57 bits below that term or more.
 *
 *     C_i = 1.5 2^(28 i - 1022), unit_i = ulp(C_i)      q = (p + C_i) - C_i is p rounded to units of bin i
 *     limit_i = unit_(i+1) / 2                          a term below it is all zero in the bins above i
 *
 *     sum[0] top bin, sum[2..3], sum[4..5], sum[6..7] the bins top, top - 1, top - 2, in two lanes
 *     table[2 i] = C_i, table[2 i + 1] = limit_i
 *
 * Units of a bin stay exact for 2^26 terms. src/kernels/bins.ts is the same in plain TypeScript: lanes do not matter.
 */

/** The last bin; a term beyond its limit, or one that is no number, makes the sum no number. */
export const LAST_BIN: i32 = 73;

/** Moves the window up so that a term of this size fits; bins that leave it at the lower end are dropped. */
function raise(sum: usize, table: usize, largest: f64): i32 {
	const from: i32 = <i32>load<f64>(sum);
	let top: i32 = from;
	while (top <= LAST_BIN && !(largest < load<f64>(table + ((<usize>top) << 4), 8))) top += 1;
	store<f64>(sum, top);
	const zero = f64x2.splat(0);
	const steps: i32 = top - from;
	v128.store(sum, steps == 1 ? v128.load(sum, 32) : steps == 2 ? v128.load(sum, 16) : zero, 48);
	v128.store(sum, steps == 1 ? v128.load(sum, 16) : zero, 32);
	v128.store(sum, zero, 16);
	return top;
}

/** Adds `pairs` pairs of terms, of which the largest is given. */
@inline
export function depositPairs(values: usize, pairs: i32, largest: v128, sum: usize, table: usize): void {
	let top: i32 = <i32>load<f64>(sum);
	const most: f64 = max<f64>(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1));
	if (!(most < load<f64>(table + ((<usize>top) << 4), 8))) top = raise(sum, table, most);
	if (top > LAST_BIN) return;
	const bin: usize = table + ((<usize>top) << 4);
	const c1 = v128.load64_splat(bin);
	const c2 = v128.load64_splat(bin - 16);
	const c3 = v128.load64_splat(bin - 32);
	let a1 = v128.load(sum, 16);
	let a2 = v128.load(sum, 32);
	let a3 = v128.load(sum, 48);
	const end: usize = values + ((<usize>pairs) << 4);
	for (let at: usize = values; at < end; at += 16) {
		let p = v128.load(at);
		let q = f64x2.sub(f64x2.add(p, c1), c1);
		a1 = f64x2.add(a1, q);
		p = f64x2.sub(p, q);
		q = f64x2.sub(f64x2.add(p, c2), c2);
		a2 = f64x2.add(a2, q);
		p = f64x2.sub(p, q);
		a3 = f64x2.add(a3, f64x2.sub(f64x2.add(p, c3), c3));
	}
	v128.store(sum, a1, 16);
	v128.store(sum, a2, 32);
	v128.store(sum, a3, 48);
}

/** Adds `count` terms; an odd last one has a zero put behind it, for which there has to be room. */
export function deposit(values: i32, count: i32, sum: i32, table: i32): void {
	const at: usize = (<usize>values) << 3;
	if ((count & 1) != 0) store<f64>(at + ((<usize>count) << 3), 0);
	const pairs: i32 = (count + 1) >> 1;
	const end: usize = at + ((<usize>pairs) << 4);
	let largest = f64x2.splat(0);
	for (let i: usize = at; i < end; i += 16) largest = f64x2.max(largest, f64x2.abs(v128.load(i)));
	depositPairs(at, pairs, largest, (<usize>sum) << 3, (<usize>table) << 3);
}

/**
 * Adds to k + 1 sums, one after another in memory, the terms of x . V_j, j < k, V_j = v + j stride, and of x . y as number k. A term is
 * a block's own inner product. Lengths are multiples of 24 numbers; `values` is scratch for 64 terms.
 */
export function dotBins(x: i32, v: i32, stride: i32, k: i32, y: i32, length: i32, values: i32, sums: i32, table: i32): void {
	const terms: usize = (<usize>values) << 3;
	for (let from: i32 = 0; from < length; from += 192) {
		const pairs: i32 = min(192, length - from) / 6;
		for (let j: i32 = 0; j <= k; j += 1) {
			let a: usize = (<usize>(x + from)) << 3;
			let b: usize = (<usize>((j < k ? v + j * stride : y) + from)) << 3;
			let largest = f64x2.splat(0);
			const end: usize = terms + ((<usize>pairs) << 4);
			for (let at: usize = terms; at < end; at += 16) {
				// (a0, a1) (a2, b0) (b1, b2): the two blocks' products side by side.
				const p01 = f64x2.mul(v128.load(a), v128.load(b));
				const p23 = f64x2.mul(v128.load(a, 16), v128.load(b, 16));
				const p45 = f64x2.mul(v128.load(a, 32), v128.load(b, 32));
				const first = f64x2.add(v128.shuffle<f64>(p01, p23, 0, 3), v128.shuffle<f64>(p01, p45, 1, 2));
				const term = f64x2.add(first, v128.shuffle<f64>(p23, p45, 0, 3));
				v128.store(at, term);
				largest = f64x2.max(largest, f64x2.abs(term));
				a += 48;
				b += 48;
			}
			depositPairs(terms, pairs, largest, ((<usize>sums) << 3) + ((<usize>j) << 6), (<usize>table) << 3);
		}
	}
}
