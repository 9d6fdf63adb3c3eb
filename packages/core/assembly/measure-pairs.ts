/**
 * The terms of energy.ts, merit.ts and denominator.ts for two contacts at once, one per SIMD lane, with masks for their branches: the same bits.
 * Each of these does as many whole pairs as there are and returns where it stopped; the caller does the rest one by one.
 */
import { pick, projectLanes } from "./cone-pairs";

/** Value of SIDE in energy.ts. */
const SIDE: f64 = 1 - 1e-9;

/** x . y of three lanes each, from the left. */
@inline
function dot(x0: v128, x1: v128, x2: v128, y0: v128, y1: v128, y2: v128): v128 {
	return f64x2.add(f64x2.add(f64x2.mul(x0, y0), f64x2.mul(x1, y1)), f64x2.mul(x2, y2));
}

/** The terms of energy for the contacts from..to-1, those of `from` at `values`; e is scratch for six numbers. */
export function energyPairs(from: i32, to: i32, mu: i32, w: i32, r: i32, u: i32, e: i32, values: i32): i32 {
	const scratch: usize = (<usize>e) << 3;
	let a: i32 = from;
	for (; a + 1 < to; a += 2) {
		const at: usize = ((<usize>r) << 3) + (<usize>a) * 24;
		const ut: usize = ((<usize>u) << 3) + (<usize>a) * 24;
		const block: usize = ((<usize>w) << 3) + (<usize>a) * 72;
		const friction = v128.load(((<usize>mu) << 3) + ((<usize>a) << 3));
		const w00 = pick(block, 72);
		const w11 = pick(block + 32, 72);
		const w22 = pick(block + 64, 72);
		const weight = f64x2.div(f64x2.splat(3), f64x2.add(f64x2.add(w00, w11), w22));
		projectLanes(friction, pick(at, 24), pick(at + 8, 24), pick(at + 16, 24), scratch);
		const r0 = v128.load(scratch);
		const r1 = v128.load(scratch, 16);
		const r2 = v128.load(scratch, 32);
		const u1 = pick(ut + 8, 24);
		const u2 = pick(ut + 16, 24);
		const slip = f64x2.sqrt(f64x2.add(f64x2.mul(u1, u1), f64x2.mul(u2, u2)));
		const f0 = f64x2.add(pick(ut, 24), f64x2.mul(friction, slip));
		const d0 = f64x2.mul(weight, f0);
		const d1 = f64x2.mul(weight, u1);
		const d2 = f64x2.mul(weight, u2);
		const s0 = f64x2.sub(r0, d0);
		const s1 = f64x2.sub(r1, d1);
		const s2 = f64x2.sub(r2, d2);
		projectLanes(friction, s0, s1, s2, scratch);
		const e0 = f64x2.add(d0, f64x2.sub(s0, v128.load(scratch)));
		const e1 = f64x2.add(d1, f64x2.sub(s1, v128.load(scratch, 16)));
		const e2 = f64x2.add(d2, f64x2.sub(s2, v128.load(scratch, 32)));
		const y0 = dot(w00, pick(block + 8, 72), pick(block + 16, 72), e0, e1, e2);
		const y1 = dot(pick(block + 24, 72), w11, pick(block + 40, 72), e0, e1, e2);
		const y2 = dot(pick(block + 48, 72), pick(block + 56, 72), w22, e0, e1, e2);
		const term = dot(e0, e1, e2, y0, y1, y2);
		const most = f64x2.mul(f64x2.mul(f64x2.splat(SIDE), friction), r0);
		const length = f64x2.add(f64x2.mul(r1, r1), f64x2.mul(r2, r2));
		const slides = v128.and(f64x2.gt(r0, f64x2.splat(0)), f64x2.ge(length, f64x2.mul(most, most)));
		v128.store((<usize>(values + a - from)) << 3, v128.bitselect(f64x2.neg(term), term, slides));
	}
	return a;
}

/** g of eq. 31 for omega = 0: (x + |x|) / 2, the root as it is taken there. */
@inline
function positivePart(x: v128): v128 {
	const half = f64x2.mul(f64x2.splat(0.5), f64x2.add(x, f64x2.sqrt(f64x2.mul(x, x))));
	return v128.and(half, f64x2.ge(x, f64x2.splat(0)));
}

/** x / length where there is a length, or else zero. */
@inline
function share(x: v128, length: v128): v128 {
	return v128.and(f64x2.div(x, length), f64x2.gt(length, f64x2.splat(0)));
}

