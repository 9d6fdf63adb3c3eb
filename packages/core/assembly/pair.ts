/**
 * The exact local solves of two contacts that do not couple, one per SIMD lane: the arithmetic of local.ts, operation by
 * operation, with masks for its branches, so that each lane has the bits of the scalar code. Here are the two cases that take no search,
 * take-off and stick; contacts that slide are recorded, and slide.ts goes on with two of them at a time.
 */
import { slideEquation, slideReactions, slideSearch } from "./slide";

/** Bytes of a record: b and the direction to start from, of both lanes. */
export const RECORD: usize = 80;

@inline
function both(at: usize, step: usize): v128 {
	return v128.load_lane<f64>(at + step, v128.load64_zero(at), 1);
}

@inline
function storeBoth(at: usize, y0: v128, y1: v128, y2: v128): void {
	v128.store(at, v128.shuffle<f64>(y0, y1, 0, 2));
	v128.store(at, v128.shuffle<f64>(y2, y0, 0, 3), 16);
	v128.store(at, v128.shuffle<f64>(y1, y2, 1, 3), 32);
}

/** alpha w_a of a proximal step (proximal.ts), from the diagonals. */
@inline
export function shiftOf(alpha: f64, w00: v128, w11: v128, w22: v128): v128 {
	return f64x2.mul(f64x2.splat(alpha / 3), f64x2.add(f64x2.add(w00, w11), w22));
}

/**
 * Contacts a and a + 1 with mu > 0, whose rows' products are in the lanes of u0, u1, u2: those that take off or stick are solved. The others
 * keep R and are recorded; their lanes are the bits of what is returned.
 */
