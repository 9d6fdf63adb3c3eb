/**
 * Sums that order cannot change: every term is cut at fixed places of the exponent range into whole multiples of fixed units (bins),
 * and multiples add exactly, in any order and in any grouping (the pre-rounding of Demmel and Nguyen, "Fast reproducible floating-point
 * summation", ARITH 2013). A sum keeps the three bins at and below its largest term: 2^-56 of that term is the most that is lost of another.
 *
 *     C_i = 1.5 2^(28 i - 1022), unit_i = ulp(C_i)      q = (p + C_i) - C_i is p rounded to units of bin i
 *     limit_i = unit_(i+1) / 2                          a term below it is all zero in the bins above i
 *
 *     sum[0] top bin, sum[1] the top bin it may come to, sum[2..3], sum[4..5], sum[6..7] the bins top, top - 1, top - 2, in two lanes
 *     table[2 i] = C_i, table[2 i + 1] = limit_i
 *
 * Units of a bin stay exact for 2^26 terms. src/kernels/bins.ts is the same in plain TypeScript: lanes do not matter.
 */

/** The last bin; a term beyond its limit, or one that is no number, makes the sum no number. */
export const LAST_BIN: i32 = 73;
/** The lowest top bin: two more lie below it. */
const FIRST_TOP: i32 = 2;

/** Moves the window up so that a term of this size, found by its exponent, fits; bins that leave it at the lower end are dropped. */
function raise(sum: usize, largest: f64): void {
	const from: i32 = <i32>load<f64>(sum);
	const exponent: i32 = <i32>(reinterpret<u64>(largest) >> 52) & 0x7ff;
	// The least bin with 2^(28 i - 1047) at or above 2^(exponent - 1022); what is no number has the largest exponent.
	const fitting: i32 = min(LAST_BIN + 1, (exponent + 52) / 28);
	const top: i32 = max(from, fitting);
	store<f64>(sum, top);
	const zero = f64x2.splat(0);
	const steps: i32 = top - from;
	v128.store(sum, steps == 1 ? v128.load(sum, 32) : steps == 2 ? v128.load(sum, 16) : zero, 48);
	v128.store(sum, steps == 1 ? v128.load(sum, 16) : zero, 32);
	v128.store(sum, zero, 16);
}

/** The top bin to try: of a sum that has nothing yet, the one that the caller remembers. */
@inline
function tried(sum: usize): i32 {
	return max(<i32>load<f64>(sum), <i32>load<f64>(sum, 8));
}

/**
 * Whether terms of this size fit the window with the top bin that was tried; moves the window where they do not. A remembered bin has to be
 * the very one: a lower one would have done for smaller terms, and kept more of them. pmax, which is one instruction where max is
 * nine, may lose what is no number; the top bin, in which all terms are, does not.
 */
@inline
function fits(largest: v128, a1: v128, top: i32, sum: usize, table: usize): bool {
	const most: f64 = max<f64>(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1));
	const whole: f64 = f64x2.extract_lane(a1, 0) + f64x2.extract_lane(a1, 1);
	const bin: usize = table + ((<usize>top) << 4);
	const isOwn: bool = top == <i32>load<f64>(sum);
	// Remembered for the first terms only: those that come after are added to what is there.
	store<f64>(sum, FIRST_TOP, 8);
	if (whole == whole && most < load<f64>(bin, 8) && (isOwn || most >= load<f64>(bin - 16, 8))) {
		store<f64>(sum, top);
		return true;
	}
	raise(sum, whole == whole ? most : NaN);
	return false;
}

