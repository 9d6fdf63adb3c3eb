/**
 * The local solve of one rolling contact: R in K with -F(W R + b) in the normal cone of K at R, six numbers each. Take-off and no motion at
 * all are tried first; then a semismooth Newton method on the natural map R - proj_K(R - F), and where that gets stuck steps
 * R <- proj_K(R - F) in between, and in the end rolling-bracket.ts. W is scaled by blocks first, so that a step of 1 is about right for forces and for moments.
 */
import { get, set } from "../memory";
import { projectRolling, rollingGradient, rollingResidual, rollingSlope } from "./rolling";
import { bracketRolling } from "./rolling-bracket";

const NEWTON_STEPS: i32 = 30;
const HALVINGS: i32 = 12;
/** Rounds of Newton's method, with so many steps of projections before each but the first. */
const ROUNDS: i32 = 6;
const PROJECTIONS: i32 = 40;
/** The square of the residual, as a share of that of the largest terms, at which the last digits are reached. */
const SMALL: f64 = 1e-30;
/** What counts as a descent. */
const DESCENT: f64 = 1e-4;

/** Places in scratch, of which there are 177 numbers. */
const PARAMETERS: i32 = 0;
const BLOCK: i32 = 3;
const FREE: i32 = 39;
const R: i32 = 45;
const U: i32 = 51;
const C: i32 = 57;
const S: i32 = 63;
const SLOPE: i32 = 69;
const TRIAL: i32 = 75;
const STEP: i32 = 81;
const GRADIENT: i32 = 87;
const MATRIX: i32 = 123;
const BEST: i32 = 159;
const SCALES: i32 = 165;
const STICK: i32 = 171;

/** x <- A^-1 x by elimination with row exchanges, A (6x6 by rows) overwritten; false where A is singular. */
function solveSix(a: i32, x: i32): boolean {
	for (let k: i32 = 0; k < 6; k += 1) {
		let pivot: i32 = k;
		for (let i: i32 = k + 1; i < 6; i += 1) {
			if (Math.abs(get(a + 6 * i + k)) > Math.abs(get(a + 6 * pivot + k))) pivot = i;
		}
		const largest: f64 = get(a + 6 * pivot + k);
		if (!(Math.abs(largest) > 0)) return false;
		if (pivot != k) {
			for (let j: i32 = k; j < 6; j += 1) {
				const other: f64 = get(a + 6 * k + j);
				set(a + 6 * k + j, get(a + 6 * pivot + j));
				set(a + 6 * pivot + j, other);
			}
			const other: f64 = get(x + k);
			set(x + k, get(x + pivot));
			set(x + pivot, other);
		}
		for (let i: i32 = k + 1; i < 6; i += 1) {
			const factor: f64 = get(a + 6 * i + k) / largest;
			if (factor == 0) continue;
			for (let j: i32 = k + 1; j < 6; j += 1) set(a + 6 * i + j, get(a + 6 * i + j) - factor * get(a + 6 * k + j));
			set(x + i, get(x + i) - factor * get(x + k));
		}
	}
	for (let k: i32 = 5; k >= 0; k -= 1) {
		let sum: f64 = get(x + k);
		for (let j: i32 = k + 1; j < 6; j += 1) sum -= get(a + 6 * k + j) * get(x + j);
		set(x + k, sum / get(a + 6 * k + k));
	}
	return true;
}

/** U = W R + b. */
function velocity(block: i32, free: i32, r: i32, u: i32): void {
	for (let i: i32 = 0; i < 6; i += 1) {
		let sum: f64 = get(free + i);
		for (let j: i32 = 0; j < 6; j += 1) sum += get(block + 6 * i + j) * get(r + j);
		set(u + i, sum);
	}
}

function square(x: i32): f64 {
	let sum: f64 = 0;
	for (let i: i32 = 0; i < 6; i += 1) sum += get(x + i) * get(x + i);
	return sum;
}

function copySix(from: i32, to: i32): void {
	for (let i: i32 = 0; i < 6; i += 1) set(to + i, get(from + i));
}

/** The parts at their limits where the residual was taken last. */
let parts: i32 = 0;

/** |C|^2 of the reaction at r; U, C and S are left in scratch. */
function residual(work: i32, r: i32): f64 {
	velocity(work + BLOCK, work + FREE, r, work + U);
	parts = rollingResidual(work + PARAMETERS, r, work + U, work + C, work + S);
	return square(work + C);
}

/** The step of Newton's method at R: (I - P) d + P dF W d = -C, P = d proj_K; false where the matrix is singular. */
function newtonStep(work: i32): boolean {
	const block: i32 = work + BLOCK;
	const gradient: i32 = work + GRADIENT;
	const matrix: i32 = work + MATRIX;
	const slope: i32 = work + SLOPE;
	rollingGradient(work + PARAMETERS, parts, get(work + R) - get(work + C), work + S, gradient);
	rollingSlope(work + PARAMETERS, work + U, slope);
	for (let j: i32 = 0; j < 6; j += 1) {
		let first: f64 = 0;
		for (let i: i32 = 0; i < 6; i += 1) first += get(slope + i) * get(block + 6 * i + j);
		for (let i: i32 = 0; i < 6; i += 1) {
			let sum: f64 = (i == j ? 1 : 0) - get(gradient + 6 * i + j) + get(gradient + 6 * i) * first;
			for (let k: i32 = 1; k < 6; k += 1) sum += get(gradient + 6 * i + k) * get(block + 6 * k + j);
			set(matrix + 6 * i + j, sum);
		}
	}
	for (let i: i32 = 0; i < 6; i += 1) set(work + STEP + i, -get(work + C + i));
	return solveSix(matrix, work + STEP);
}

