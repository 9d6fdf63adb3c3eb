/**
 * The search for the sliding directions of contacts that do not couple, one per SIMD lane: the first round of `slide` in local.ts, operation
 * by operation, in three parts. The equation is formed; its root is searched for, of two pairs of contacts at once where there are two, since
 * each step waits for a division; and the reactions are written. A lane that has no root by then (rare) is handed to the scalar code, which begins again and goes on.
 */
import { CURVATURE_SHARE_MAX, solveLocal, STEP_NOT_RISING, STEP_MAX, STEP_SMALL, STEPS } from "./local";
import { get } from "./memory";
import { shiftOf } from "./pair";
import { stiffenedBlock } from "./proximal";

/** Numbers of a search, what is in it by places in bytes: the quartic with its root and the lanes without one; and what a reaction is made of. */
export const SEARCH: i32 = 42;
const Q0: usize = 0;
const Q1: usize = 16;
const HALF_Q2: usize = 32;
const Q3: usize = 48;
const Q4: usize = 64;
const ROOT: usize = 80;
const MISSING: usize = 96;
const B0: usize = 112;
const W00: usize = 128;
const FRICTION: usize = 144;
const N_ALONG: usize = 160;
const N_ACROSS: usize = 176;
const T_ALONG: usize = 192;
const T_ACROSS: usize = 208;
const ALONG: usize = 224;
const SKEWED: usize = 240;
const ACROSS: usize = 256;
const B_ALONG: usize = 272;
const B_ACROSS: usize = 288;
const D1: usize = 304;
const D2: usize = 320;

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

/**
 * The equation of contacts a and b (or twice the same), which slide, by their lanes of records, in the frame of the directions to start from; and
 * what their reactions are made of.
 */
export function slideEquation(a: i32, b: i32, record: usize, other: usize, alpha: f64, w: i32, mu: i32, search: usize): void {
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
	const half = f64x2.sub(mixed, sine);
	const third = f64x2.neg(f64x2.add(mixed, sine));
	v128.store(search, f64x2.add(square, cosine), Q0);
	v128.store(search, f64x2.add(half, half), Q1);
	v128.store(search, f64x2.neg(f64x2.add(f64x2.add(tilt, tilt), square)), HALF_Q2);
	v128.store(search, f64x2.add(third, third), Q3);
	v128.store(search, f64x2.sub(square, cosine), Q4);
	v128.store(search, b0, B0);
	v128.store(search, w00, W00);
	v128.store(search, friction, FRICTION);
	v128.store(search, nAlong, N_ALONG);
	v128.store(search, nAcross, N_ACROSS);
	v128.store(search, tAlong, T_ALONG);
	v128.store(search, tAcross, T_ACROSS);
	v128.store(search, along, ALONG);
	v128.store(search, f64x2.add(turned, back), SKEWED);
	v128.store(search, across, ACROSS);
	v128.store(search, bAlong, B_ALONG);
	v128.store(search, bAcross, B_ACROSS);
	v128.store(search, d1, D1);
	v128.store(search, d2, D2);
}

/** A step towards the root, by the value, the slope and half the second derivative where it stands. */
@inline
function stepOf(value: v128, slope: v128, bend: v128): v128 {
	const inverse = f64x2.div(f64x2.splat(1), slope);
	const ratio = f64x2.mul(value, inverse);
	const curve = limited(f64x2.mul(f64x2.mul(bend, inverse), ratio), CURVATURE_SHARE_MAX);
	const chebyshev = f64x2.neg(f64x2.add(ratio, f64x2.mul(ratio, curve)));
	const zero = f64x2.splat(0);
	const away = v128.bitselect(f64x2.splat(-STEP_NOT_RISING), f64x2.splat(STEP_NOT_RISING), f64x2.gt(value, zero));
	return limited(v128.bitselect(chebyshev, away, f64x2.gt(slope, zero)), STEP_MAX);
}

/** The lanes whose search ends with this step. */
@inline
function isLast(slope: v128, move: v128): v128 {
	return v128.and(f64x2.gt(slope, f64x2.splat(0)), f64x2.lt(f64x2.abs(move), f64x2.splat(STEP_SMALL)));
}

@inline
function valueAt(p: v128, q0: v128, q1: v128, q2: v128, q3: v128, q4: v128): v128 {
	return f64x2.add(q0, f64x2.mul(p, f64x2.add(q1, f64x2.mul(p, f64x2.add(q2, f64x2.mul(p, f64x2.add(q3, f64x2.mul(p, q4))))))));
}

@inline
function slopeAt(p: v128, q1: v128, half: v128, q3: v128, q4: v128): v128 {
	const twice = f64x2.mul(f64x2.splat(4), half);
	const cubic = f64x2.mul(f64x2.splat(3), q3);
	return f64x2.add(q1, f64x2.mul(p, f64x2.add(twice, f64x2.mul(p, f64x2.add(cubic, f64x2.mul(p, f64x2.mul(f64x2.splat(4), q4)))))));
}