export function settleBoth(a: i32, u0: v128, u1: v128, u2: v128, alpha: f64, q: i32, w: i32, mu: i32, r: i32, record: usize): i32 {
	const at: usize = ((<usize>r) << 3) + (<usize>a) * 24;
	const block: usize = ((<usize>w) << 3) + (<usize>a) * 72;
	const free: usize = ((<usize>q) << 3) + (<usize>a) * 24;
	const r0 = both(at, 24);
	const r1 = both(at + 8, 24);
	const r2 = both(at + 16, 24);
	const own00 = both(block, 72);
	const w01 = both(block + 8, 72);
	const w02 = both(block + 16, 72);
	const w10 = both(block + 24, 72);
	const own11 = both(block + 32, 72);
	const w12 = both(block + 40, 72);
	const w20 = both(block + 48, 72);
	const w21 = both(block + 56, 72);
	const own22 = both(block + 64, 72);
	const friction = v128.load(((<usize>mu) << 3) + ((<usize>a) << 3));
	const zero = f64x2.splat(0);

	// b = u + q - W_aa R_a
	const b0 = f64x2.sub(f64x2.add(u0, both(free, 24)), f64x2.add(f64x2.add(f64x2.mul(own00, r0), f64x2.mul(w01, r1)), f64x2.mul(w02, r2)));
	const b1 = f64x2.sub(f64x2.add(u1, both(free + 8, 24)), f64x2.add(f64x2.add(f64x2.mul(w10, r0), f64x2.mul(own11, r1)), f64x2.mul(w12, r2)));
	const b2 = f64x2.sub(f64x2.add(u2, both(free + 16, 24)), f64x2.add(f64x2.add(f64x2.mul(w20, r0), f64x2.mul(w21, r1)), f64x2.mul(own22, r2)));
	const open = f64x2.ge(b0, zero);
	let w00 = own00;
	let w11 = own11;
	let w22 = own22;
	if (alpha != 0) {
		const shift = shiftOf(alpha, own00, own11, own22);
		w00 = f64x2.add(own00, shift);
		w11 = f64x2.add(own11, shift);
		w22 = f64x2.add(own22, shift);
	}

	// Stick: -W_aa^-1 b by Cramer's rule, as solveBlock.
	const n0 = f64x2.neg(b0);
	const n1 = f64x2.neg(b1);
	const n2 = f64x2.neg(b2);
	const c00 = f64x2.sub(f64x2.mul(w11, w22), f64x2.mul(w12, w21));
	const c01 = f64x2.sub(f64x2.mul(w12, w20), f64x2.mul(w10, w22));
	const c02 = f64x2.sub(f64x2.mul(w10, w21), f64x2.mul(w11, w20));
	const inverse = f64x2.div(f64x2.splat(1), f64x2.add(f64x2.add(f64x2.mul(w00, c00), f64x2.mul(w01, c01)), f64x2.mul(w02, c02)));
	const k01 = f64x2.sub(f64x2.mul(w02, w21), f64x2.mul(w01, w22));
	const k02 = f64x2.sub(f64x2.mul(w01, w12), f64x2.mul(w02, w11));
	const k11 = f64x2.sub(f64x2.mul(w00, w22), f64x2.mul(w02, w20));
	const k12 = f64x2.sub(f64x2.mul(w02, w10), f64x2.mul(w00, w12));
	const k21 = f64x2.sub(f64x2.mul(w01, w20), f64x2.mul(w00, w21));
	const k22 = f64x2.sub(f64x2.mul(w00, w11), f64x2.mul(w01, w10));
	const s0 = f64x2.mul(inverse, f64x2.add(f64x2.add(f64x2.mul(c00, n0), f64x2.mul(k01, n1)), f64x2.mul(k02, n2)));
	const s1 = f64x2.mul(inverse, f64x2.add(f64x2.add(f64x2.mul(c01, n0), f64x2.mul(k11, n1)), f64x2.mul(k12, n2)));
	const s2 = f64x2.mul(inverse, f64x2.add(f64x2.add(f64x2.mul(c02, n0), f64x2.mul(k21, n1)), f64x2.mul(k22, n2)));
	const stick = f64x2.add(f64x2.mul(s1, s1), f64x2.mul(s2, s2));
	const limit = f64x2.mul(friction, s0);
	const sticks = v128.and(f64x2.ge(limit, zero), f64x2.le(stick, f64x2.mul(limit, limit)));
	const settled = v128.or(open, sticks);
	const lanes: i32 = i64x2.bitmask(settled);
	const y0 = v128.andnot(s0, open);
	const y1 = v128.andnot(s1, open);
	const y2 = v128.andnot(s2, open);
	if (lanes == 3) storeBoth(at, y0, y1, y2);
	if (lanes == 3) return 0;
	if (lanes != 0) storeBoth(at, v128.bitselect(y0, r0, settled), v128.bitselect(y1, r1, settled), v128.bitselect(y2, r2, settled));
	// The search begins at the last direction of R_T, or else at that of the sticking reaction.
	const moved = f64x2.gt(f64x2.add(f64x2.mul(r1, r1), f64x2.mul(r2, r2)), zero);
	v128.store(record, b0);
	v128.store(record, b1, 16);
	v128.store(record, b2, 32);
	v128.store(record, v128.bitselect(r1, s1, moved), 48);
	v128.store(record, v128.bitselect(r2, s2, moved), 64);
	return lanes ^ 3;
}

/** Contacts a and a + 1 with mu > 0, their rows' products at u and u + 3; relax is 1, and u is scratch as in sweep.ts. */
export function visitPair(a: i32, alpha: f64, q: i32, w: i32, mu: i32, r: i32, u: i32): void {
	const row: usize = (<usize>u) << 3;
	const record: usize = row + 15 * 8;
	const slides: i32 = settleBoth(a, both(row, 24), both(row + 8, 24), both(row + 16, 24), alpha, q, w, mu, r, record);
	if (slides == 0) return;
	const first: i32 = (slides & 1) != 0 ? a : a + 1;
	const second: i32 = (slides & 2) != 0 ? a + 1 : a;
	const own: usize = record + ((<usize>(first & 1)) << 3);
	const other: usize = record + ((<usize>(second & 1)) << 3);
	const search: usize = record + RECORD;
	slideEquation(first, second, own, other, alpha, w, mu, search);
	slideSearch(search, search);
	slideReactions(first, second, own, other, alpha, w, mu, r, u + 6, search);
}
