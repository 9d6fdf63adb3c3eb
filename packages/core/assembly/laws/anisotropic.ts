/**
 * Friction that depends on the direction: R_T within an ellipse with the half axes mu_1 R_N and mu_2 R_N,
 *
 *     K = { (R_1 / mu_1)^2 + (R_2 / mu_2)^2 <= R_N^2, R_N >= 0 },   F = [U_N + sqrt(mu_1^2 U_1^2 + mu_2^2 U_2^2), U_T]
 *
 * with 1 and 2 along the axes of the ellipse. The root is the support function of the ellipse. It keeps Signorini's law: -F in the
 * normal cone of K at R means U_N >= 0 orthogonal to R_N, and -U_T normal to the ellipse where it slides (the most dissipation at this R_N).
 *
 * Parameters: mu_1, mu_2, and the first axis as a unit vector (along T1, T2).
 */
import { solveLocal } from "../local";
import { get, set } from "../memory";

const INSIDE: i32 = 0;
const TIP: i32 = 1;
const FACE: i32 = 2;

/** Newton's steps of a projection: half axes by a factor of 1e9 apart took 17 at most, usual ones one to four. */
const STEPS: i32 = 40;

/** Where the last projection ended, what it left of z along the axes, and on the face its multiplier s and z_i / (mu_i^2 + s). */
let place: i32 = INSIDE;
let y1: f64 = 0;
let y2: f64 = 0;
let multiplier: f64 = 0;
let part1: f64 = 0;
let part2: f64 = 0;

/** Whether there is friction: less than what squares can hold is none. */
function hasFriction(mu: f64): boolean {
	return mu * mu > 0;
}

/** sqrt((a x)^2 + (b y)^2) */
function root(a: f64, x: f64, b: f64, y: f64): f64 {
	return Math.sqrt(a * x * (a * x) + b * y * (b * y));
}

/**
 * Projects in the frame of the axes: sets the variables above and returns y_N. On the face y = (I + s D)^-1 z, D = diag(-1, 1/mu_1^2,
 * 1/mu_2^2), and y_N = sqrt((y_1 / mu_1)^2 + (y_2 / mu_2)^2) becomes, with p_i = mu_i z_i,
 *
 *     h(s) = z_N / phi(s) + s - 1 = 0,   phi(s)^2 = sum (p_i / (mu_i^2 + s))^2 = y_N^2
 *
 * 1/phi is concave: Newton's steps from the bound s of the larger axis go one way and need no safeguard but an end.
 */
function nearest(mu1: f64, mu2: f64, n: f64, t1: f64, t2: f64): f64 {
	// Without friction in one direction nothing of z is left there (NaN is), and the other one decides alone, as on a circle.
	const z1: f64 = hasFriction(mu1) ? t1 : 0 * t1;
	const z2: f64 = hasFriction(mu2) ? t2 : 0 * t2;
	const m1: f64 = hasFriction(mu1) ? mu1 : mu2;
	const m2: f64 = hasFriction(mu2) ? mu2 : mu1;
	place = INSIDE;
	y1 = z1;
	y2 = z2;
	if (n >= 0 && root(m2, z1, m1, z2) <= m1 * m2 * n) return n;
	const reach: f64 = root(m1, z1, m2, z2);
	if (n + reach <= 0) {
		place = TIP;
		y1 = 0;
		y2 = 0;
		return 0;
	}
	place = FACE;
	const square1: f64 = m1 * m1;
	const square2: f64 = m2 * m2;
	const p1: f64 = m1 * z1;
	const p2: f64 = m2 * z2;
	let s: f64 = (reach - n * (square1 > square2 ? square1 : square2)) / (reach + n);
	if (!(s > 0)) s = 0;
	let phi: f64 = 0;
	for (let step: i32 = 0; step < STEPS; step += 1) {
		const inverse1: f64 = 1 / (square1 + s);
		const inverse2: f64 = 1 / (square2 + s);
		const a: f64 = p1 * inverse1;
		const b: f64 = p2 * inverse2;
		const square: f64 = a * a + b * b;
		phi = Math.sqrt(square);
		const slope: f64 = 1 + (n * (a * a * inverse1 + b * b * inverse2)) / (square * phi);
		const next: f64 = s - (n / phi + s - 1) / slope;
		// Steps rise where n > 0 and fall elsewhere: the first that does not is rounding.
		if (!(next > 0) || (n > 0 ? next <= s : next >= s)) break;
		s = next;
	}
	multiplier = s;
	part1 = z1 / (square1 + s);
	part2 = z2 / (square2 + s);
	y1 = mu1 * mu1 * part1;
	y2 = mu2 * mu2 * part2;
	return n == n ? phi : n;
}

