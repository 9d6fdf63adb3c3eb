/**
 * The exact local solves of two contacts that do not couple, one per SIMD lane: the arithmetic of local.ts, operation by
 * operation, with masks for its branches, so that each lane has the bits of the scalar code. A lane whose Newton fails
 * (rare) is handed to the scalar code. src/kernels/pair.ts does both by the scalar code alone.
 */
import { NEWTON_LIMIT, TURN_SMALL } from "./local";
import { visit } from "./sweep";

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
function shiftOf(alpha: f64, w00: v128, w11: v128, w22: v128): v128 {
	return f64x2.mul(f64x2.splat(alpha / 3), f64x2.add(f64x2.add(w00, w11), w22));
}

/** Newton's turn of the direction, at most 0.5; where g does not rise, 0.4 against its sign. */
@inline
function turnOf(g: v128, slope: v128, rising: v128): v128 {
	const away = v128.bitselect(f64x2.splat(-0.4), f64x2.splat(0.4), f64x2.gt(g, f64x2.splat(0)));
	const turn = v128.bitselect(f64x2.div(f64x2.neg(g), slope), away, rising);
	return f64x2.pmax(f64x2.pmin(turn, f64x2.splat(0.5)), f64x2.splat(-0.5));
}

/** Contacts a and a + 1 with mu > 0, their rows' products at u and u + 3; relax is 1, and u is scratch as in sweep.ts. */
export function visitPair(a: i32, contacts: i32, alpha: f64, q: i32, w: i32, mu: i32, r: i32, u: i32): void {
	const at: usize = ((<usize>r) << 3) + (<usize>a) * 24;
	const block: usize = ((<usize>w) << 3) + (<usize>a) * 72;
	const free: usize = ((<usize>q) << 3) + (<usize>a) * 24;
	const row: usize = (<usize>u) << 3;
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
	const one = f64x2.splat(1);

	// b = u + q - W_aa R_a
	const b0 = f64x2.sub(f64x2.add(both(row, 24), both(free, 24)), f64x2.add(f64x2.add(f64x2.mul(own00, r0), f64x2.mul(w01, r1)), f64x2.mul(w02, r2)));
	const b1 = f64x2.sub(f64x2.add(both(row + 8, 24), both(free + 8, 24)), f64x2.add(f64x2.add(f64x2.mul(w10, r0), f64x2.mul(own11, r1)), f64x2.mul(w12, r2)));
	const b2 = f64x2.sub(f64x2.add(both(row + 16, 24), both(free + 16, 24)), f64x2.add(f64x2.add(f64x2.mul(w20, r0), f64x2.mul(w21, r1)), f64x2.mul(own22, r2)));
	const open = f64x2.ge(b0, zero);
	const shift = shiftOf(alpha, own00, own11, own22);
	const w00 = f64x2.add(own00, shift);
	const w11 = f64x2.add(own11, shift);
	const w22 = f64x2.add(own22, shift);

	// Stick: -W_aa^-1 b by Cramer's rule, as solveBlock.
	const n0 = f64x2.neg(b0);
	const n1 = f64x2.neg(b1);
	const n2 = f64x2.neg(b2);
	const c00 = f64x2.sub(f64x2.mul(w11, w22), f64x2.mul(w12, w21));
	const c01 = f64x2.sub(f64x2.mul(w12, w20), f64x2.mul(w10, w22));
	const c02 = f64x2.sub(f64x2.mul(w10, w21), f64x2.mul(w11, w20));
	const inverse = f64x2.div(one, f64x2.add(f64x2.add(f64x2.mul(w00, c00), f64x2.mul(w01, c01)), f64x2.mul(w02, c02)));
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
	let y0 = v128.andnot(s0, open);
	let y1 = v128.andnot(s1, open);
	let y2 = v128.andnot(s2, open);

	if (i64x2.bitmask(settled) != 3) {
		// Slide: Newton on the direction d, from the last R_T or else from the sticking one.
		const last = f64x2.add(f64x2.mul(r1, r1), f64x2.mul(r2, r2));
		const moved = f64x2.gt(last, zero);
		const scale = f64x2.div(one, f64x2.sqrt(v128.bitselect(last, stick, moved)));
		let d1 = f64x2.mul(v128.bitselect(r1, s1, moved), scale);
		let d2 = f64x2.mul(v128.bitselect(r2, s2, moved), scale);
		let active = v128.not(settled);
		for (let step: i32 = 0; step < NEWTON_LIMIT; step += 1) {
			const m = f64x2.add(w00, f64x2.mul(friction, f64x2.add(f64x2.mul(w01, d1), f64x2.mul(w02, d2))));
			const v1 = f64x2.add(f64x2.mul(w11, d1), f64x2.mul(w12, d2));
			const v2 = f64x2.add(f64x2.mul(w21, d1), f64x2.mul(w22, d2));
			const cross = f64x2.sub(f64x2.mul(d1, b2), f64x2.mul(d2, b1));
			const g = f64x2.sub(f64x2.mul(m, cross), f64x2.mul(b0, f64x2.add(f64x2.sub(f64x2.mul(d1, w20), f64x2.mul(d2, w10)), f64x2.mul(friction, f64x2.sub(f64x2.mul(d1, v2), f64x2.mul(d2, v1))))));
			const mSlope = f64x2.mul(friction, f64x2.sub(f64x2.mul(w02, d1), f64x2.mul(w01, d2)));
			const dot = f64x2.add(f64x2.mul(d1, b1), f64x2.mul(d2, b2));
			const t1 = f64x2.sub(f64x2.mul(w12, d1), f64x2.mul(w11, d2));
			const t2 = f64x2.sub(f64x2.mul(w22, d1), f64x2.mul(w21, d2));
			const bend = f64x2.sub(f64x2.sub(f64x2.mul(d1, t2), f64x2.mul(d2, t1)), f64x2.add(f64x2.mul(d2, v2), f64x2.mul(d1, v1)));
			const turned = f64x2.add(f64x2.sub(f64x2.mul(f64x2.neg(d2), w20), f64x2.mul(d1, w10)), f64x2.mul(friction, bend));
			const slope = f64x2.sub(f64x2.sub(f64x2.mul(mSlope, cross), f64x2.mul(m, dot)), f64x2.mul(b0, turned));
			const rising = f64x2.gt(slope, zero);
			const turn = turnOf(g, slope, rising);
			const half = f64x2.mul(f64x2.splat(0.5), turn);
			const square = f64x2.mul(half, half);
			const share = f64x2.div(one, f64x2.add(one, square));
			const cosine = f64x2.mul(f64x2.sub(one, square), share);
			const sine = f64x2.mul(turn, share);
			const e1 = f64x2.sub(f64x2.mul(cosine, d1), f64x2.mul(sine, d2));
			const e2 = f64x2.add(f64x2.mul(sine, d1), f64x2.mul(cosine, d2));
			d1 = v128.bitselect(e1, d1, active);
			d2 = v128.bitselect(e2, d2, active);
			const done = v128.and(rising, f64x2.lt(f64x2.abs(turn), f64x2.splat(TURN_SMALL)));
			active = v128.andnot(active, done);
			if (i64x2.bitmask(active) == 0) break;
		}
		const m = f64x2.add(w00, f64x2.mul(friction, f64x2.add(f64x2.mul(w01, d1), f64x2.mul(w02, d2))));
		const normal = f64x2.div(n0, m);
		const tangent = f64x2.mul(friction, normal);
		const u1 = f64x2.add(f64x2.add(b1, f64x2.mul(w10, normal)), f64x2.mul(tangent, f64x2.add(f64x2.mul(w11, d1), f64x2.mul(w12, d2))));
		const u2 = f64x2.add(f64x2.add(b2, f64x2.mul(w20, normal)), f64x2.mul(tangent, f64x2.add(f64x2.mul(w21, d1), f64x2.mul(w22, d2))));
		const along = f64x2.add(f64x2.mul(u1, d1), f64x2.mul(u2, d2));
		const good = v128.andnot(v128.and(f64x2.gt(m, zero), f64x2.le(along, zero)), active);
		y0 = v128.bitselect(y0, normal, settled);
		y1 = v128.bitselect(y1, f64x2.mul(tangent, d1), settled);
		y2 = v128.bitselect(y2, f64x2.mul(tangent, d2), settled);
		const fine: i32 = i64x2.bitmask(v128.or(settled, good));
		if (fine != 3) {
			// Both by the scalar code, which tries harder: the lane that was fine gets the same bits again.
			visit(a, contacts, 1, alpha, q, w, mu, r, u, u + 6);
			visit(a + 1, contacts, 1, alpha, q, w, mu, r, u + 3, u + 6);
			return;
		}
	}
	storeBoth(at, y0, y1, y2);
}
