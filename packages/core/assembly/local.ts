/**
 * The exact local solve of one contact: R in K with U = W_aa R + b, U_N >= 0 orthogonal to R_N, sliding against R_T.
 * Three cases, tried in turn (take-off, stick, slide); sliding is one equation in the direction d of R_T:
 *
 *     U_N = 0            R_N = -b_N / m,   m(d) = W_NN + mu W_NT.d,   R_T = mu R_N d
 *     U_T parallel to d  g(d) = m (d x b_T) - b_N (d x W_TN + mu d x W_TT d) = 0,   U_T.d <= 0
 *
 * In the frame of a first direction D, d = (cos t) D + (sin t) D', and by p = tan(t / 2)
 *
 *     (1 + p^2)^2 g = q0 + 2 q1 p + 2 q2 p^2 + 2 q3 p^3 + q4 p^4
 *
 * so that a step of Newton's costs a division and little more, and has the curvature as well (Chebyshev's method, of third
 * order). No sine is taken, whose bits differ between engines.
 */
import { solveBlock } from "./block";
import { project } from "./cone";
import { get, set } from "./memory";

/** The search stops when the last step of p was this small: the error left is of the order of its cube. */
export const STEP_SMALL: f64 = 1e-4;
/** Steps of p from one direction, each at most STEP_MAX and STEP_NOT_RISING where g does not rise. */
export const STEPS: i32 = 6;
export const STEP_MAX: f64 = 0.25;
export const STEP_NOT_RISING: f64 = 0.2;
/** The share of a step that curvature may add or take. */
export const CURVATURE_SHARE_MAX: f64 = 0.5;
/** Directions to start from, each where the last one led. */
const ROUNDS: i32 = 4;
/** Directions tried when all that fails. */
const DIRECTIONS: i32 = 16;
const PROJECTED_STEPS: i32 = 200;

/** Searches from the direction (d1, d2); on success writes R at r and returns true. slide.ts has the first round for two contacts at once. */
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
	for (let round: i32 = 0; round < ROUNDS; round += 1) {
		// Along d and across it (d turned by a right angle): of W_NT, W_TN, W_TT and b_T.
		const nAlong: f64 = wN1 * d1 + wN2 * d2;
		const nAcross: f64 = wN2 * d1 - wN1 * d2;
		const tAlong: f64 = d1 * w1N + d2 * w2N;
		const tAcross: f64 = d1 * w2N - d2 * w1N;
		const v1: f64 = w11 * d1 + w12 * d2;
		const v2: f64 = w21 * d1 + w22 * d2;
		const along: f64 = d1 * v1 + d2 * v2;
		const turned: f64 = d1 * v2 - d2 * v1;
		const across: f64 = w11 + w22 - along;
		const back: f64 = turned + (w12 - w21);
		const bAlong: f64 = d1 * b1 + d2 * b2;
		const bAcross: f64 = d1 * b2 - d2 * b1;
		const square: f64 = mu * (nAlong * bAcross - b0 * turned);
		const mixed: f64 = mu * (nAcross * bAcross - nAlong * bAlong - b0 * (across - along));
		const tilt: f64 = mu * (nAcross * bAlong - b0 * back);
		const cosine: f64 = wNN * bAcross - b0 * tAcross;
		const sine: f64 = wNN * bAlong - b0 * tAlong;
		const p: f64 = halfTangent(
			square + cosine,
			mixed - sine,
			-(tilt + tilt + square),
			-(mixed + sine),
			square - cosine,
		);
		const h: f64 = 1 + p * p;
		const c: f64 = 1 - p * p;
		const s: f64 = p + p;
		const e1: f64 = c * d1 - s * d2;
		const e2: f64 = s * d1 + c * d2;
		if (isFound) {
			const m: f64 = wNN * h + mu * (c * nAlong + s * nAcross);
			const share: f64 = -b0 / m;
			const pull: f64 = h * (c * tAlong + s * tAcross) + mu * (c * (c * along + s * (turned + back)) + s * s * across);
			if (!(m > 0 && c * bAlong + s * bAcross + share * pull <= 0)) return false;
			set(r, share * h);
			set(r + 1, mu * share * e1);
			set(r + 2, mu * share * e2);
			return true;
		}
		d1 = e1 / h;
		d2 = e2 / h;
	}
	return false;
}

/** Whether the last search for a root ended in one. */
let isFound: boolean = false;

/** A rising root of q0 + 2 q1 p + 2 q2 p^2 + 2 q3 p^3 + q4 p^4, searched for from p = 0; where there was none yet, as far as it came. */
function halfTangent(q0: f64, q1: f64, q2: f64, q3: f64, q4: f64): f64 {
	isFound = false;
	let p: f64 = 0;
	let value: f64 = q0;
	let slope: f64 = q1 + q1;
	// Half the second derivative.
	let bend: f64 = q2 + q2;
	for (let step: i32 = 0; step < STEPS; step += 1) {
		const inverse: f64 = 1 / slope;
		const ratio: f64 = value * inverse;
		let curve: f64 = bend * inverse * ratio;
		if (curve > CURVATURE_SHARE_MAX) curve = CURVATURE_SHARE_MAX;
		if (curve < -CURVATURE_SHARE_MAX) curve = -CURVATURE_SHARE_MAX;
		let move: f64 = slope > 0 ? -(ratio + ratio * curve) : value > 0 ? -STEP_NOT_RISING : STEP_NOT_RISING;
		if (move > STEP_MAX) move = STEP_MAX;
		if (move < -STEP_MAX) move = -STEP_MAX;
		p += move;
		if (slope > 0 && Math.abs(move) < STEP_SMALL) {
			isFound = true;
			return p;
		}
		const cubic: f64 = q3 + q3;
		value = q0 + p * (q1 + q1 + p * (q2 + q2 + p * (cubic + p * q4)));
		slope = q1 + q1 + p * (4 * q2 + p * (3 * cubic + p * (4 * q4)));
		bend = q2 + q2 + p * (3 * cubic + p * (6 * q4));
	}
	return p;
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
