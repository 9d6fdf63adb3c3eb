/**
 * The share of a proximal step in a sweep: of R near the anchor A is wanted
 *
 *     U + alpha w_a (R_a - A_a)  instead of U,    w_a = trace(W_aa) / 3
 *
 * so that W_aa becomes W_aa + alpha w_a I in the local solves, and q_a becomes q_a - alpha w_a A_a. The block is made anew in each visit
 * (three additions, where a copy would be 72 bytes to load), q once per anchor.
 */
import { get, set } from "./memory";

/** alpha w_a */
function shiftOf(alpha: f64, wa: i32): f64 {
	return (alpha / 3) * (get(wa) + get(wa + 4) + get(wa + 8));
}

/** W_aa + alpha w_a I, written at `block`, which is returned. */
export function stiffenedBlock(alpha: f64, wa: i32, block: i32): i32 {
	const shift: f64 = shiftOf(alpha, wa);
	for (let k: i32 = 0; k < 9; k += 1) set(block + k, k % 4 == 0 ? get(wa + k) + shift : get(wa + k));
	return block;
}

/** into <- q - alpha w A for the blocks from..to-1. */
export function anchorFree(from: i32, to: i32, alpha: f64, w: i32, q: i32, anchor: i32, into: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const shift: f64 = shiftOf(alpha, w + 9 * a);
		for (let i: i32 = 3 * a; i < 3 * a + 3; i += 1) set(into + i, get(q + i) - shift * get(anchor + i));
	}
}
