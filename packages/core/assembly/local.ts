/**
 * The exact local solve of one contact: R in K with U = W_aa R + b, U_N >= 0 orthogonal to R_N, sliding against R_T.
 * Three cases, tried in turn (take-off, stick, slide); sliding is one equation in the direction d of R_T:
 *
 *     U_N = 0            R_N = -b_N / m,   m(d) = W_NN + mu W_NT.d,   R_T = mu R_N d
 *     U_T parallel to d  g(d) = m (d x b_T) - b_N (d x W_TN + mu d x W_TT d) = 0,   U_T.d <= 0
 *
 * solved by Newton on the angle of d. d is turned by a rational rotation: no sine, whose bits differ between engines.
 */
import { solveBlock } from "./block";
import { project } from "./cone";
import { get, set } from "./memory";

/** Newton stops when the last turn was this small: the error left is of the order of its square. */
export const TURN_SMALL: f64 = 1e-5;
export const NEWTON_LIMIT: i32 = 24;
/** Directions tried when Newton from the last one fails. */
const DIRECTIONS: i32 = 16;
const PROJECTED_STEPS: i32 = 200;

/**
 * Newton on g from the direction (d1, d2); on success writes R at r and returns true.
 * A step is at most 0.5 in angle; where g' <= 0 it is 0.4 against the sign of g.
 */
function slide(w: i32, mu: f64, b0: f64, b1: f64, b2: f64, d1: f64, d2: f64, r: i32): boolean {
	const wNN: f64 = get(w);
	const wN1: f64 = get(w + 1);
	const wN2: f64 = get(w + 2);
	const w1N: f64 = get(w + 3);
	const w11: f64 = get(w + 4);
	const w12: f64 = get(w + 5);
	const w2N: f64 = get(w + 6);
	const w21: f64 = get(w + 7);
	const w22: f64 = get(w + 8);
	for (let step: i32 = 0; step < NEWTON_LIMIT; step += 1) {
		const m: f64 = wNN + mu * (wN1 * d1 + wN2 * d2);
		const v1: f64 = w11 * d1 + w12 * d2;
		const v2: f64 = w21 * d1 + w22 * d2;
		const crossB: f64 = d1 * b2 - d2 * b1;
		const g: f64 = m * crossB - b0 * (d1 * w2N - d2 * w1N + mu * (d1 * v2 - d2 * v1));
		// Derivatives along the angle: d' = (-d2, d1).
		const mSlope: f64 = mu * (wN2 * d1 - wN1 * d2);
		const dotB: f64 = d1 * b1 + d2 * b2;
		const turned1: f64 = w12 * d1 - w11 * d2;
		const turned2: f64 = w22 * d1 - w21 * d2;
		const slope: f64 =
			mSlope * crossB -
			m * dotB -
			b0 * (-d2 * w2N - d1 * w1N + mu * (d1 * turned2 - d2 * turned1 - (d2 * v2 + d1 * v1)));
		let turn: f64 = slope > 0 ? -g / slope : g > 0 ? -0.4 : 0.4;
		if (turn > 0.5) turn = 0.5;
		if (turn < -0.5) turn = -0.5;
		// cos and sin of the turn by its half tangent, which keeps |d| = 1; the last turns are small, where this is the angle.
		const half: f64 = 0.5 * turn;
		const share: f64 = 1 / (1 + half * half);
		const cosine: f64 = (1 - half * half) * share;
		const sine: f64 = turn * share;
		const e1: f64 = cosine * d1 - sine * d2;
		d2 = sine * d1 + cosine * d2;
		d1 = e1;
		if (slope > 0 && Math.abs(turn) < TURN_SMALL) {
			const mLast: f64 = wNN + mu * (wN1 * d1 + wN2 * d2);
			if (!(mLast > 0)) return false;
			const normal: f64 = -b0 / mLast;
			const tangent: f64 = mu * normal;
			const u1: f64 = b1 + w1N * normal + tangent * (w11 * d1 + w12 * d2);
			const u2: f64 = b2 + w2N * normal + tangent * (w21 * d1 + w22 * d2);
			if (!(u1 * d1 + u2 * d2 <= 0)) return false;
			set(r, normal);
			set(r + 1, tangent * d1);
			set(r + 2, tangent * d2);
			return true;
		}
	}
	return false;
}