/** Adds `count` terms; an odd last one has a zero put behind it, for which there has to be room. Terms that do not fit are added again. */
export function deposit(values: i32, count: i32, sums: i32, bins: i32): void {
	const from: usize = (<usize>values) << 3;
	const sum: usize = (<usize>sums) << 3;
	const table: usize = (<usize>bins) << 3;
	if ((count & 1) != 0) store<f64>(from + ((<usize>count) << 3), 0);
	const end: usize = from + ((<usize>((count + 1) >> 1)) << 4);
	for (;;) {
		const top: i32 = tried(sum);
		if (top > LAST_BIN) return;
		const bin: usize = table + ((<usize>top) << 4);
		const c1 = v128.load64_splat(bin);
		const c2 = v128.load64_splat(bin - 16);
		const c3 = v128.load64_splat(bin - 32);
		let a1 = v128.load(sum, 16);
		let a2 = v128.load(sum, 32);
		let a3 = v128.load(sum, 48);
		let largest = f64x2.splat(0);
		for (let at: usize = from; at < end; at += 16) {
			let p = v128.load(at);
			largest = f64x2.pmax(largest, f64x2.abs(p));
			let q = f64x2.sub(f64x2.add(p, c1), c1);
			a1 = f64x2.add(a1, q);
			p = f64x2.sub(p, q);
			q = f64x2.sub(f64x2.add(p, c2), c2);
			a2 = f64x2.add(a2, q);
			p = f64x2.sub(p, q);
			a3 = f64x2.add(a3, f64x2.sub(f64x2.add(p, c3), c3));
		}
		if (!fits(largest, a1, top, sum, table)) continue;
		v128.store(sum, a1, 16);
		v128.store(sum, a2, 32);
		v128.store(sum, a3, 48);
		return;
	}
}

/**
 * What a counter of the lower bins begins with, so that it ends at the bits of C_i and the multiples of `pairs` terms: within C_i's own
 * exponent the bits of a number are as many units as it has. Counting them is an addition of integers, where taking C_i off and adding is two.
 */
@inline
function counter(c: v128, pairs: i32): v128 {
	return i64x2.mul(c, i64x2.splat(1 - (<i64>pairs)));
}

/** The terms of x . y for `pairs` pairs of blocks, formed and added in one go. */
function depositDots(x: usize, y: usize, pairs: i32, sum: usize, table: usize): void {
	const end: usize = x + (<usize>pairs) * 48;
	for (;;) {
		const top: i32 = tried(sum);
		if (top > LAST_BIN) return;
		const bin: usize = table + ((<usize>top) << 4);
		const c1 = v128.load64_splat(bin);
		const c2 = v128.load64_splat(bin - 16);
		const c3 = v128.load64_splat(bin - 32);
		let a1 = v128.load(sum, 16);
		let n2 = counter(c2, pairs);
		let n3 = counter(c3, pairs);
		let largest = f64x2.splat(0);
		let b: usize = y;
		for (let a: usize = x; a < end; a += 48) {
			// (a0, a1) (a2, b0) (b1, b2): the two blocks' products side by side.
			const p01 = f64x2.mul(v128.load(a), v128.load(b));
			const p23 = f64x2.mul(v128.load(a, 16), v128.load(b, 16));
			const p45 = f64x2.mul(v128.load(a, 32), v128.load(b, 32));
			const first = f64x2.add(v128.shuffle<f64>(p01, p23, 0, 3), v128.shuffle<f64>(p01, p45, 1, 2));
			let p = f64x2.add(first, v128.shuffle<f64>(p23, p45, 0, 3));
			largest = f64x2.pmax(largest, f64x2.abs(p));
			const q = f64x2.sub(f64x2.add(p, c1), c1);
			a1 = f64x2.add(a1, q);
			p = f64x2.sub(p, q);
			const t = f64x2.add(p, c2);
			n2 = i64x2.add(n2, t);
			p = f64x2.sub(p, f64x2.sub(t, c2));
			n3 = i64x2.add(n3, f64x2.add(p, c3));
			b += 48;
		}
		if (!fits(largest, a1, top, sum, table)) continue;
		v128.store(sum, a1, 16);
		v128.store(sum, f64x2.add(v128.load(sum, 32), f64x2.sub(n2, c2)), 32);
		v128.store(sum, f64x2.add(v128.load(sum, 48), f64x2.sub(n3, c3)), 48);
		return;
	}
}

/**
 * Adds to k + 1 sums, one after another in memory, the terms of x . V_j, j < k, V_j = v + j stride, and of x . y as number k. A term is
 * a block's own inner product. Lengths are multiples of 24 numbers.
 */
export function dotBins(x: i32, v: i32, stride: i32, k: i32, y: i32, length: i32, sums: i32, bins: i32): void {
	for (let from: i32 = 0; from < length; from += 768) {
		const pairs: i32 = min(768, length - from) / 6;
		for (let j: i32 = 0; j <= k; j += 1) {
			const other: usize = (<usize>((j < k ? v + j * stride : y) + from)) << 3;
			depositDots((<usize>(x + from)) << 3, other, pairs, (<usize>(sums + 8 * j)) << 3, (<usize>bins) << 3);
		}
	}
}