/** The terms of merit for the contacts from..to-1, those of `from` at `values`. */
export function meritPairs(from: i32, to: i32, mu: i32, s: i32, w: i32, r: i32, u: i32, values: i32): i32 {
	const one = f64x2.splat(1);
	let a: i32 = from;
	for (; a + 1 < to; a += 2) {
		const at: usize = ((<usize>r) << 3) + (<usize>a) * 24;
		const ut: usize = ((<usize>u) << 3) + (<usize>a) * 24;
		const block: usize = ((<usize>w) << 3) + (<usize>a) * 72;
		const friction = v128.load(((<usize>mu) << 3) + ((<usize>a) << 3));
		const scale = v128.load(((<usize>s) << 3) + ((<usize>a) << 3));
		const u1 = f64x2.div(pick(ut + 8, 24), scale);
		const u2 = f64x2.div(pick(ut + 16, 24), scale);
		// C as in smoothing.ts without smoothing.
		const speed = f64x2.sqrt(f64x2.add(f64x2.mul(u1, u1), f64x2.mul(u2, u2)));
		const f0 = f64x2.add(f64x2.div(pick(ut, 24), scale), f64x2.mul(friction, speed));
		const s0 = f64x2.sub(f64x2.mul(pick(at, 24), scale), f0);
		const s1 = f64x2.sub(f64x2.mul(pick(at + 8, 24), scale), u1);
		const s2 = f64x2.sub(f64x2.mul(pick(at + 16, 24), scale), u2);
		const length = f64x2.sqrt(f64x2.add(f64x2.mul(s1, s1), f64x2.mul(s2, s2)));
		const part = f64x2.div(one, f64x2.add(one, f64x2.mul(friction, friction)));
		const lambda1 = f64x2.mul(f64x2.neg(f64x2.add(s0, f64x2.mul(friction, length))), part);
		const lambda2 = f64x2.mul(f64x2.sub(length, f64x2.mul(friction, s0)), part);
		const g1 = positivePart(lambda1);
		const g2 = positivePart(lambda2);
		const tangent = f64x2.sub(g2, f64x2.mul(friction, g1));
		const c0 = f64x2.mul(scale, f64x2.sub(f64x2.sub(f0, g1), f64x2.mul(friction, g2)));
		const c1 = f64x2.mul(scale, f64x2.add(u1, f64x2.mul(tangent, share(s1, length))));
		const c2 = f64x2.mul(scale, f64x2.add(u2, f64x2.mul(tangent, share(s2, length))));
		v128.store((<usize>(values + a - from)) << 3, solvedForm(block, c0, c1, c2));
	}
	return a;
}

/** <W_aa^-1 c, c> by Cramer's rule, as solveBlock. */
@inline
function solvedForm(block: usize, c0: v128, c1: v128, c2: v128): v128 {
	const w00 = pick(block, 72);
	const w01 = pick(block + 8, 72);
	const w02 = pick(block + 16, 72);
	const w10 = pick(block + 24, 72);
	const w11 = pick(block + 32, 72);
	const w12 = pick(block + 40, 72);
	const w20 = pick(block + 48, 72);
	const w21 = pick(block + 56, 72);
	const w22 = pick(block + 64, 72);
	const c00 = f64x2.sub(f64x2.mul(w11, w22), f64x2.mul(w12, w21));
	const c01 = f64x2.sub(f64x2.mul(w12, w20), f64x2.mul(w10, w22));
	const c02 = f64x2.sub(f64x2.mul(w10, w21), f64x2.mul(w11, w20));
	const k01 = f64x2.sub(f64x2.mul(w02, w21), f64x2.mul(w01, w22));
	const k02 = f64x2.sub(f64x2.mul(w01, w12), f64x2.mul(w02, w11));
	const k11 = f64x2.sub(f64x2.mul(w00, w22), f64x2.mul(w02, w20));
	const k12 = f64x2.sub(f64x2.mul(w02, w10), f64x2.mul(w00, w12));
	const k21 = f64x2.sub(f64x2.mul(w01, w20), f64x2.mul(w00, w21));
	const k22 = f64x2.sub(f64x2.mul(w00, w11), f64x2.mul(w01, w10));
	const inverse = f64x2.div(f64x2.splat(1), dot(w00, w01, w02, c00, c01, c02));
	const y0 = f64x2.mul(inverse, dot(c00, k01, k02, c0, c1, c2));
	const y1 = f64x2.mul(inverse, dot(c01, k11, k12, c0, c1, c2));
	const y2 = f64x2.mul(inverse, dot(c02, k21, k22, c0, c1, c2));
	return dot(c0, c1, c2, y0, y1, y2);
}

