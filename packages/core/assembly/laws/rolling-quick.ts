/**
 * The local solve of a rolling contact in a sweep, from its last reaction: Newton's method on the residual of Alart and Curnier, as in
 * rolling-newton.ts. What sticks has the rows of W, what is at its limit has
 *
 *     e.dR - mu dR_N = mu R_N - e.R,     (1 - phi) f.dR + phi rho f.W dR = -f.R,     phi = mu R_N / |z|
 *
 * with z = R - rho U, e along it and f across. A sweep comes back to the contact, so that a small step, after which the same parts
 * are at their limits, is good enough as the last one. Wherever that does not come about the exact solve (rolling-local.ts) starts from the same reaction.
 */
import { get, set } from "../memory";
import { projectRolling } from "./rolling";

const STEPS: i32 = 5;
/** Square of the step over that of the reaction at which the solve ends. */
const SMALL: f64 = 1e-4;
/** Determinant of a block over its terms, below which it counts as singular. */
const SINGULAR: f64 = 1e-10;

/** Place of U in scratch, behind six rows of seven numbers in eights. */
export const U: i32 = 48;

/** Row i of the matrix: that of W, and -U_i behind it. */
function stickRow(m: i32, w: i32, i: i32): void {
	const to: i32 = m + 8 * i;
	const from: i32 = w + 6 * i;
	set(to, get(from));
	set(to + 1, get(from + 1));
	set(to + 2, get(from + 2));
	set(to + 3, get(from + 3));
	set(to + 4, get(from + 4));
	set(to + 5, get(from + 5));
	set(to + 6, -get(m + U + i));
}

/** Rows i and i + 1 of two directions at their limit: (z1, z2) of this size. */
function slipRows(
	m: i32,
	w: i32,
	i: i32,
	rho: f64,
	mu: f64,
	radius: f64,
	z1: f64,
	z2: f64,
	size: f64,
	r1: f64,
	r2: f64,
): void {
	const e1: f64 = size > 0 ? z1 / size : 1;
	const e2: f64 = size > 0 ? z2 / size : 0;
	const phi: f64 = size > 0 ? radius / size : 0;
	const turn: f64 = phi * rho;
	const rest: f64 = 1 - phi;
	const first: i32 = m + 8 * i;
	const from: i32 = w + 6 * i;
	for (let j: i32 = 0; j < 6; j += 1) {
		const across: f64 = turn * (e1 * get(from + 6 + j) - e2 * get(from + j));
		set(first + j, -e2 * across);
		set(first + 8 + j, e1 * across);
	}
	set(first, get(first) - mu * e1);
	set(first + 8, get(first + 8) - mu * e2);
	set(first + i, get(first + i) + (e1 * e1 + rest * e2 * e2));
	set(first + i + 1, get(first + i + 1) + (e1 * e2 - rest * e1 * e2));
	set(first + 8 + i, get(first + 8 + i) + (e1 * e2 - rest * e1 * e2));
	set(first + 8 + i + 1, get(first + 8 + i + 1) + (e2 * e2 + rest * e1 * e1));
	set(first + 6, radius * e1 - r1);
	set(first + 14, radius * e2 - r2);
}

/** True if R - rho U of the directions i and i + 1 is outside the disc. */
function isBeyond(m: i32, i: i32, rho: f64, radius: f64, r1: f64, r2: f64): boolean {
	const z1: f64 = r1 - rho * get(m + U + i);
	const z2: f64 = r2 - rho * get(m + U + i + 1);
	return radius == 0 || z1 * z1 + z2 * z2 > radius * radius;
}

/** Rows i and i + 1 of two directions, (r1, r2) of the reaction. */
function twoRows(m: i32, w: i32, i: i32, slips: boolean, rho: f64, mu: f64, normal: f64, r1: f64, r2: f64): void {
	if (!slips) {
		stickRow(m, w, i);
		stickRow(m, w, i + 1);
		return;
	}
	const z1: f64 = r1 - rho * get(m + U + i);
	const z2: f64 = r2 - rho * get(m + U + i + 1);
	slipRows(m, w, i, rho, mu, mu * normal, z1, z2, Math.sqrt(z1 * z1 + z2 * z2), r1, r2);
}

