/**
 * Limits of joints and motors: each of three rows within its own interval, and nothing else,
 *
 *     K = [lo_0, hi_0] x [lo_1, hi_1] x [lo_2, hi_2],   F = U
 *
 * so that a row moves against its reaction only at a limit: at hi_i U_i <= 0, at lo_i U_i >= 0, between them U_i = 0. A row without limits is
 * an equality, one with lo = hi a given force; K need not contain zero.
 *
 * Parameters: 0 (no friction), the three lo_i, the three hi_i; infinities are allowed.
 */
import { get, set } from "../memory";

/** Places of the first of each among the parameters. */
const LO: i32 = 1;
const HI: i32 = 4;
/** Each row is free, at lo or at hi. */
const CHOICES: i32 = 27;

function clamp(z: f64, lo: f64, hi: f64): f64 {
	return z < lo ? lo : z > hi ? hi : z;
}

/** y = proj_K(z). */
export function project(p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	set(y, clamp(z0, get(p + LO), get(p + HI)));
	set(y + 1, clamp(z1, get(p + LO + 1), get(p + HI + 1)));
	set(y + 2, clamp(z2, get(p + LO + 2), get(p + HI + 2)));
}

/** f = F(U). */
export function velocity(p: i32, u: i32, f: i32): void {
	set(f, get(u));
	set(f + 1, get(u + 1));
	set(f + 2, get(u + 2));
}

/** The part of row i in a choice: 0 free, 1 at lo, 2 at hi. */
function partOf(choice: i32, i: i32): i32 {
	return i == 0 ? choice % 3 : i == 1 ? ((choice / 3) | 0) % 3 : (choice / 9) | 0;
}

/** The row of W for a row that is free, of the identity for one that is at a limit. */
function entry(w: i32, part: i32, i: i32, j: i32): f64 {
	return part == 0 ? get(w + 3 * i + j) : i == j ? 1 : 0;
}

/** What stands right of such a row. */
function side(p: i32, part: i32, i: i32, b: f64): f64 {
	return part == 0 ? -b : get(p + i + (part == 1 ? LO : HI));
}

/** Solves with one choice of limits and writes R at r. */
function solveChoice(w: i32, p: i32, choice: i32, b0: f64, b1: f64, b2: f64, r: i32): void {
	const k0: i32 = partOf(choice, 0);
	const k1: i32 = partOf(choice, 1);
	const k2: i32 = partOf(choice, 2);
	const a00: f64 = entry(w, k0, 0, 0);
	const a01: f64 = entry(w, k0, 0, 1);
	const a02: f64 = entry(w, k0, 0, 2);
	const a10: f64 = entry(w, k1, 1, 0);
	const a11: f64 = entry(w, k1, 1, 1);
	const a12: f64 = entry(w, k1, 1, 2);
	const a20: f64 = entry(w, k2, 2, 0);
	const a21: f64 = entry(w, k2, 2, 1);
	const a22: f64 = entry(w, k2, 2, 2);
	const c0: f64 = side(p, k0, 0, b0);
	const c1: f64 = side(p, k1, 1, b1);
	const c2: f64 = side(p, k2, 2, b2);
	const m00: f64 = a11 * a22 - a12 * a21;
	const m01: f64 = a12 * a20 - a10 * a22;
	const m02: f64 = a10 * a21 - a11 * a20;
	const inverse: f64 = 1 / (a00 * m00 + a01 * m01 + a02 * m02);
	const r0: f64 = inverse * (m00 * c0 + (a02 * a21 - a01 * a22) * c1 + (a01 * a12 - a02 * a11) * c2);
	const r1: f64 = inverse * (m01 * c0 + (a00 * a22 - a02 * a20) * c1 + (a02 * a10 - a00 * a12) * c2);
	const r2: f64 = inverse * (m02 * c0 + (a01 * a20 - a00 * a21) * c1 + (a00 * a11 - a01 * a10) * c2);
	// A limit is met to the bit.
	set(r, k0 == 0 ? r0 : c0);
	set(r + 1, k1 == 0 ? r1 : c1);
	set(r + 2, k2 == 0 ? r2 : c2);
}

