/** <W_aa^-1 q_a, q_a>, the energy of a contact's free motion: the sum of which merit and energy divide by. */
import { freePairs } from "./measure-pairs";
import { get, set } from "./memory";

/**
 * <A^-1 b, b> by elimination with row pivots (a determinant loses what a flat block needs), where the first row is the pivot of the
 * first column: rows p, q and r with their right-hand sides behind them.
 */
function eliminated(
	p0: f64,
	p1: f64,
	p2: f64,
	p3: f64,
	q0: f64,
	q1: f64,
	q2: f64,
	q3: f64,
	r0: f64,
	r1: f64,
	r2: f64,
	r3: f64,
	b0: f64,
	b1: f64,
	b2: f64,
): f64 {
	const q: f64 = q0 / p0;
	const qq1: f64 = q1 - q * p1;
	const qq2: f64 = q2 - q * p2;
	const qq3: f64 = q3 - q * p3;
	const r: f64 = r0 / p0;
	const rr1: f64 = r1 - r * p1;
	const rr2: f64 = r2 - r * p2;
	const rr3: f64 = r3 - r * p3;
	const isSwapped: boolean = Math.abs(rr1) > Math.abs(qq1);
	const s1: f64 = isSwapped ? rr1 : qq1;
	const s2: f64 = isSwapped ? rr2 : qq2;
	const s3: f64 = isSwapped ? rr3 : qq3;
	const t: f64 = (isSwapped ? qq1 : rr1) / s1;
	const x2: f64 = ((isSwapped ? qq3 : rr3) - t * s3) / ((isSwapped ? qq2 : rr2) - t * s2);
	const x1: f64 = (s3 - s2 * x2) / s1;
	const x0: f64 = (p3 - p1 * x1 - p2 * x2) / p0;
	return b0 * x0 + b1 * x1 + b2 * x2;
}

/** The same for rows a, d and g in any order: that of the largest first entry goes first. */
function inverseForm(
	a0: f64,
	a1: f64,
	a2: f64,
	d0: f64,
	d1: f64,
	d2: f64,
	g0: f64,
	g1: f64,
	g2: f64,
	b0: f64,
	b1: f64,
	b2: f64,
): f64 {
	if (Math.abs(g0) > Math.max(Math.abs(a0), Math.abs(d0))) {
		return eliminated(g0, g1, g2, b2, d0, d1, d2, b1, a0, a1, a2, b0, b0, b1, b2);
	}
	if (Math.abs(d0) > Math.abs(a0)) return eliminated(d0, d1, d2, b1, a0, a1, a2, b0, g0, g1, g2, b2, b0, b1, b2);
	return eliminated(a0, a1, a2, b0, d0, d1, d2, b1, g0, g1, g2, b2, b0, b1, b2);
}

/** Writes the terms of a contact, with its block as it is (merit) and with its symmetric part (energy). */
function freeTerm(w: i32, q: i32, energy: i32, merit: i32): void {
	const w00: f64 = get(w);
	const w01: f64 = get(w + 1);
	const w02: f64 = get(w + 2);
	const w10: f64 = get(w + 3);
	const w11: f64 = get(w + 4);
	const w12: f64 = get(w + 5);
	const w20: f64 = get(w + 6);
	const w21: f64 = get(w + 7);
	const w22: f64 = get(w + 8);
	const q0: f64 = get(q);
	const q1: f64 = get(q + 1);
	const q2: f64 = get(q + 2);
	const plain: f64 = inverseForm(w00, w01, w02, w10, w11, w12, w20, w21, w22, q0, q1, q2);
	set(merit, plain);
	if (w01 == w10 && w02 == w20 && w12 == w21) {
		set(energy, plain);
		return;
	}
	const m01: f64 = 0.5 * (w01 + w10);
	const m02: f64 = 0.5 * (w02 + w20);
	const m12: f64 = 0.5 * (w12 + w21);
	set(energy, inverseForm(w00, m01, m02, m01, w11, m12, m02, m12, w22, q0, q1, q2));
}

/**
 * Terms of at most 64 contacts: energy's at `values`, merit's 64 numbers behind them, and 64 numbers behind these |unit q|^2 in the
 * problem's units, in which q stands at `given`.
 */
export function freeTerms(count: i32, w: i32, q: i32, given: i32, unit: f64, values: i32): void {
	for (let i: i32 = freePairs(count, w, q, values); i < count; i += 1) {
		freeTerm(w + 9 * i, q + 3 * i, values + i, values + 64 + i);
	}
	for (let i: i32 = 0; i < count; i += 1) {
		const from: i32 = given + 3 * i;
		const x0: f64 = unit * get(from);
		const x1: f64 = unit * get(from + 1);
		const x2: f64 = unit * get(from + 2);
		set(values + 128 + i, x0 * x0 + x1 * x1 + x2 * x2);
	}
}
