/**
 * The assembled product in SELL-2: two block rows interleaved, so that one SIMD lane is one row and a row's bits do not
 * depend on its neighbour. Slot s of a pair holds a block of each row: values[18 s + 2 k + lane], k = 3 i + j, and
 * column[2 s + lane] = 24 b, in bytes. A row adds its blocks in storage order, each block's row product first (a tree, not a chain).
 * In cache the loads are what counts, two a cycle: x comes in as pairs of numbers, and both columns in one load.
 * src/kernels/sell.ts is the same in plain TypeScript, to the bit.
 */

/** Both rows' W x, as six numbers at out: the lanes of the first number, of the second and of the third. */
@inline
function lanes(slot: i32, end: i32, column: i32, values: i32, x: i32, out: i32): void {
	let sum0 = f64x2.splat(0);
	let sum1 = f64x2.splat(0);
	let sum2 = f64x2.splat(0);
	const base: usize = (<usize>x) << 3;
	let at: usize = ((<usize>values) << 3) + (<usize>slot) * 144;
	let index: usize = ((<usize>column) << 2) + ((<usize>slot) << 3);
	const last: usize = ((<usize>column) << 2) + ((<usize>end) << 3);
	while (index < last) {
		const both: u64 = load<u64>(index);
		const a: usize = base + (<usize>both);
		const b: usize = base + (<usize>(both >> 32));
		const a01 = v128.load(a);
		const b01 = v128.load(b);
		const x0 = v128.shuffle<f64>(a01, b01, 0, 2);
		const x1 = v128.shuffle<f64>(a01, b01, 1, 3);
		const x2 = v128.load_lane<f64>(b, v128.load64_zero(a, 16), 1, 16);
		sum0 = f64x2.add(sum0, f64x2.add(f64x2.add(f64x2.mul(v128.load(at), x0), f64x2.mul(v128.load(at, 16), x1)), f64x2.mul(v128.load(at, 32), x2)));
		sum1 = f64x2.add(sum1, f64x2.add(f64x2.add(f64x2.mul(v128.load(at, 48), x0), f64x2.mul(v128.load(at, 64), x1)), f64x2.mul(v128.load(at, 80), x2)));
		sum2 = f64x2.add(sum2, f64x2.add(f64x2.add(f64x2.mul(v128.load(at, 96), x0), f64x2.mul(v128.load(at, 112), x1)), f64x2.mul(v128.load(at, 128), x2)));
		at += 144;
		index += 8;
	}
	const to: usize = (<usize>out) << 3;
	v128.store(to, sum0);
	v128.store(to, sum1, 16);
	v128.store(to, sum2, 32);
}

/** The same by rows: row 0's three, then row 1's. */
@inline
function product(slot: i32, end: i32, column: i32, values: i32, x: i32, out: i32): void {
	lanes(slot, end, column, values, x, out);
	const to: usize = (<usize>out) << 3;
	const sum0 = v128.load(to);
	const sum1 = v128.load(to, 16);
	const sum2 = v128.load(to, 32);
	// (s0a, s1a), (s2a, s0b), (s1b, s2b)
	v128.store(to, v128.shuffle<f64>(sum0, sum1, 0, 2));
	v128.store(to, v128.shuffle<f64>(sum2, sum0, 0, 3), 16);
	v128.store(to, v128.shuffle<f64>(sum1, sum2, 1, 3), 32);
}

/** Both rows' W x by lanes, as a call: inside a sweep's long loop body the product's own loop would lose its registers. */
export function pairSums(slot: i32, end: i32, column: i32, values: i32, x: i32, out: i32): void {
	lanes(slot, end, column, values, x, out);
}

/** By rows, as a call. */
export function pairProduct(slot: i32, end: i32, column: i32, values: i32, x: i32, out: i32): void {
	product(slot, end, column, values, x, out);
}

/** y = W x for the pairs from..to-1; start[p] is the first slot of pair p. */
export function sellApply(from: i32, to: i32, start: i32, column: i32, values: i32, x: i32, y: i32): void {
	let slot: i32 = load<i32>((<usize>(start + from)) << 2);
	for (let pair: i32 = from; pair < to; pair += 1) {
		const end: i32 = load<i32>((<usize>(start + pair + 1)) << 2);
		product(slot, end, column, values, x, y + 6 * pair);
		slot = end;
	}
}