/** Newton's method with a line search from R; returns the last |C|^2. */
function newton(work: i32, start: f64, small: f64): f64 {
	let value: f64 = start;
	for (let step: i32 = 0; step < NEWTON_STEPS && value > small; step += 1) {
		if (!newtonStep(work)) return value;
		let length: f64 = 1;
		let next: f64 = value;
		let isLess: boolean = false;
		for (let half: i32 = 0; half < HALVINGS; half += 1) {
			for (let i: i32 = 0; i < 6; i += 1) set(work + TRIAL + i, get(work + R + i) + length * get(work + STEP + i));
			next = residual(work, work + TRIAL);
			isLess = next <= (1 - DESCENT * length) * value;
			if (isLess) break;
			length *= 0.5;
		}
		if (!isLess) {
			residual(work, work + R);
			return value;
		}
		copySix(work + TRIAL, work + R);
		value = next;
	}
	return value;
}

/** R <- proj_K(R - rho F), rho halved where the residual grows. */
function projections(work: i32, start: f64): f64 {
	let value: f64 = start;
	let rho: f64 = 1;
	for (let step: i32 = 0; step < PROJECTIONS; step += 1) {
		// S = R - F of the last residual.
		for (let i: i32 = 0; i < 6; i += 1) {
			const r: f64 = get(work + R + i);
			set(work + STEP + i, r + rho * (get(work + S + i) - r));
		}
		projectRolling(work + PARAMETERS, work + STEP, work + TRIAL);
		const next: f64 = residual(work, work + TRIAL);
		if (!(next <= 4 * value)) {
			residual(work, work + R);
			rho *= 0.5;
			continue;
		}
		if (next > value) rho *= 0.7;
		copySix(work + TRIAL, work + R);
		value = next;
	}
	return value;
}

/** 3 / trace of a block of the 6x6 one, 1 where that is no positive number. */
function scaleOf(w: i32, first: i32): f64 {
	const trace: f64 = get(w + 7 * first) + get(w + 7 * first + 7) + get(w + 7 * first + 14);
	return trace > 0 ? Math.sqrt(3 / trace) : 1;
}

/** Solves the contact at r (its last reaction, overwritten by the new one); w has 36 numbers by rows, b six, and work is scratch for 177. */
export function solveRolling(w: i32, p: i32, b: i32, r: i32, work: i32): void {
	if (get(b) >= 0) {
		for (let i: i32 = 0; i < 6; i += 1) set(r + i, 0);
		return;
	}
	const force: f64 = scaleOf(w, 0);
	const moment: f64 = scaleOf(w, 3);
	set(work + PARAMETERS, get(p));
	// |M_T| <= mu_r R_N with M = moment M', R = force R'.
	set(work + PARAMETERS + 1, (get(p + 1) * force) / moment);
	set(work + PARAMETERS + 2, (get(p + 2) * force) / moment);
	for (let i: i32 = 0; i < 6; i += 1) {
		const scale: f64 = i < 3 ? force : moment;
		set(work + SCALES + i, scale);
		set(work + FREE + i, scale * get(b + i));
		set(work + R + i, get(r + i) / scale);
		for (let j: i32 = 0; j < 6; j += 1) {
			set(work + BLOCK + 6 * i + j, scale * (j < 3 ? force : moment) * get(w + 6 * i + j));
		}
	}
	const small: f64 = SMALL * square(work + FREE);
	// No motion at all.
	for (let k: i32 = 0; k < 36; k += 1) set(work + MATRIX + k, get(work + BLOCK + k));
	for (let i: i32 = 0; i < 6; i += 1) set(work + STICK + i, -get(work + FREE + i));
	const isRegular: boolean = solveSix(work + MATRIX, work + STICK);
	if (isRegular && projectRolling(work + PARAMETERS, work + STICK, work + TRIAL) == 0) {
		for (let i: i32 = 0; i < 6; i += 1) set(r + i, get(work + SCALES + i) * get(work + STICK + i));
		return;
	}
	if (!(get(work + R) > 0)) {
		// Nothing to start from: the force that stops the normal motion alone.
		for (let i: i32 = 0; i < 6; i += 1) set(work + R + i, 0);
		set(work + R, -get(work + FREE) / get(work + BLOCK));
	}
	let value: f64 = residual(work, work + R);
	let best: f64 = value;
	copySix(work + R, work + BEST);
	for (let round: i32 = 0; round < ROUNDS; round += 1) {
		if (round > 0) value = projections(work, value);
		value = newton(work, value, small);
		if (value < best) {
			best = value;
			copySix(work + R, work + BEST);
		}
		if (value <= 1e4 * small) break;
	}
	if (best > 1e4 * small && bracketRolling(work + PARAMETERS, work + BLOCK, work + FREE, work + R)) {
		value = newton(work, residual(work, work + R), small);
		if (value < best) copySix(work + R, work + BEST);
	}
	// Exactly in the cone: Newton's steps end beside it.
	projectRolling(work + PARAMETERS, work + BEST, work + TRIAL);
	for (let i: i32 = 0; i < 6; i += 1) set(r + i, get(work + SCALES + i) * get(work + TRIAL + i));
}