/** Newton from sixteen directions around the circle; the first that ends well is taken. */
function slideFromAnywhere(w: i32, mu: f64, b0: f64, b1: f64, b2: f64, r: i32): boolean {
	// cos and sin of pi/8, by half angles.
	const cosine: f64 = 0.5 * Math.sqrt(2 + Math.sqrt(2.0));
	const sine: f64 = 0.5 * Math.sqrt(2 - Math.sqrt(2.0));
	let d1: f64 = 1;
	let d2: f64 = 0;
	for (let k: i32 = 0; k < DIRECTIONS; k += 1) {
		if (slide(w, mu, b0, b1, b2, d1, d2, r)) return true;
		const e1: f64 = cosine * d1 - sine * d2;
		d2 = sine * d1 + cosine * d2;
		d1 = e1;
	}
	return false;
}

/** Where no sliding direction is found: R <- proj_K(R - F(R) / w), contracting for the blocks that occur. */
function slideByProjection(w: i32, mu: f64, b0: f64, b1: f64, b2: f64, r: i32): void {
	const rho: f64 = 1 / (get(w) + get(w + 4) + get(w + 8));
	for (let step: i32 = 0; step < PROJECTED_STEPS; step += 1) {
		const n: f64 = get(r);
		const t1: f64 = get(r + 1);
		const t2: f64 = get(r + 2);
		const u1: f64 = b1 + get(w + 3) * n + get(w + 4) * t1 + get(w + 5) * t2;
		const u2: f64 = b2 + get(w + 6) * n + get(w + 7) * t1 + get(w + 8) * t2;
		const u0: f64 = b0 + get(w) * n + get(w + 1) * t1 + get(w + 2) * t2 + mu * Math.sqrt(u1 * u1 + u2 * u2);
		project(mu, n - rho * u0, t1 - rho * u1, t2 - rho * u2, r);
	}
}

/** Solves the contact at r (its last reaction, overwritten by the new one), b being all of U that does not come from R_a. */
export function solveLocal(w: i32, mu: f64, b0: f64, b1: f64, b2: f64, r: i32): void {
	if (b0 >= 0) {
		set(r, 0);
		set(r + 1, 0);
		set(r + 2, 0);
		return;
	}
	if (mu == 0) {
		set(r, -b0 / get(w));
		set(r + 1, 0);
		set(r + 2, 0);
		return;
	}
	let d1: f64 = get(r + 1);
	let d2: f64 = get(r + 2);
	solveBlock(w, -b0, -b1, -b2, r);
	const s1: f64 = get(r + 1);
	const s2: f64 = get(r + 2);
	const stick: f64 = s1 * s1 + s2 * s2;
	const limit: f64 = mu * get(r);
	if (limit >= 0 && stick <= limit * limit) return;
	let length: f64 = d1 * d1 + d2 * d2;
	if (!(length > 0)) {
		d1 = s1;
		d2 = s2;
		length = stick;
	}
	const scale: f64 = 1 / Math.sqrt(length);
	d1 *= scale;
	d2 *= scale;
	if (slide(w, mu, b0, b1, b2, d1, d2, r)) return;
	if (slideFromAnywhere(w, mu, b0, b1, b2, r)) return;
	slideByProjection(w, mu, b0, b1, b2, r);
}

/** An equality block is free: R = -W_aa^-1 b. */
export function solveFree(w: i32, b0: f64, b1: f64, b2: f64, r: i32): void {
	solveBlock(w, -b0, -b1, -b2, r);
}