/** y = proj_K(z). */
export function project(p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	const mu1: f64 = get(p);
	const mu2: f64 = get(p + 1);
	const cosine: f64 = get(p + 2);
	const sine: f64 = get(p + 3);
	const n: f64 = nearest(mu1, mu2, z0, cosine * z1 + sine * z2, cosine * z2 - sine * z1);
	set(y, n);
	if (place == INSIDE && hasFriction(mu1) && hasFriction(mu2)) {
		// As they are, not turned there and back.
		set(y + 1, z1);
		set(y + 2, z2);
		return;
	}
	set(y + 1, cosine * y1 - sine * y2);
	set(y + 2, sine * y1 + cosine * y2);
}

/** f = F(U). */
export function velocity(p: i32, u: i32, f: i32): void {
	const u1: f64 = get(u + 1);
	const u2: f64 = get(u + 2);
	const cosine: f64 = get(p + 2);
	const sine: f64 = get(p + 3);
	set(f, get(u) + root(get(p), cosine * u1 + sine * u2, get(p + 1), cosine * u2 - sine * u1));
	set(f + 1, u1);
	set(f + 2, u2);
}

/**
 * The local solve is Coulomb's with friction 1 in R_N, R_1 / mu_1, R_2 / mu_2 and U_N, mu_1 U_1, mu_2 U_2: the powers are the same, and
 * the ellipse is a circle.
 */
export function solve(w: i32, p: i32, b0: f64, b1: f64, b2: f64, r: i32, scratch: i32): void {
	const mu1: f64 = get(p);
	const mu2: f64 = get(p + 1);
	const cosine: f64 = get(p + 2);
	const sine: f64 = get(p + 3);
	// The axes, stretched: R_T = a_1 y_1 + a_2 y_2, and y takes a_1.U_T, a_2.U_T.
	const a11: f64 = mu1 * cosine;
	const a12: f64 = mu1 * sine;
	const a21: f64 = -mu2 * sine;
	const a22: f64 = mu2 * cosine;
	const v11: f64 = get(w + 4) * a11 + get(w + 5) * a12;
	const v21: f64 = get(w + 7) * a11 + get(w + 8) * a12;
	const v12: f64 = get(w + 4) * a21 + get(w + 5) * a22;
	const v22: f64 = get(w + 7) * a21 + get(w + 8) * a22;
	set(scratch, get(w));
	set(scratch + 1, get(w + 1) * a11 + get(w + 2) * a12);
	set(scratch + 2, get(w + 1) * a21 + get(w + 2) * a22);
	set(scratch + 3, a11 * get(w + 3) + a12 * get(w + 6));
	// Without friction a row is zero: any other number on the diagonal keeps y_i at zero.
	set(scratch + 4, hasFriction(mu1) ? a11 * v11 + a12 * v21 : 1);
	set(scratch + 5, a11 * v12 + a12 * v22);
	set(scratch + 6, a21 * get(w + 3) + a22 * get(w + 6));
	set(scratch + 7, a21 * v11 + a22 * v21);
	set(scratch + 8, hasFriction(mu2) ? a21 * v12 + a22 * v22 : 1);
	const y: i32 = scratch + 9;
	set(y, get(r));
	set(y + 1, hasFriction(mu1) ? (cosine * get(r + 1) + sine * get(r + 2)) / mu1 : 0);
	set(y + 2, hasFriction(mu2) ? (cosine * get(r + 2) - sine * get(r + 1)) / mu2 : 0);
	const c1: f64 = a11 * b1 + a12 * b2;
	const c2: f64 = a21 * b1 + a22 * b2;
	solveLocal(scratch, 1, b0, c1, c2, y);
	// The search for a direction ends before its last digits, which a small axis magnifies: once more from there.
	if (get(y) > 0) solveLocal(scratch, 1, b0, c1, c2, y);
	const r1: f64 = get(y + 1);
	const r2: f64 = get(y + 2);
	set(r, get(y));
	set(r + 1, a11 * r1 + a21 * r2);
	set(r + 2, a12 * r1 + a22 * r2);
}