@inline
function bendAt(p: v128, q2: v128, q3: v128, q4: v128): v128 {
	const cubic = f64x2.mul(f64x2.splat(3), q3);
	return f64x2.add(q2, f64x2.mul(p, f64x2.add(cubic, f64x2.mul(p, f64x2.mul(f64x2.splat(6), q4)))));
}

/** The roots of two equations, a step of both at a time; `other` may be the same. */
export function slideSearch(search: usize, other: usize): void {
	const q0 = v128.load(search, Q0);
	const q1 = v128.load(search, Q1);
	const half = v128.load(search, HALF_Q2);
	const q2 = f64x2.add(half, half);
	const q3 = v128.load(search, Q3);
	const q4 = v128.load(search, Q4);
	const o0 = v128.load(other, Q0);
	const o1 = v128.load(other, Q1);
	const otherHalf = v128.load(other, HALF_Q2);
	const o2 = f64x2.add(otherHalf, otherHalf);
	const o3 = v128.load(other, Q3);
	const o4 = v128.load(other, Q4);
	let p = f64x2.splat(0);
	let value = q0;
	let slope = q1;
	let bend = q2;
	let missing = f64x2.eq(p, p);
	let o = p;
	let otherValue = o0;
	let otherSlope = o1;
	let otherBend = o2;
	let otherMissing = missing;
	for (let step: i32 = 0; step < STEPS; step += 1) {
		const move = stepOf(value, slope, bend);
		const otherMove = stepOf(otherValue, otherSlope, otherBend);
		p = v128.bitselect(f64x2.add(p, move), p, missing);
		o = v128.bitselect(f64x2.add(o, otherMove), o, otherMissing);
		missing = v128.andnot(missing, isLast(slope, move));
		otherMissing = v128.andnot(otherMissing, isLast(otherSlope, otherMove));
		if (!v128.any_true(v128.or(missing, otherMissing))) break;
		value = valueAt(p, q0, q1, q2, q3, q4);
		otherValue = valueAt(o, o0, o1, o2, o3, o4);
		slope = slopeAt(p, q1, half, q3, q4);
		otherSlope = slopeAt(o, o1, otherHalf, o3, o4);
		bend = bendAt(p, q2, q3, q4);
		otherBend = bendAt(o, o2, o3, o4);
	}
	v128.store(search, p, ROOT);
	v128.store(search, missing, MISSING);
	v128.store(other, o, ROOT);
	v128.store(other, otherMissing, MISSING);
}

/** Writes the reactions of contacts a and b (or twice the same) from the root; `block` is scratch for nine numbers. */
export function slideReactions(
	a: i32,
	b: i32,
	record: usize,
	other: usize,
	alpha: f64,
	w: i32,
	mu: i32,
	r: i32,
	block: i32,
	search: usize,
): void {
	const zero = f64x2.splat(0);
	const p = v128.load(search, ROOT);
	const pp = f64x2.mul(p, p);
	const h = f64x2.add(f64x2.splat(1), pp);
	const c = f64x2.sub(f64x2.splat(1), pp);
	const s = f64x2.add(p, p);
	const friction = v128.load(search, FRICTION);
	const reach = f64x2.add(f64x2.mul(c, v128.load(search, N_ALONG)), f64x2.mul(s, v128.load(search, N_ACROSS)));
	const m = f64x2.add(f64x2.mul(v128.load(search, W00), h), f64x2.mul(friction, reach));
	const share = f64x2.div(f64x2.neg(v128.load(search, B0)), m);
	const curl = f64x2.add(f64x2.mul(c, v128.load(search, ALONG)), f64x2.mul(s, v128.load(search, SKEWED)));
	const square = f64x2.mul(f64x2.mul(s, s), v128.load(search, ACROSS));
	const tangents = f64x2.mul(friction, f64x2.add(f64x2.mul(c, curl), square));
	const along = f64x2.add(f64x2.mul(c, v128.load(search, T_ALONG)), f64x2.mul(s, v128.load(search, T_ACROSS)));
	const pull = f64x2.add(f64x2.mul(h, along), tangents);
	const free = f64x2.add(f64x2.mul(c, v128.load(search, B_ALONG)), f64x2.mul(s, v128.load(search, B_ACROSS)));
	const slip = f64x2.add(free, f64x2.mul(share, pull));
	const isSliding = v128.and(f64x2.gt(m, zero), f64x2.le(slip, zero));
	const good: i32 = i64x2.bitmask(v128.andnot(isSliding, v128.load(search, MISSING)));
	const d1 = v128.load(search, D1);
	const d2 = v128.load(search, D2);
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
