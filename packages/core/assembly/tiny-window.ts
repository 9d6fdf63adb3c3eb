/**
 * Anderson's mixing of the sweeps of a tiny solve (tiny.ts), to the bit as src/methods/anderson.ts and gauss-seidel.ts have it. Its state is that of
 * one solve at a time.
 */
import { dotBins } from "./bins";
import { get, set } from "./memory";
import { addProjected } from "./newton";
import {
	SWEEP_START,
	ENERGY_SCALE,
	FACTOR,
	GAMMA,
	GRAM,
	LAST_RESIDUAL,
	LAST_ITERATE,
	MU,
	R,
	RESIDUAL,
	RESIDUAL_DIFFERENCES,
	RIGHT_HAND_SIDE,
	SUMS,
	ITERATE_DIFFERENCES,
	VECTOR,
	WINDOW,
} from "./tiny-places";
import { total } from "./total";
import { addCombination, copy, differences, subtract } from "./vectors";

// As in gauss-seidel.ts and anderson.ts.
const GROWTH_MAX: f64 = 1.2;
const REGULARISATION: f64 = 1e-10;
const MIX_GAIN: f64 = 0.9;

/** Where f of this step and of the last stand, changing places when a step is accepted. */
let f: i32 = 0;
let lastF: i32 = 0;
let held: i32 = 0;
let next: i32 = 0;
let hasLast: boolean = false;
let lastSquare: f64 = 0;
/** The energy error by the last step. */
export let estimate: f64 = 0;
/** The estimate to fall below for mixing to gain anything, and the sweep that reached it. */
let mark: f64 = 0;
export let markedAt: i32 = 0;

function clearWindow(): void {
	held = 0;
	next = 0;
	hasLast = false;
	lastSquare = Infinity;
}

/** Nothing has been swept. */
export function beginWindow(base: i32): void {
	f = base + RESIDUAL;
	lastF = base + LAST_RESIDUAL;
	estimate = Infinity;
	mark = Infinity;
	markedAt = 0;
	clearWindow();
}

/** What is held, for another to go on from: |f|^2 of the last step, how many differences, which is next, whether there is a last step, where its f stands, and the mark with its sweep. */
export function saveWindow(base: i32, to: i32): void {
	set(to, lastSquare);
	set(to + 1, held as f64);
	set(to + 2, next as f64);
	set(to + 3, hasLast ? 1 : 0);
	set(to + 4, (lastF - base) as f64);
	set(to + 5, mark);
	set(to + 6, markedAt as f64);
}

/** -gamma from the normal equations of the differences held, by Cholesky; false where they are not positive. */
function solveWindow(base: i32): boolean {
	const gram: i32 = base + GRAM;
	const l: i32 = base + FACTOR;
	const gamma: i32 = base + GAMMA;
	let trace: f64 = 0;
	for (let i: i32 = 0; i < held; i += 1) trace += get(gram + WINDOW * i + i);
	if (!(trace > 0)) return false;
	for (let i: i32 = 0; i < held; i += 1) {
		for (let j: i32 = 0; j <= i; j += 1) {
			let sum: f64 = get(gram + WINDOW * i + j) + (i == j ? REGULARISATION * trace : 0);
			for (let k: i32 = 0; k < j; k += 1) sum -= get(l + WINDOW * i + k) * get(l + WINDOW * j + k);
			if (i == j && !(sum > 0)) return false;
			set(l + WINDOW * i + j, i == j ? Math.sqrt(sum) : sum / get(l + WINDOW * j + j));
		}
	}
	for (let i: i32 = 0; i < held; i += 1) {
		let sum: f64 = -get(base + RIGHT_HAND_SIDE + i);
		for (let k: i32 = 0; k < i; k += 1) sum -= get(l + WINDOW * i + k) * get(gamma + k);
		set(gamma + i, sum / get(l + WINDOW * i + i));
	}
	for (let i: i32 = held - 1; i >= 0; i -= 1) {
		let sum: f64 = get(gamma + i);
		for (let k: i32 = i + 1; k < held; k += 1) sum -= get(l + WINDOW * k + i) * get(gamma + k);
		const value: f64 = sum / get(l + WINDOW * i + i);
		set(gamma + i, value);
		if (value - value != 0) return false;
	}
	return true;
}

/** Takes the differences of this step in, with their products; returns |f|^2. */
function offer(base: i32, length: i32, table: i32): f64 {
	const sums: i32 = base + SUMS;
	if (!hasLast) {
		subtract(base + R, base + SWEEP_START, f, length);
		dotBins(f, 0, 0, 0, f, length, sums, table);
		return total(sums);
	}
	const newF: i32 = base + RESIDUAL_DIFFERENCES + next * VECTOR;
	const newG: i32 = base + ITERATE_DIFFERENCES + next * VECTOR;
	differences(base + R, base + SWEEP_START, f, lastF, newF, base + LAST_ITERATE, newG, length);
	const columns: i32 = held + 1 < WINDOW ? held + 1 : WINDOW;
	dotBins(
		newF,
		base + RESIDUAL_DIFFERENCES,
		VECTOR,
		columns - 1,
		base + RESIDUAL_DIFFERENCES + (columns - 1) * VECTOR,
		length,
		sums,
		table,
	);
	dotBins(f, newF, 0, 1, f, length, sums + 8 * columns, table);
	const own: f64 = total(sums + 8 * columns);
	for (let j: i32 = 0; j < columns; j += 1) {
		const product: f64 = total(sums + 8 * j);
		set(base + GRAM + WINDOW * next + j, product);
		set(base + GRAM + WINDOW * j + next, product);
		set(base + RIGHT_HAND_SIDE + j, j == next ? own : get(base + RIGHT_HAND_SIDE + j) + product);
	}
	return total(sums + 8 * columns + 8);
}

/** Takes the sweep from X to R, the one of this number, into the window, or goes back to the last one. */
export function settle(base: i32, length: i32, sweeps: i32, table: i32): void {
	const isMixed: boolean = held > 0;
	const square: f64 = offer(base, length, table);
	if (isMixed && !(square <= GROWTH_MAX * GROWTH_MAX * lastSquare)) {
		copy(base + LAST_ITERATE, base + R, length);
		clearWindow();
		return;
	}
	if (hasLast) {
		held = held + 1 < WINDOW ? held + 1 : WINDOW;
		next = next + 1 < WINDOW ? next + 1 : 0;
	}
	const swap: i32 = f;
	f = lastF;
	lastF = swap;
	copy(base + R, base + LAST_ITERATE, length);
	hasLast = true;
	lastSquare = square;
	estimate = Math.sqrt(square) / get(base + ENERGY_SCALE);
	if (estimate <= MIX_GAIN * mark) {
		mark = estimate;
		markedAt = sweeps;
	}
}

/** R from the mix of the last sweeps, where there is one. */
export function mix(base: i32, contacts: i32, length: i32): void {
	const r: i32 = base + R;
	if (held > 0 && solveWindow(base)) {
		addCombination(r, base + GAMMA, base + ITERATE_DIFFERENCES, VECTOR, held, length);
		addProjected(0, contacts, contacts, base + MU, 0, -1, r);
	}
	copy(r, base + SWEEP_START, length);
}
