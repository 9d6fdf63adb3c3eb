/**
 * Combinations of vectors. Lengths are multiples of 4 (vectors are padded with zeros).
 * src/kernels/vectors.ts is the same in plain TypeScript, to the bit.
 */

/** x <- x + sum_j a_j V_j, one j after another for each number; four of them in one pass where there are so many. */
export function addCombination(x: i32, a: i32, v: i32, stride: i32, k: i32, length: i32): void {
	const step: usize = (<usize>stride) << 3;
	for (let from: i32 = 0; from < length; from += 192) {
		const count: i32 = min(192, length - from);
		const first: usize = (<usize>(x + from)) << 3;
		const end: usize = first + ((<usize>count) << 3);
		let column: usize = (<usize>(v + from)) << 3;
		let j: i32 = 0;
		for (; j + 4 <= k; j += 4) {
			addFour(first, end, (<usize>(a + j)) << 3, column, step);
			column += 4 * step;
		}
		for (; j < k; j += 1) {
			const factor = f64x2.splat(load<f64>((<usize>(a + j)) << 3));
			let at: usize = column;
			for (let to: usize = first; to < end; to += 32) {
				v128.store(to, f64x2.add(v128.load(to), f64x2.mul(factor, v128.load(at))));
				v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(factor, v128.load(at, 16))), 16);
				at += 32;
			}
			column += step;
		}
	}
}

/** Four columns, `step` bytes apart. */
function addFour(first: usize, end: usize, factors: usize, column: usize, step: usize): void {
	const f0 = v128.load64_splat(factors);
	const f1 = v128.load64_splat(factors, 8);
	const f2 = v128.load64_splat(factors, 16);
	const f3 = v128.load64_splat(factors, 24);
	let c0: usize = column;
	let c1: usize = c0 + step;
	let c2: usize = c1 + step;
	let c3: usize = c2 + step;
	for (let to: usize = first; to < end; to += 16) {
		let sum = f64x2.add(v128.load(to), f64x2.mul(f0, v128.load(c0)));
		sum = f64x2.add(sum, f64x2.mul(f1, v128.load(c1)));
		sum = f64x2.add(sum, f64x2.mul(f2, v128.load(c2)));
		v128.store(to, f64x2.add(sum, f64x2.mul(f3, v128.load(c3))));
		c0 += 16;
		c1 += 16;
		c2 += 16;
		c3 += 16;
	}
}

/** y <- a x + b y. */
export function axpby(a: f64, x: i32, b: f64, y: i32, length: i32): void {
	const fa = f64x2.splat(a);
	const fb = f64x2.splat(b);
	let at: usize = (<usize>x) << 3;
	let to: usize = (<usize>y) << 3;
	const end: usize = to + ((<usize>length) << 3);
	while (to < end) {
		v128.store(to, f64x2.add(f64x2.mul(fa, v128.load(at)), f64x2.mul(fb, v128.load(to))));
		to += 16;
		at += 16;
	}
}

/** z <- x - y. */
export function subtract(x: i32, y: i32, z: i32, length: i32): void {
	let at: usize = (<usize>x) << 3;
	let minus: usize = (<usize>y) << 3;
	let to: usize = (<usize>z) << 3;
	const end: usize = to + ((<usize>length) << 3);
	while (to < end) {
		v128.store(to, f64x2.sub(v128.load(at), v128.load(minus)));
		at += 16;
		minus += 16;
		to += 16;
	}
}

/**
 * What a step from x to g adds to a window, in one pass: f <- g - x, df <- f - f_last, dg <- g - g_last.
 */
export function differences(g: i32, x: i32, f: i32, lastF: i32, df: i32, lastG: i32, dg: i32, length: i32): void {
	const bytes: usize = (<usize>length) << 3;
	const gAt: usize = (<usize>g) << 3;
	const xAt: usize = (<usize>x) << 3;
	const fAt: usize = (<usize>f) << 3;
	const lastFAt: usize = (<usize>lastF) << 3;
	const dfAt: usize = (<usize>df) << 3;
	const lastGAt: usize = (<usize>lastG) << 3;
	const dgAt: usize = (<usize>dg) << 3;
	for (let at: usize = 0; at < bytes; at += 16) {
		const point = v128.load(gAt + at);
		const step = f64x2.sub(point, v128.load(xAt + at));
		v128.store(fAt + at, step);
		v128.store(dfAt + at, f64x2.sub(step, v128.load(lastFAt + at)));
		v128.store(dgAt + at, f64x2.sub(point, v128.load(lastGAt + at)));
	}
}

/** y <- x. */
export function copy(x: i32, y: i32, length: i32): void {
	memory.copy((<usize>y) << 3, (<usize>x) << 3, (<usize>length) << 3);
}

/** x <- value. */
export function fill(x: i32, value: f64, length: i32): void {
	const factor = f64x2.splat(value);
	let to: usize = (<usize>x) << 3;
	const end: usize = to + ((<usize>length) << 3);
	while (to < end) {
		v128.store(to, factor);
		to += 16;
	}
}

/** Zeros in the `count` numbers at x and, `stride` numbers later each time, of as many vectors as there are. */
export function clearStrided(x: i32, count: i32, stride: i32, vectors: i32): void {
	for (let j: i32 = 0; j < vectors; j += 1) {
		memory.fill((<usize>(x + j * stride)) << 3, 0, (<usize>count) << 3);
	}
}
