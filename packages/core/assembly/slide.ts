/**
 * The search for the sliding direction of two contacts that do not couple, one per SIMD lane: the first round of `slide` in local.ts, operation
 * by operation. A lane that is not done by then (rare) is handed to the scalar code, which begins again and goes on.
 */
import { CURVATURE_SHARE_MAX, solveLocal, STEP_NOT_RISING, STEP_MAX, STEP_SMALL, STEPS } from "./local";
import { get } from "./memory";
import { shiftOf } from "./pair";
import { stiffenedBlock } from "./proximal";

@inline
function pick(at: usize, other: usize): v128 {
	return v128.load_lane<f64>(other, v128.load64_zero(at), 1);
}

/** At most `limit` in size; what is no number stays so. */
@inline
function limited(x: v128, limit: f64): v128 {
	return f64x2.pmax(f64x2.pmin(x, f64x2.splat(limit)), f64x2.splat(-limit));
}

/** The scalar solve of one contact, from its record. */
function solveAlone(a: i32, record: usize, alpha: f64, w: i32, mu: i32, r: i32, block: i32): void {
	const wa: i32 = w + 9 * a;
	const solved: i32 = alpha == 0 ? wa : stiffenedBlock(alpha, wa, block);
	solveLocal(solved, get(mu + a), load<f64>(record), load<f64>(record, 16), load<f64>(record, 32), r + 3 * a);
}

