/**
 * The exact local solve of the associated law, F = U, on the cone |R_T| <= mu R_N that a cap may cut: R in K with -U in the normal cone
 * of K at R, U = W R + b. The symmetric part of W has to be positive definite; then there is one solution.
 *
 * With R_N held, R_T is the point of a disc with -U_T in its normal cone, R_T = -(W_TT + s I)^-1 (b_T + W_TN R_N), and what is
 * left is one equation in R_N,
 *
 *     psi(R_N) = U_N - mu |U_T| = 0,   or R_N = cap with psi(cap) <= 0
 *
 * psi rises: (psi - psi') (R_N - R_N') >= <W (R - R'), R - R'>. So Newton's method between two bounds finds its root.
 *
 * The search in a disc serves the law with a preload as well, whose R_N is held.
 */
import { solveBlock } from "../block";
import { get, set } from "../memory";

/** Limits of the two searches: Newton's steps, or halvings between bounds in bad cases. */
const STEPS: i32 = 80;
const DISC_STEPS: i32 = 80;
/** What rounding leaves of a radius and of R_N, and from where on a step that is not half the last one is rounding too. */
const SMALL: f64 = 4e-16;
const NEAR: f64 = 1e-9;

/** What the last search in a disc ended with: R_T, the multiplier s (|U_T| = s |R_T|), psi and its derivative. */
let t1: f64 = 0;
let t2: f64 = 0;
let multiplier: f64 = 0;
let psi: f64 = 0;
let slope: f64 = 0;

/** Sets the variables above for R_N = n. The multiplier that stands there is where the search begins. */
function searchDisc(w: i32, mu: f64, n: f64, b0: f64, b1: f64, b2: f64): void {
	const w1: f64 = get(w + 3);
	const w2: f64 = get(w + 6);
	const a11: f64 = get(w + 4);
	const a12: f64 = get(w + 5);
	const a21: f64 = get(w + 7);
	const a22: f64 = get(w + 8);
	const g1: f64 = b1 + w1 * n;
	const g2: f64 = b2 + w2 * n;
	const radius: f64 = mu * n;
	// |R_T| falls with s, and 1 / |R_T| is nearly a line: Newton's steps of that, between bounds; s = 0 is sticking.
	let low: f64 = -1;
	let high: f64 = Infinity;
	let s: f64 = multiplier;
	let a: f64 = 0;
	let d: f64 = 0;
	let inverse: f64 = 0;
	let bend: f64 = 0;
	for (let step: i32 = 0; step < DISC_STEPS; step += 1) {
		a = a11 + s;
		d = a22 + s;
		inverse = 1 / (a * d - a12 * a21);
		t1 = -inverse * (d * g1 - a12 * g2);
		t2 = -inverse * (a * g2 - a21 * g1);
		const square: f64 = t1 * t1 + t2 * t2;
		// <R_T, (W_TT + s I)^-1 R_T>
		bend = inverse * (t1 * (d * t1 - a12 * t2) + t2 * (a * t2 - a21 * t1));
		const excess: f64 = Math.sqrt(square) - radius;
		if (excess > 0) low = s;
		else high = s;
		if (high == 0 || Math.abs(excess) <= SMALL * radius) break;
		let next: f64 = s + (excess * square) / (radius * bend);
		if (next == s) break;
		if (next < 0) next = 0;
		if (next <= low || next >= high) next = 0.5 * (low + high);
		s = next;
	}
	multiplier = s;
	const across: f64 = get(w + 1) * t1 + get(w + 2) * t2;
	// The velocity of (1, R_T') as R_N moves: R_T' = -(W_TT + s I)^-1 (W_TN + s' R_T), and s' keeps R_T on the disc.
	const c1: f64 = inverse * (d * w1 - a12 * w2);
	const c2: f64 = inverse * (a * w2 - a21 * w1);
	if (s == 0) {
		psi = b0 + get(w) * n + across;
		slope = get(w) - (get(w + 1) * c1 + get(w + 2) * c2);
		return;
	}
	const turn: f64 = -(mu * radius + t1 * c1 + t2 * c2) / bend;
	const e1: f64 = c1 + turn * inverse * (d * t1 - a12 * t2);
	const e2: f64 = c2 + turn * inverse * (a * t2 - a21 * t1);
	psi = b0 + get(w) * n + across - mu * s * radius;
	slope = get(w) - (get(w + 1) * e1 + get(w + 2) * e2) - mu * (s * mu + turn * radius);
}