/**
 * C = F + m(S) at c with S = R - F and m(S) = S - proj_K(S), and where x >= 0, X = (I - dm/dS) dF/dU at x and Y = dm/dS at y. omega
 * smooths the root in F alone; on the face, with n_i = z_i / (mu_i^2 + s) and q_i = mu_i^2 / (mu_i^2 + s),
 *
 *     E = sum n_i^2 q_i (mu_i^2 + 1)    K = sum n_i^2 q_i
 *     d proj_K = [K / E, y_N q_i n_i / E; ., q_i delta_ij - (1 - s) q_i n_i q_j n_j / E]
 */
export function residual(p: i32, omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	const mu1: f64 = get(p);
	const mu2: f64 = get(p + 1);
	const cosine: f64 = get(p + 2);
	const sine: f64 = get(p + 3);
	const u1: f64 = cosine * get(u + 1) + sine * get(u + 2);
	const u2: f64 = cosine * get(u + 2) - sine * get(u + 1);
	const small: f64 = (mu1 > mu2 ? mu1 : mu2) * omega;
	const speed: f64 = Math.sqrt(mu1 * u1 * (mu1 * u1) + mu2 * u2 * (mu2 * u2) + small * small);
	const s0: f64 = get(r) - (get(u) + speed - small);
	const s1: f64 = get(r + 1) - get(u + 1);
	const s2: f64 = get(r + 2) - get(u + 2);
	project(p, s0, s1, s2, c);
	const normal: f64 = get(c);
	set(c, get(r) - normal);
	set(c + 1, get(r + 1) - get(c + 1));
	set(c + 2, get(r + 2) - get(c + 2));
	if (x < 0) return;

	// d proj_K in the frame of the axes: the identity inside, nothing at the tip, the middle where both meet.
	let d00: f64 = place == INSIDE ? 1 : 0;
	if (s0 == 0 && s1 == 0 && s2 == 0) d00 = 0.5;
	let d01: f64 = 0;
	let d02: f64 = 0;
	let d11: f64 = hasFriction(mu1) ? d00 : 0;
	let d12: f64 = 0;
	let d22: f64 = hasFriction(mu2) ? d00 : 0;
	if (place == FACE) {
		const q1: f64 = hasFriction(mu1) ? (mu1 * mu1) / (mu1 * mu1 + multiplier) : 0;
		const q2: f64 = hasFriction(mu2) ? (mu2 * mu2) / (mu2 * mu2 + multiplier) : 0;
		const k1: f64 = part1 * part1 * q1;
		const k2: f64 = part2 * part2 * q2;
		const inverse: f64 = 1 / (k1 * (mu1 * mu1 + 1) + k2 * (mu2 * mu2 + 1));
		const v1: f64 = q1 * part1;
		const v2: f64 = q2 * part2;
		const rest: f64 = (1 - multiplier) * inverse;
		d00 = (k1 + k2) * inverse;
		d01 = normal * v1 * inverse;
		d02 = normal * v2 * inverse;
		d11 = q1 - rest * v1 * v1;
		d12 = -rest * v1 * v2;
		d22 = q2 - rest * v2 * v2;
	}
	// Turned back to T1, T2.
	const e01: f64 = cosine * d01 - sine * d02;
	const e02: f64 = sine * d01 + cosine * d02;
	const e11: f64 = cosine * cosine * d11 - 2 * (cosine * sine) * d12 + sine * sine * d22;
	const e12: f64 = cosine * sine * (d11 - d22) + (cosine * cosine - sine * sine) * d12;
	const e22: f64 = sine * sine * d11 + 2 * (cosine * sine) * d12 + cosine * cosine * d22;
	const slip1: f64 = speed > 0 ? (mu1 * mu1 * u1) / speed : 0;
	const slip2: f64 = speed > 0 ? (mu2 * mu2 * u2) / speed : 0;
	const f1: f64 = cosine * slip1 - sine * slip2;
	const f2: f64 = sine * slip1 + cosine * slip2;
	setRow(x, y, 1, 0, 0, d00, e01, e02, f1, f2);
	setRow(x + 3, y + 3, 0, 1, 0, e01, e11, e12, f1, f2);
	setRow(x + 6, y + 6, 0, 0, 1, e02, e12, e22, f1, f2);
}

/** A row of X = d proj_K [1, f; 0, I] and of Y = I - d proj_K, from the identity's row i and the projection's row d. */
function setRow(x: i32, y: i32, i0: f64, i1: f64, i2: f64, d0: f64, d1: f64, d2: f64, f1: f64, f2: f64): void {
	set(x, d0);
	set(x + 1, d1 + d0 * f1);
	set(x + 2, d2 + d0 * f2);
	set(y, i0 - d0);
	set(y + 1, i1 - d1);
	set(y + 2, i2 - d2);
}
