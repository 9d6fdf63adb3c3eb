/** What factors do with single 6x6 blocks, besides the products of six.ts. */
import { get, set } from "./memory";
import { subtractProduct } from "./six";

/** to <- a b, none of which overlap. */
export function product(a: i32, b: i32, to: i32): void {
	for (let i: i32 = 0; i < 36; i += 1) set(to + i, 0);
	subtractProduct(a, b, to);
	for (let i: i32 = 0; i < 36; i += 1) set(to + i, -get(to + i));
}

/** Exchanges two rows of a block. */
function exchange(a: i32, i: i32, j: i32): void {
	for (let k: i32 = 0; k < 36; k += 6) {
		const x: f64 = get(a + k + i);
		set(a + k + i, get(a + k + j));
		set(a + k + j, x);
	}
}

/** inverse <- a^-1 by Gauss and Jordan with row pivots; a is overwritten. Returns 0 where a pivot is zero or no number. */
export function invert(a: i32, inverse: i32): i32 {
	for (let k: i32 = 0; k < 36; k += 1) set(inverse + k, k % 7 == 0 ? 1 : 0);
	for (let k: i32 = 0; k < 6; k += 1) {
		let best: i32 = k;
		for (let i: i32 = k + 1; i < 6; i += 1) {
			if (Math.abs(get(a + 6 * k + i)) > Math.abs(get(a + 6 * k + best))) best = i;
		}
		const pivot: f64 = get(a + 6 * k + best);
		if (!(Math.abs(pivot) > 0)) return 0;
		if (best != k) {
			exchange(a, k, best);
			exchange(inverse, k, best);
		}
		const factor: f64 = 1 / pivot;
		for (let j: i32 = 0; j < 36; j += 6) {
			set(a + j + k, factor * get(a + j + k));
			set(inverse + j + k, factor * get(inverse + j + k));
		}
		for (let i: i32 = 0; i < 6; i += 1) {
			if (i == k) continue;
			const share: f64 = get(a + 6 * k + i);
			if (share == 0) continue;
			for (let j: i32 = 0; j < 36; j += 6) {
				set(a + j + i, get(a + j + i) - share * get(a + j + k));
				set(inverse + j + i, get(inverse + j + i) - share * get(inverse + j + k));
			}
		}
	}
	return 1;
}

/** Zeros. */
export function clear(block: i32): void {
	for (let i: i32 = 0; i < 36; i += 1) set(block + i, 0);
}

export function copyBlock(from: i32, to: i32): void {
	for (let i: i32 = 0; i < 36; i += 1) set(to + i, get(from + i));
}