/** Contacts a and b (or twice the same), which slide, by their lanes of records; `block` is scratch for nine numbers. */
export function slideBoth(a: i32, b: i32, record: usize, other: usize, alpha: f64, w: i32, mu: i32, r: i32, block: i32): void {
	const at: usize = ((<usize>w) << 3) + (<usize>a) * 72;
	const bt: usize = ((<usize>w) << 3) + (<usize>b) * 72;
	const own00 = pick(at, bt);
	const w01 = pick(at + 8, bt + 8);
	const w02 = pick(at + 16, bt + 16);
	const w10 = pick(at + 24, bt + 24);
	const own11 = pick(at + 32, bt + 32);
	const w12 = pick(at + 40, bt + 40);
	const w20 = pick(at + 48, bt + 48);
	const w21 = pick(at + 56, bt + 56);
	const own22 = pick(at + 64, bt + 64);
	let w00 = own00;
	let w11 = own11;
	let w22 = own22;
	if (alpha != 0) {
		const shift = shiftOf(alpha, own00, own11, own22);
		w00 = f64x2.add(own00, shift);
		w11 = f64x2.add(own11, shift);
		w22 = f64x2.add(own22, shift);
	}
	const friction = pick(((<usize>mu) << 3) + ((<usize>a) << 3), ((<usize>mu) << 3) + ((<usize>b) << 3));
	const b0 = pick(record, other);
	const b1 = pick(record + 16, other + 16);
	const b2 = pick(record + 32, other + 32);
	let d1 = pick(record + 48, other + 48);
	let d2 = pick(record + 64, other + 64);
	const zero = f64x2.splat(0);
	const one = f64x2.splat(1);
	const scale = f64x2.div(one, f64x2.sqrt(f64x2.add(f64x2.mul(d1, d1), f64x2.mul(d2, d2))));
	d1 = f64x2.mul(d1, scale);
	d2 = f64x2.mul(d2, scale);
	const nAlong = f64x2.add(f64x2.mul(w01, d1), f64x2.mul(w02, d2));
	const nAcross = f64x2.sub(f64x2.mul(w02, d1), f64x2.mul(w01, d2));
	const tAlong = f64x2.add(f64x2.mul(d1, w10), f64x2.mul(d2, w20));
	const tAcross = f64x2.sub(f64x2.mul(d1, w20), f64x2.mul(d2, w10));
	const v1 = f64x2.add(f64x2.mul(w11, d1), f64x2.mul(w12, d2));
	const v2 = f64x2.add(f64x2.mul(w21, d1), f64x2.mul(w22, d2));
	const along = f64x2.add(f64x2.mul(d1, v1), f64x2.mul(d2, v2));
	const turned = f64x2.sub(f64x2.mul(d1, v2), f64x2.mul(d2, v1));
	const across = f64x2.sub(f64x2.add(w11, w22), along);
	const back = f64x2.add(turned, f64x2.sub(w12, w21));
	const bAlong = f64x2.add(f64x2.mul(d1, b1), f64x2.mul(d2, b2));
	const bAcross = f64x2.sub(f64x2.mul(d1, b2), f64x2.mul(d2, b1));
	const square = f64x2.mul(friction, f64x2.sub(f64x2.mul(nAlong, bAcross), f64x2.mul(b0, turned)));
	const mixed = f64x2.mul(friction, f64x2.sub(f64x2.sub(f64x2.mul(nAcross, bAcross), f64x2.mul(nAlong, bAlong)), f64x2.mul(b0, f64x2.sub(across, along))));
	const tilt = f64x2.mul(friction, f64x2.sub(f64x2.mul(nAcross, bAlong), f64x2.mul(b0, back)));
	const cosine = f64x2.sub(f64x2.mul(w00, bAcross), f64x2.mul(b0, tAcross));
	const sine = f64x2.sub(f64x2.mul(w00, bAlong), f64x2.mul(b0, tAlong));
	const q0 = f64x2.add(square, cosine);
	const half = f64x2.sub(mixed, sine);
	const q1 = f64x2.add(half, half);
	const second = f64x2.neg(f64x2.add(f64x2.add(tilt, tilt), square));
	const q2 = f64x2.add(second, second);
	const third = f64x2.neg(f64x2.add(mixed, sine));
	const q3 = f64x2.add(third, third);
	const q4 = f64x2.sub(square, cosine);

	let p = zero;
	let value = q0;
	let slope = q1;
	let bend = q2;
	let active = f64x2.eq(zero, zero);
	for (let step: i32 = 0; step < STEPS; step += 1) {
		const rising = f64x2.gt(slope, zero);
		const inverse = f64x2.div(one, slope);
		const ratio = f64x2.mul(value, inverse);
		const curve = limited(f64x2.mul(f64x2.mul(bend, inverse), ratio), CURVATURE_SHARE_MAX);
		const chebyshev = f64x2.neg(f64x2.add(ratio, f64x2.mul(ratio, curve)));
		const away = v128.bitselect(f64x2.splat(-STEP_NOT_RISING), f64x2.splat(STEP_NOT_RISING), f64x2.gt(value, zero));
		const move = limited(v128.bitselect(chebyshev, away, rising), STEP_MAX);
		p = v128.bitselect(f64x2.add(p, move), p, active);
		const done = v128.and(rising, f64x2.lt(f64x2.abs(move), f64x2.splat(STEP_SMALL)));
		active = v128.andnot(active, done);
		if (i64x2.bitmask(active) == 0) break;
		const sixth = f64x2.mul(f64x2.splat(3), q3);
		value = f64x2.add(q0, f64x2.mul(p, f64x2.add(q1, f64x2.mul(p, f64x2.add(q2, f64x2.mul(p, f64x2.add(q3, f64x2.mul(p, q4))))))));
		slope = f64x2.add(q1, f64x2.mul(p, f64x2.add(f64x2.mul(f64x2.splat(4), second), f64x2.mul(p, f64x2.add(sixth, f64x2.mul(p, f64x2.mul(f64x2.splat(4), q4)))))));
		bend = f64x2.add(q2, f64x2.mul(p, f64x2.add(sixth, f64x2.mul(p, f64x2.mul(f64x2.splat(6), q4)))));
	}
	const pp = f64x2.mul(p, p);
	const h = f64x2.add(one, pp);
	const c = f64x2.sub(one, pp);
	const s = f64x2.add(p, p);
	const m = f64x2.add(f64x2.mul(w00, h), f64x2.mul(friction, f64x2.add(f64x2.mul(c, nAlong), f64x2.mul(s, nAcross))));
	const share = f64x2.div(f64x2.neg(b0), m);
	const curl = f64x2.add(f64x2.mul(c, along), f64x2.mul(s, f64x2.add(turned, back)));
	const tangents = f64x2.mul(friction, f64x2.add(f64x2.mul(c, curl), f64x2.mul(f64x2.mul(s, s), across)));
	const pull = f64x2.add(f64x2.mul(h, f64x2.add(f64x2.mul(c, tAlong), f64x2.mul(s, tAcross))), tangents);
	const slip = f64x2.add(f64x2.add(f64x2.mul(c, bAlong), f64x2.mul(s, bAcross)), f64x2.mul(share, pull));
	const good: i32 = i64x2.bitmask(v128.andnot(v128.and(f64x2.gt(m, zero), f64x2.le(slip, zero)), active));
	const normal = f64x2.mul(share, h);
	const tangent = f64x2.mul(friction, share);
	const y1 = f64x2.mul(tangent, f64x2.sub(f64x2.mul(c, d1), f64x2.mul(s, d2)));
	const y2 = f64x2.mul(tangent, f64x2.add(f64x2.mul(s, d1), f64x2.mul(c, d2)));
	const to: usize = ((<usize>r) << 3) + (<usize>a) * 24;
	const into: usize = ((<usize>r) << 3) + (<usize>b) * 24;
	if ((good & 1) != 0) {
		v128.store(to, v128.shuffle<f64>(normal, y1, 0, 2));
		v128.store_lane<f64>(to, y2, 0, 16);
	} else solveAlone(a, record, alpha, w, mu, r, block);
	if (a == b) return;
	if ((good & 2) != 0) {
		v128.store(into, v128.shuffle<f64>(normal, y1, 1, 3));
		v128.store_lane<f64>(into, y2, 1, 16);
	} else solveAlone(b, other, alpha, w, mu, r, block);
}
