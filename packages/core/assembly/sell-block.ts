/** One block on its way into SELL-2 (sell-fill.ts), by pairs of numbers. src/kernels/sell-block.ts is the same in plain TypeScript. */

/** Stores the block at `from` times the factor into every second number from `to` on. Returns the sum of what it stored, in whatever order. */
@inline
export function storeBlock(from: i32, factor: f64, to: i32): f64 {
	const at: usize = (<usize>from) << 3;
	const into: usize = (<usize>to) << 3;
	const both = f64x2.splat(factor);
	const w01 = f64x2.mul(both, v128.load(at));
	const w23 = f64x2.mul(both, v128.load(at, 16));
	const w45 = f64x2.mul(both, v128.load(at, 32));
	const w67 = f64x2.mul(both, v128.load(at, 48));
	const w8: f64 = factor * load<f64>(at, 64);
	v128.store_lane<f64>(into, w01, 0);
	v128.store_lane<f64>(into, w01, 1, 16);
	v128.store_lane<f64>(into, w23, 0, 32);
	v128.store_lane<f64>(into, w23, 1, 48);
	v128.store_lane<f64>(into, w45, 0, 64);
	v128.store_lane<f64>(into, w45, 1, 80);
	v128.store_lane<f64>(into, w67, 0, 96);
	v128.store_lane<f64>(into, w67, 1, 112);
	store<f64>(into, w8, 128);
	const sum = f64x2.add(f64x2.add(w01, w23), f64x2.add(w45, w67));
	return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1) + w8;
}

/** The same of its transpose, and no sum: a block of W in the row of its other contact. */
@inline
export function storeTransposed(from: i32, factor: f64, to: i32): void {
	const at: usize = (<usize>from) << 3;
	const into: usize = (<usize>to) << 3;
	const both = f64x2.splat(factor);
	const w01 = f64x2.mul(both, v128.load(at));
	const w23 = f64x2.mul(both, v128.load(at, 16));
	const w45 = f64x2.mul(both, v128.load(at, 32));
	const w67 = f64x2.mul(both, v128.load(at, 48));
	v128.store_lane<f64>(into, w01, 0);
	v128.store_lane<f64>(into, w01, 1, 48);
	v128.store_lane<f64>(into, w23, 0, 96);
	v128.store_lane<f64>(into, w23, 1, 16);
	v128.store_lane<f64>(into, w45, 0, 64);
	v128.store_lane<f64>(into, w45, 1, 112);
	v128.store_lane<f64>(into, w67, 0, 32);
	v128.store_lane<f64>(into, w67, 1, 80);
	store<f64>(into, factor * load<f64>(at, 64), 128);
}