/** Row i of one direction at its limit. */
function spinRow(m: i32, i: i32, mu: f64, limit: f64, sign: f64, r: f64): void {
	const to: i32 = m + 8 * i;
	for (let j: i32 = 0; j < 6; j += 1) set(to + j, 0);
	set(to, -sign * mu);
	set(to + i, 1);
	set(to + 6, sign * limit - r);
}

/**
 * Column 6 becomes x of A x = column 6, and columns 3 to 5 A^-1 of them if `columns`, for the 3x3 block A at column `c` of three rows; false where A is
 * near singular. By the adjugate, of which one division waits for another no longer than it must.
 */
function solveThree(m: i32, c: i32, columns: boolean): boolean {
	const a00: f64 = get(m + c);
	const a01: f64 = get(m + c + 1);
	const a02: f64 = get(m + c + 2);
	const a10: f64 = get(m + c + 8);
	const a11: f64 = get(m + c + 9);
	const a12: f64 = get(m + c + 10);
	const a20: f64 = get(m + c + 16);
	const a21: f64 = get(m + c + 17);
	const a22: f64 = get(m + c + 18);
	const c00: f64 = a11 * a22 - a12 * a21;
	const c01: f64 = a02 * a21 - a01 * a22;
	const c02: f64 = a01 * a12 - a02 * a11;
	const d0: f64 = a00 * c00;
	const d1: f64 = a10 * c01;
	const d2: f64 = a20 * c02;
	const determinant: f64 = d0 + d1 + d2;
	if (!(Math.abs(determinant) > SINGULAR * (Math.abs(d0) + Math.abs(d1) + Math.abs(d2)))) return false;
	const inverse: f64 = 1 / determinant;
	const c10: f64 = a12 * a20 - a10 * a22;
	const c11: f64 = a00 * a22 - a02 * a20;
	const c12: f64 = a02 * a10 - a00 * a12;
	const c20: f64 = a10 * a21 - a11 * a20;
	const c21: f64 = a01 * a20 - a00 * a21;
	const c22: f64 = a00 * a11 - a01 * a10;
	for (let j: i32 = columns ? 3 : 6; j < 7; j += 1) {
		const x0: f64 = inverse * get(m + j);
		const x1: f64 = inverse * get(m + j + 8);
		const x2: f64 = inverse * get(m + j + 16);
		set(m + j, c00 * x0 + c01 * x1 + c02 * x2);
		set(m + j + 8, c10 * x0 + c11 * x1 + c12 * x2);
		set(m + j + 16, c20 * x0 + c21 * x1 + c22 * x2);
	}
	return true;
}

/** The solution in column 6, forces first; false where a block is near singular. */
function solve(m: i32): boolean {
	if (!solveThree(m, 0, true)) return false;
	for (let i: i32 = m + 24; i < m + 48; i += 8) {
		const c0: f64 = get(i);
		const c1: f64 = get(i + 1);
		const c2: f64 = get(i + 2);
		set(i + 3, get(i + 3) - (c0 * get(m + 3) + c1 * get(m + 11) + c2 * get(m + 19)));
		set(i + 4, get(i + 4) - (c0 * get(m + 4) + c1 * get(m + 12) + c2 * get(m + 20)));
		set(i + 5, get(i + 5) - (c0 * get(m + 5) + c1 * get(m + 13) + c2 * get(m + 21)));
		set(i + 6, get(i + 6) - (c0 * get(m + 6) + c1 * get(m + 14) + c2 * get(m + 22)));
	}
	if (!solveThree(m + 24, 3, false)) return false;
	const x3: f64 = get(m + 30);
	const x4: f64 = get(m + 38);
	const x5: f64 = get(m + 46);
	set(m + 6, get(m + 6) - (get(m + 3) * x3 + get(m + 4) * x4 + get(m + 5) * x5));
	set(m + 14, get(m + 14) - (get(m + 11) * x3 + get(m + 12) * x4 + get(m + 13) * x5));
	set(m + 22, get(m + 22) - (get(m + 19) * x3 + get(m + 20) * x4 + get(m + 21) * x5));
	return true;
}