/** How far row i of a choice is from the law, as an impulse; not a number where that row of W has no solution. */
function missed(w: i32, p: i32, part: i32, i: i32, b: f64, r: i32): f64 {
	const lo: f64 = get(p + LO + i);
	const hi: f64 = get(p + HI + i);
	const reaction: f64 = get(r + i);
	if (part == 0) return reaction < lo ? lo - reaction : reaction > hi ? reaction - hi : reaction - reaction;
	if (lo == hi) return 0;
	const row: i32 = w + 3 * i;
	const u: f64 = b + (get(row) * get(r) + get(row + 1) * get(r + 1) + get(row + 2) * get(r + 2));
	const against: f64 = part == 1 ? -u : u;
	return against > 0 ? against / get(row + i) : against - against;
}

/** The part of row i that a reaction shows. */
function partAt(p: i32, r: i32, i: i32): i32 {
	return get(r + i) <= get(p + LO + i) ? 1 : get(r + i) >= get(p + HI + i) ? 2 : 0;
}

/** Whether the limits of a choice are numbers, and none is named twice. */
function isPossible(p: i32, choice: i32): boolean {
	for (let i: i32 = 0; i < 3; i += 1) {
		const part: i32 = partOf(choice, i);
		const lo: f64 = get(p + LO + i);
		const hi: f64 = get(p + HI + i);
		if (part == 1 && lo == -Infinity) return false;
		if (part == 2 && (hi == Infinity || lo == hi)) return false;
		if (part == 0 && lo == hi) return false;
	}
	return true;
}

/**
 * Of the choices of limits the one that keeps the law, from that of the last R on: with the symmetric part of W positive definite there is one
 * solution. Where rounding leaves none, the one that misses least.
 */
export function solve(w: i32, p: i32, b0: f64, b1: f64, b2: f64, r: i32, _scratch: i32): void {
	const first: i32 = partAt(p, r, 0) + 3 * partAt(p, r, 1) + 9 * partAt(p, r, 2);
	let best: i32 = -1;
	let least: f64 = Infinity;
	for (let k: i32 = 0; k < CHOICES; k += 1) {
		const choice: i32 = (first + k) % CHOICES;
		if (!isPossible(p, choice)) continue;
		solveChoice(w, p, choice, b0, b1, b2, r);
		const m0: f64 = missed(w, p, partOf(choice, 0), 0, b0, r);
		const m1: f64 = missed(w, p, partOf(choice, 1), 1, b1, r);
		const m2: f64 = missed(w, p, partOf(choice, 2), 2, b2, r);
		const worst: f64 = m0 + m1 + m2;
		if (worst == 0) return;
		if (worst < least) {
			least = worst;
			best = choice;
		}
	}
	if (best < 0) {
		project(p, 0, 0, 0, r);
		return;
	}
	solveChoice(w, p, best, b0, b1, b2, r);
	project(p, get(r), get(r + 1), get(r + 2), r);
}

/**
 * C = R - proj_K(R - U) at c; where x >= 0 X = D and Y = I - D of the same, D = 1 in rows between their limits, 0 beyond them, and the
 * middle on them. Nothing has to be smoothed by omega.
 */
export function residual(p: i32, _omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	for (let i: i32 = 0; i < 3; i += 1) {
		const lo: f64 = get(p + LO + i);
		const hi: f64 = get(p + HI + i);
		const s: f64 = get(r + i) - get(u + i);
		set(c + i, get(r + i) - clamp(s, lo, hi));
		if (x < 0) continue;
		const inside: f64 = s > lo && s < hi ? 1 : s < lo || s > hi ? 0 : 0.5;
		for (let j: i32 = 0; j < 3; j += 1) {
			set(x + 3 * i + j, i == j ? inside : 0);
			set(y + 3 * i + j, i == j ? 1 - inside : 0);
		}
	}
}
