/**
 * Sine and cosine that have the same bits on every engine: nothing but sums, products and Math.floor, which the language defines to the last bit.
 * The argument less a multiple of pi / 2 is in [-pi / 4, pi / 4], where Taylor series are good to a unit in the last place.
 */

/** pi / 2 in three parts; the first two have 33 bits, so that their multiples by fewer than 2^20 are exact. */
const QUARTER_1 = 1.5707963267341256;
const QUARTER_2 = 6.077100506303966e-11;
const QUARTER_3 = 2.0222662487959506e-21;
const QUARTERS_PER_RADIAN = 0.6366197723675814;
const QUARTERS_AT_ONCE = 2 ** 20;

/** Beyond this many radians the answer is NaN: so large an angle has lost its meaning. */
export const ANGLE_MAX = 2 ** 39;

/** Below this many radians nothing is taken off: sin(x) = x + x^3 sineTail(x^2) and cos(x) = 1 - x^2 / 2 + x^4 cosineTail(x^2). */
export const SMALL_ANGLE = 0.75;

/** Writes sin(x) and cos(x), x being the first number of `out`: numbers that are handed over one by one become objects where this is not inlined. */
export function sineCosine(out: Float64Array): void {
	const x = out[0]!;
	const size = Math.abs(x);
	if (size < SMALL_ANGLE) {
		const square = x * x;
		out[0] = x + x * square * sineTail(square);
		out[1] = 1 - 0.5 * square + square * square * cosineTail(square);
		return;
	}
	if (size <= ANGLE_MAX) reduceAndTurn(out);
	else out.fill(Number.NaN, 0, 2);
}

function reduceAndTurn(out: Float64Array): void {
	let rest = out[0]!;
	let turns = Math.floor(rest * QUARTERS_PER_RADIAN + 0.5);
	if (Math.abs(turns) >= QUARTERS_AT_ONCE) {
		const many = Math.floor(turns / QUARTERS_AT_ONCE);
		rest = lessQuarters(rest, many, QUARTERS_AT_ONCE);
		turns = Math.floor(rest * QUARTERS_PER_RADIAN + 0.5);
	}
	rest = lessQuarters(rest, turns, 1);
	const square = rest * rest;
	const sine = rest + rest * square * sineTail(square);
	const cosine = 1 - 0.5 * square + square * square * cosineTail(square);
	const quarter = turns - 4 * Math.floor(turns / 4);
	out[0] = quarter === 0 ? sine : quarter === 1 ? cosine : quarter === 2 ? -sine : -cosine;
	out[1] = quarter === 0 ? cosine : quarter === 1 ? -sine : quarter === 2 ? -cosine : sine;
}

/** rest - count * unit * pi / 2, where unit is a power of two that is a multiple of four or one. */
function lessQuarters(rest: number, count: number, unit: number): number {
	return rest - count * (unit * QUARTER_1) - count * (unit * QUARTER_2) - count * (unit * QUARTER_3);
}

/** (sin(x) - x) / x^3 from the square of x: coefficients 1 / 3!, 1 / 5!, ... 1 / 17!. */
export function sineTail(s: number): number {
	const high = 1 / 6227020800 + s * (-1 / 1307674368000 + s * (1 / 355687428096000));
	return -1 / 6 + s * (1 / 120 + s * (-1 / 5040 + s * (1 / 362880 + s * (-1 / 39916800 + s * high))));
}

/** (cos(x) - 1 + x^2 / 2) / x^4 from the square of x: coefficients 1 / 4!, 1 / 6!, ... 1 / 16!. */
export function cosineTail(s: number): number {
	const high = -1 / 87178291200 + s * (1 / 20922789888000);
	return 1 / 24 + s * (-1 / 720 + s * (1 / 40320 + s * (-1 / 3628800 + s * (1 / 479001600 + s * high))));
}

const pair = new Float64Array(2);

export function sine(x: number): number {
	pair[0] = x;
	sineCosine(pair);
	return pair[0]!;
}

export function cosine(x: number): number {
	pair[0] = x;
	sineCosine(pair);
	return pair[1]!;
}
