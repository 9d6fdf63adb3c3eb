/**
 * The convex relaxation of Coulomb's law (Anitescu; papers of the DVI methods): its cone K = { |R_T| <= mu R_N } with F = U, so that U is in the
 * dual cone, orthogonal to R. A contact that slides also opens, with U_N = mu |U_T|.
 */
import { solveBlock } from "../block";
import { project as projectOnCone } from "../cone";
import { get, set } from "../memory";
import { contactResidual } from "../smoothing";

/** Directions to start a search from, and its steps, each a rotation by an angle of at most this tangent. */
const DIRECTIONS: i32 = 16;
const STEPS: i32 = 24;
const TURN_MAX: f64 = 0.5;
/** A rotation this small is the last one: Newton's error after it is about its square. */
const TURN_SMALL: f64 = 1e-8;
const PROJECTED_STEPS: i32 = 200;

export function project(p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	projectOnCone(get(p), z0, z1, z2, y);
}

export function velocity(_p: i32, u: i32, f: i32): void {
	for (let i: i32 = 0; i < 3; i += 1) set(f + i, get(u + i));
}

export function residual(p: i32, omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	contactResidual(get(p), 0, omega, r, u, c, x, y);
}

/** Take-off where b is in the dual cone, stick, or else a ray (1, mu d) of the cone's face. */
export function solve(w: i32, p: i32, b0: f64, b1: f64, b2: f64, r: i32, _scratch: i32): void {
	const mu: f64 = get(p);
	const d1: f64 = get(r + 1);
	const d2: f64 = get(r + 2);
	const pull: f64 = b1 * b1 + b2 * b2;
	if (b0 >= 0 && mu * mu * pull <= b0 * b0) {
		for (let i: i32 = 0; i < 3; i += 1) set(r + i, 0);
		return;
	}
	if (mu == 0) {
		set(r, -b0 / get(w));
		set(r + 1, 0);
		set(r + 2, 0);
		return;
	}
	solveBlock(w, -b0, -b1, -b2, r);
	const s1: f64 = get(r + 1);
	const s2: f64 = get(r + 2);
	const stick: f64 = s1 * s1 + s2 * s2;
	const limit: f64 = mu * get(r);
	if (limit >= 0 && stick <= limit * limit) return;
	if (d1 * d1 + d2 * d2 > 0 && face(w, mu, b0, b1, b2, d1, d2, r)) return;
	if (stick > 0 && face(w, mu, b0, b1, b2, s1, s2, r)) return;
	// A turn by a sixteenth of a circle.
	const cosine: f64 = 0.9238795325112867;
	const sine: f64 = 0.3826834323650898;
	let e1: f64 = 1;
	let e2: f64 = 0;
	for (let k: i32 = 0; k < DIRECTIONS; k += 1) {
		if (face(w, mu, b0, b1, b2, e1, e2, r)) return;
		const turned: f64 = cosine * e1 - sine * e2;
		e2 = sine * e1 + cosine * e2;
		e1 = turned;
	}
	byProjection(w, mu, b0, b1, b2, r);
}

/**
 * R = t (1, mu d), U orthogonal to it and U_T parallel to d: with n(d) = -(b_N + mu d.b_T), m(d) = A.WA, A = (1, mu d), t = n / m,
 *
 *     G(d) = m (d x b_T) + n (d x W_TN + mu d x W_TT d) = 0,   t > 0,   U_T.d <= 0
 *
 * Newton on the angle of d, from the direction of (d1, d2); writes R and returns true where it ends in a solution.
 */
function face(w: i32, mu: f64, b0: f64, b1: f64, b2: f64, d1: f64, d2: f64, r: i32): boolean {
	const w11: f64 = get(w + 4);
	const w12: f64 = get(w + 5);
	const w21: f64 = get(w + 7);
	const w22: f64 = get(w + 8);
	const n1: f64 = get(w + 3);
	const n2: f64 = get(w + 6);
	const sum1: f64 = get(w + 1) + n1;
	const sum2: f64 = get(w + 2) + n2;
	for (let step: i32 = 0; step < STEPS; step += 1) {
		const scale: f64 = 1 / Math.sqrt(d1 * d1 + d2 * d2);
		d1 *= scale;
		d2 *= scale;
		// W_TT d, and of d turned by a right angle; along d and across it.
		const v1: f64 = w11 * d1 + w12 * d2;
		const v2: f64 = w21 * d1 + w22 * d2;
		const along: f64 = d1 * v1 + d2 * v2;
		const turned: f64 = d1 * v2 - d2 * v1;
		const across: f64 = w11 + w22 - along;
		const back: f64 = turned + (w12 - w21);
		const bAlong: f64 = d1 * b1 + d2 * b2;
		const bAcross: f64 = d1 * b2 - d2 * b1;
		const n: f64 = -(b0 + mu * bAlong);
		const m: f64 = get(w) + mu * (d1 * sum1 + d2 * sum2) + mu * mu * along;
		const h: f64 = d1 * n2 - d2 * n1 + mu * turned;
		const mTurn: f64 = mu * (d1 * sum2 - d2 * sum1) + mu * mu * (turned + back);
		const hTurn: f64 = -(d1 * n1 + d2 * n2) + mu * (across - along);
		const value: f64 = m * bAcross + n * h;
		const rise: f64 = mTurn * bAcross - m * bAlong - mu * bAcross * h + n * hTurn;
		let turn: f64 = rise > 0 ? -value / rise : value > 0 ? -TURN_MAX : TURN_MAX;
		if (turn > TURN_MAX) turn = TURN_MAX;
		if (turn < -TURN_MAX) turn = -TURN_MAX;
		const e1: f64 = d1 - turn * d2;
		d2 = d2 + turn * d1;
		d1 = e1;
		if (!(rise > 0 && Math.abs(turn) < TURN_SMALL)) continue;
		const t: f64 = n / m;
		// U_T.d of the direction before the last turn, which changes nothing that counts.
		const slip: f64 = bAlong + t * (d1 * n1 + d2 * n2 + mu * along);
		if (!(t > 0 && slip <= 0)) return false;
		set(r, t);
		set(r + 1, mu * t * d1);
		set(r + 2, mu * t * d2);
		return true;
	}
	return false;
}

/** Where no direction is found: R <- proj_K(R - U / w), contracting for the blocks that occur. */
function byProjection(w: i32, mu: f64, b0: f64, b1: f64, b2: f64, r: i32): void {
	const rho: f64 = 1 / (get(w) + get(w + 4) + get(w + 8));
	projectOnCone(mu, get(r), get(r + 1), get(r + 2), r);
	for (let step: i32 = 0; step < PROJECTED_STEPS; step += 1) {
		const n: f64 = get(r);
		const t1: f64 = get(r + 1);
		const t2: f64 = get(r + 2);
		const u0: f64 = b0 + get(w) * n + get(w + 1) * t1 + get(w + 2) * t2;
		const u1: f64 = b1 + get(w + 3) * n + get(w + 4) * t1 + get(w + 5) * t2;
		const u2: f64 = b2 + get(w + 6) * n + get(w + 7) * t1 + get(w + 8) * t2;
		projectOnCone(mu, n - rho * u0, t1 - rho * u1, t2 - rho * u2, r);
	}
}
