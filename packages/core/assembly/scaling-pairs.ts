/** scaleBlocks of scaling.ts for two blocks at once, one per SIMD lane: the same bits. */
import { pick } from "./cone-pairs";

@inline
function larger(most: v128, x: v128): v128 {
	return f64x2.pmax(most, f64x2.abs(x));
}

/** The square of an entry's share of the largest. */
@inline
function share(x: v128, most: v128): v128 {
	const part = f64x2.div(x, most);
	return f64x2.mul(part, part);
}

@inline
function multiply(at: usize, factor: v128): void {
	v128.store(at, f64x2.mul(factor, v128.load(at)));
}

/** Does as many whole pairs of blocks as there are, and returns how many blocks that were. */
export function scalePairs(blocks: i32, w: i32, s: i32): i32 {
	let a: i32 = 0;
	for (; a + 1 < blocks; a += 2) {
		const at: usize = ((<usize>w) << 3) + (<usize>a) * 72;
		const w00 = pick(at, 72);
		const w01 = pick(at + 8, 72);
		const w02 = pick(at + 16, 72);
		const w10 = pick(at + 24, 72);
		const w11 = pick(at + 32, 72);
		const w12 = pick(at + 40, 72);
		const w20 = pick(at + 48, 72);
		const w21 = pick(at + 56, 72);
		const w22 = pick(at + 64, 72);
		const first = larger(larger(larger(f64x2.abs(w00), w01), w02), w10);
		const most = larger(larger(larger(larger(larger(first, w11), w12), w20), w21), w22);
		const upper = f64x2.add(f64x2.add(f64x2.add(share(w00, most), share(w01, most)), share(w02, most)), share(w10, most));
		const middle = f64x2.add(f64x2.add(f64x2.add(upper, share(w11, most)), share(w12, most)), share(w20, most));
		const squares = f64x2.add(f64x2.add(middle, share(w21, most)), share(w22, most));
		const root = f64x2.sqrt(f64x2.mul(most, f64x2.sqrt(f64x2.div(squares, f64x2.splat(3)))));
		const isThere = f64x2.gt(most, f64x2.splat(0));
		const scale = v128.bitselect(f64x2.div(f64x2.splat(1), root), f64x2.splat(1), isThere);
		v128.store(((<usize>s) << 3) + ((<usize>a) << 3), scale);
		const square = f64x2.mul(scale, scale);
		const own = v128.shuffle<f64>(square, square, 0, 0);
		const other = v128.shuffle<f64>(square, square, 1, 1);
		multiply(at, own);
		multiply(at + 16, own);
		multiply(at + 32, own);
		multiply(at + 48, own);
		multiply(at + 64, square);
		multiply(at + 80, other);
		multiply(at + 96, other);
		multiply(at + 112, other);
		multiply(at + 128, other);
	}
	return a;
}