/** <A^-1 b, b> as inverseForm of denominator.ts: the row with the largest first entry goes first. */
function inverseForms(
	a0: v128,
	a1: v128,
	a2: v128,
	d0: v128,
	d1: v128,
	d2: v128,
	g0: v128,
	g1: v128,
	g2: v128,
	b0: v128,
	b1: v128,
	b2: v128,
): v128 {
	const sizeA = f64x2.abs(a0);
	const sizeD = f64x2.abs(d0);
	const isLast = f64x2.gt(f64x2.abs(g0), f64x2.max(sizeA, sizeD));
	const isMiddle = v128.andnot(f64x2.gt(sizeD, sizeA), isLast);
	const p0 = v128.bitselect(g0, v128.bitselect(d0, a0, isMiddle), isLast);
	const p1 = v128.bitselect(g1, v128.bitselect(d1, a1, isMiddle), isLast);
	const p2 = v128.bitselect(g2, v128.bitselect(d2, a2, isMiddle), isLast);
	const p3 = v128.bitselect(b2, v128.bitselect(b1, b0, isMiddle), isLast);
	const q = f64x2.div(v128.bitselect(a0, d0, isMiddle), p0);
	const q1 = f64x2.sub(v128.bitselect(a1, d1, isMiddle), f64x2.mul(q, p1));
	const q2 = f64x2.sub(v128.bitselect(a2, d2, isMiddle), f64x2.mul(q, p2));
	const q3 = f64x2.sub(v128.bitselect(b0, b1, isMiddle), f64x2.mul(q, p3));
	const r = f64x2.div(v128.bitselect(a0, g0, isLast), p0);
	const r1 = f64x2.sub(v128.bitselect(a1, g1, isLast), f64x2.mul(r, p1));
	const r2 = f64x2.sub(v128.bitselect(a2, g2, isLast), f64x2.mul(r, p2));
	const r3 = f64x2.sub(v128.bitselect(b0, b2, isLast), f64x2.mul(r, p3));
	const isSwapped = f64x2.gt(f64x2.abs(r1), f64x2.abs(q1));
	const s1 = v128.bitselect(r1, q1, isSwapped);
	const s2 = v128.bitselect(r2, q2, isSwapped);
	const s3 = v128.bitselect(r3, q3, isSwapped);
	const t = f64x2.div(v128.bitselect(q1, r1, isSwapped), s1);
	const rest3 = f64x2.sub(v128.bitselect(q3, r3, isSwapped), f64x2.mul(t, s3));
	const rest2 = f64x2.sub(v128.bitselect(q2, r2, isSwapped), f64x2.mul(t, s2));
	const x2 = f64x2.div(rest3, rest2);
	const x1 = f64x2.div(f64x2.sub(s3, f64x2.mul(s2, x2)), s1);
	const x0 = f64x2.div(f64x2.sub(f64x2.sub(p3, f64x2.mul(p1, x1)), f64x2.mul(p2, x2)), p0);
	return dot(b0, b1, b2, x0, x1, x2);
}

/** The terms of denominator.ts for `count` contacts: energy's at `values`, merit's 64 numbers behind them. */
export function freePairs(count: i32, w: i32, q: i32, values: i32): i32 {
	const half = f64x2.splat(0.5);
	let i: i32 = 0;
	for (; i + 1 < count; i += 2) {
		const free: usize = ((<usize>q) << 3) + (<usize>i) * 24;
		const block: usize = ((<usize>w) << 3) + (<usize>i) * 72;
		const q0 = pick(free, 24);
		const q1 = pick(free + 8, 24);
		const q2 = pick(free + 16, 24);
		const w00 = pick(block, 72);
		const w01 = pick(block + 8, 72);
		const w02 = pick(block + 16, 72);
		const w10 = pick(block + 24, 72);
		const w11 = pick(block + 32, 72);
		const w12 = pick(block + 40, 72);
		const w20 = pick(block + 48, 72);
		const w21 = pick(block + 56, 72);
		const w22 = pick(block + 64, 72);
		const plain = inverseForms(w00, w01, w02, w10, w11, w12, w20, w21, w22, q0, q1, q2);
		const isSymmetric = v128.and(v128.and(f64x2.eq(w01, w10), f64x2.eq(w02, w20)), f64x2.eq(w12, w21));
		let energy = plain;
		if (i64x2.bitmask(isSymmetric) != 3) {
			const m01 = f64x2.mul(half, f64x2.add(w01, w10));
			const m02 = f64x2.mul(half, f64x2.add(w02, w20));
			const m12 = f64x2.mul(half, f64x2.add(w12, w21));
			const symmetric = inverseForms(w00, m01, m02, m01, w11, m12, m02, m12, w22, q0, q1, q2);
			energy = v128.bitselect(plain, symmetric, isSymmetric);
		}
		const terms: usize = (<usize>(values + i)) << 3;
		v128.store(terms, energy);
		v128.store(terms, plain, 512);
	}
	return i;
}