/** U_i += (W dR)_i */
function addVelocity(w: i32, m: i32, i: i32): void {
	const row: i32 = w + 6 * i;
	const forces: f64 = get(row) * get(m + 6) + get(row + 1) * get(m + 14) + get(row + 2) * get(m + 22);
	const moments: f64 = get(row + 3) * get(m + 30) + get(row + 4) * get(m + 38) + get(row + 5) * get(m + 46);
	set(m + U + i, get(m + U + i) + (forces + moments));
}

/**
 * Solves the contact at r from there, with its velocities there at m + U; w has 36 numbers by rows, and m is scratch for 54. False where r is as it
 * was.
 */
export function quickRolling(w: i32, p: i32, r: i32, m: i32): boolean {
	const mu: f64 = get(p);
	const roll: f64 = get(p + 1);
	const spin: f64 = get(p + 2);
	const force: f64 = 3 / (get(w) + get(w + 7) + get(w + 14));
	const moment: f64 = 3 / (get(w + 21) + get(w + 28) + get(w + 35));
	let n: f64 = get(r);
	let t1: f64 = get(r + 1);
	let t2: f64 = get(r + 2);
	let s: f64 = get(r + 3);
	let m1: f64 = get(r + 4);
	let m2: f64 = get(r + 5);
	let last: i32 = -1;
	let isNear: boolean = false;
	for (let step: i32 = 0; step < STEPS; step += 1) {
		if (step > 0) for (let i: i32 = 0; i < 6; i += 1) addVelocity(w, m, i);
		if (!(n > 0 && n > force * get(m + U))) return false;
		const y: f64 = s - moment * get(m + U + 3);
		const slides: boolean = isBeyond(m, 1, force, mu * n, t1, t2);
		const spins: boolean = Math.abs(y) > spin * n || spin == 0;
		const rolls: boolean = isBeyond(m, 4, moment, roll * n, m1, m2);
		const parts: i32 = (slides ? 1 : 0) | (spins ? 2 : 0) | (rolls ? 4 : 0);
		if (isNear && parts == last) {
			set(r, n);
			set(r + 1, t1);
			set(r + 2, t2);
			set(r + 3, s);
			set(r + 4, m1);
			set(r + 5, m2);
			projectRolling(p, r, r);
			return true;
		}
		last = parts;
		stickRow(m, w, 0);
		twoRows(m, w, 1, slides, force, mu, n, t1, t2);
		if (spins) spinRow(m, 3, spin, spin * n, y < 0 ? -1 : 1, s);
		else stickRow(m, w, 3);
		twoRows(m, w, 4, rolls, moment, roll, n, m1, m2);
		if (!solve(m)) return false;
		const d0: f64 = get(m + 6);
		const d1: f64 = get(m + 14);
		const d2: f64 = get(m + 22);
		const d3: f64 = get(m + 30);
		const d4: f64 = get(m + 38);
		const d5: f64 = get(m + 46);
		n += d0;
		t1 += d1;
		t2 += d2;
		s += d3;
		m1 += d4;
		m2 += d5;
		const change: f64 = moment * (d0 * d0 + d1 * d1 + d2 * d2) + force * (d3 * d3 + d4 * d4 + d5 * d5);
		const size: f64 = moment * (n * n + t1 * t1 + t2 * t2) + force * (s * s + m1 * m1 + m2 * m2);
		isNear = change <= SMALL * size;
	}
	return false;
}
