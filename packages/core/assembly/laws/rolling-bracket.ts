/**
 * The local solve of one rolling contact from nothing: for a given R_N its parts (friction, spin, rolling) are each in a disc or an interval, and are
 * found by turns, each exactly; then U_N, as a function of R_N that begins below zero, is brought to zero between two bounds. Slow and sure,
 * for where Newton's steps (rolling-local.ts) get stuck.
 */
import { get, set } from "../memory";

const TURNS: i32 = 100;
const STEPS: i32 = 60;
const DOUBLINGS: i32 = 60;
const SECULAR_STEPS: i32 = 40;
/** What is rounding: changes of parts as a share of R_N, U_N as a share of b_N, the length of a part as a share of its limit. */
const ROUNDING: f64 = 1e-14;

/** U_i = (W R + b)_i */
function velocityOf(w: i32, b: i32, r: i32, i: i32): f64 {
	let sum: f64 = get(b + i);
	for (let j: i32 = 0; j < 6; j += 1) sum += get(w + 6 * i + j) * get(r + j);
	return sum;
}

/** R_i within +-radius by its own velocity; returns what changed. */
function solveOne(w: i32, b: i32, r: i32, i: i32, radius: f64): f64 {
	const own: f64 = get(w + 7 * i);
	if (!(own > 0)) return 0;
	const last: f64 = get(r + i);
	set(r + i, Math.max(-radius, Math.min(radius, last - velocityOf(w, b, r, i) / own)));
	return Math.abs(get(r + i) - last);
}

/** R_i and R_i+1 within the disc: (A + s) R = -g, s = 0 or such that |R| is the radius; returns what changed. */
function solveTwo(w: i32, b: i32, r: i32, i: i32, radius: f64): f64 {
	const a: f64 = get(w + 7 * i);
	const c: f64 = get(w + 7 * i + 1);
	const d: f64 = get(w + 7 * i + 6);
	const e: f64 = get(w + 7 * i + 7);
	const x0: f64 = get(r + i);
	const y0: f64 = get(r + i + 1);
	const g: f64 = velocityOf(w, b, r, i) - (a * x0 + c * y0);
	const h: f64 = velocityOf(w, b, r, i + 1) - (d * x0 + e * y0);
	let low: f64 = 0;
	let high: f64 = radius > 0 ? Math.sqrt(g * g + h * h) / radius : 0;
	let s: f64 = 0;
	let x: f64 = 0;
	let y: f64 = 0;
	for (let step: i32 = 0; radius > 0 && step < SECULAR_STEPS; step += 1) {
		const det: f64 = (a + s) * (e + s) - c * d;
		x = (c * h - (e + s) * g) / det;
		y = (d * g - (a + s) * h) / det;
		const length: f64 = Math.sqrt(x * x + y * y);
		if (length <= radius) high = s;
		else low = s;
		if ((s == 0 && length <= radius) || Math.abs(length - radius) <= ROUNDING * radius) break;
		// Newton's step for 1 / |R|, which is nearly straight: z = (A + s)^-1 R.
		const zx: f64 = ((e + s) * x - c * y) / det;
		const zy: f64 = ((a + s) * y - d * x) / det;
		s += ((length - radius) / radius) * ((length * length) / (x * zx + y * zy));
		if (!(s > low && s < high)) s = 0.5 * (low + high);
	}
	const length: f64 = Math.sqrt(x * x + y * y);
	const factor: f64 = length > radius ? radius / length : 1;
	set(r + i, factor * x);
	set(r + i + 1, factor * y);
	return Math.abs(factor * x - x0) + Math.abs(factor * y - y0);
}

/** U_N at R_N = n, and the parts that belong to it. */
function normalVelocity(p: i32, w: i32, b: i32, r: i32, n: f64): f64 {
	set(r, n);
	for (let turn: i32 = 0; turn < TURNS; turn += 1) {
		let change: f64 = solveTwo(w, b, r, 1, get(p) * n);
		change = Math.max(change, solveOne(w, b, r, 3, get(p + 2) * n));
		change = Math.max(change, solveTwo(w, b, r, 4, get(p + 1) * n));
		if (!(change > ROUNDING * n)) break;
	}
	return velocityOf(w, b, r, 0);
}

/** Solves W R + b at r, where b_N < 0; false where U_N stays below zero whatever R_N is. W has 36 numbers by rows, and p is mu, mu_r and mu_s. */
export function bracketRolling(p: i32, w: i32, b: i32, r: i32): boolean {
	for (let i: i32 = 0; i < 6; i += 1) set(r + i, 0);
	let low: f64 = 0;
	let below: f64 = get(b);
	let high: f64 = -below / get(w);
	let above: f64 = normalVelocity(p, w, b, r, high);
	for (let k: i32 = 0; above < 0 && k < DOUBLINGS; k += 1) {
		low = high;
		below = above;
		high *= 2;
		above = normalVelocity(p, w, b, r, high);
	}
	if (!(above >= 0)) return false;
	const small: f64 = -ROUNDING * get(b);
	// Regula falsi, halving the value of a bound that stays (Illinois).
	for (let step: i32 = 0; step < STEPS && high - low > ROUNDING * high; step += 1) {
		const n: f64 = step % 4 == 3 ? 0.5 * (low + high) : (low * above - high * below) / (above - below);
		const value: f64 = normalVelocity(p, w, b, r, n);
		if (Math.abs(value) <= small) return true;
		if (value < 0) {
			low = n;
			below = value;
			above *= 0.5;
		} else {
			high = n;
			above = value;
			below *= 0.5;
		}
	}
	return true;
}