/** Solves the contact at r; cap may be infinite. */
export function solveAssociated(w: i32, mu: f64, cap: f64, b0: f64, b1: f64, b2: f64, r: i32): void {
	const speed: f64 = Math.sqrt(b1 * b1 + b2 * b2);
	if (b0 >= mu * speed || cap <= 0) {
		set(r, 0);
		set(r + 1, 0);
		set(r + 2, 0);
		return;
	}
	if (mu == 0) {
		const alone: f64 = -b0 / get(w);
		set(r, alone < cap ? alone : cap);
		set(r + 1, 0);
		set(r + 2, 0);
		return;
	}
	solveBlock(w, -b0, -b1, -b2, r);
	const stick: f64 = get(r);
	const pull: f64 = Math.sqrt(get(r + 1) * get(r + 1) + get(r + 2) * get(r + 2));
	if (stick >= 0 && stick <= cap && pull <= mu * stick) return;
	const n: f64 = searchNormal(w, mu, cap, b0, b1, b2, speed);
	set(r, n);
	set(r + 1, t1);
	set(r + 2, t2);
}

/** The root of psi, or the cap; R_T of it stands in the variables above. */
function searchNormal(w: i32, mu: f64, cap: f64, b0: f64, b1: f64, b2: f64, speed: f64): f64 {
	// To begin with, R along (1, -mu b_T / |b_T|), where psi falls furthest below zero at the tip.
	const v1: f64 = speed > 0 ? (-mu * b1) / speed : 0;
	const v2: f64 = speed > 0 ? (-mu * b2) / speed : 0;
	const form: f64 =
		get(w) +
		v1 * (get(w + 1) + get(w + 3) + get(w + 4) * v1 + get(w + 5) * v2) +
		v2 * (get(w + 2) + get(w + 6) + get(w + 7) * v1 + get(w + 8) * v2);
	let n: f64 = (mu * speed - b0) / form;
	if (n > cap) n = cap;
	let low: f64 = 0;
	let high: f64 = Infinity;
	let last: f64 = Infinity;
	multiplier = 0;
	for (let step: i32 = 0; step < STEPS; step += 1) {
		searchDisc(w, mu, n, b0, b1, b2);
		if (psi <= 0) low = n;
		else high = n;
		if (low >= cap) break;
		let next: f64 = n - psi / slope;
		if (next == n) break;
		if (next > cap) next = cap;
		if (next <= low || next >= high) next = 0.5 * (low + (high < cap ? high : cap));
		const move: f64 = Math.abs(next - n);
		if (move <= SMALL * n || (move <= NEAR * n && move > 0.5 * last)) break;
		last = move;
		n = next;
	}
	return n;
}

/** U_N of the last search in a disc, whose R_N was n. */
function openingSpeed(mu: f64, n: f64): f64 {
	return psi + mu * multiplier * mu * n;
}

/**
 * Solves the contact at r with R_N >= least and Coulomb's F, where R_N of its solution without that bound is below it: R_N = least, and R_T of the
 * disc there. Where friction pulls a contact shut (W_NT) U_N may be below zero there, and R_N is raised until it is not.
 */
export function solvePressed(w: i32, mu: f64, least: f64, b0: f64, b1: f64, b2: f64, r: i32): void {
	if (mu == 0) {
		set(r, least);
		set(r + 1, 0);
		set(r + 2, 0);
		return;
	}
	let n: f64 = least;
	multiplier = 0;
	searchDisc(w, mu, n, b0, b1, b2);
	if (openingSpeed(mu, n) < 0) {
		let low: f64 = n;
		let high: f64 = Infinity;
		for (let step: i32 = 0; step < STEPS; step += 1) {
			const next: f64 = high < Infinity ? 0.5 * (low + high) : 2 * low;
			if (next == low || next == high) break;
			n = next;
			searchDisc(w, mu, n, b0, b1, b2);
			if (openingSpeed(mu, n) < 0) low = n;
			else high = n;
		}
	}
	set(r, n);
	set(r + 1, t1);
	set(r + 2, t2);
}
