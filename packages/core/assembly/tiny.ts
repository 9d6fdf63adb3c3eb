/**
 * A solve of a few contacts in one call: the first sweeps of `auto` (src/methods/gauss-seidel.ts with anderson.ts, measured as
 * src/solve/run.ts and checks.ts say), to the bit, with the same kernels and the same sums. It goes no further than its first sweeps do: what is not solved by then,
 * or leaves the finite numbers, is begun again in the general way, of which this is a shorter form and never another answer.
 */
import { deposit, dotBins } from "./bins";
import { energyTerms } from "./energy";
import { get, getInt, set } from "./memory";
import { meritTerms } from "./merit";
import { naturalValues } from "./natural";
import { addProjected } from "./newton";
import { sellApply } from "./sell";
import { sellSweep } from "./sweep";
import {
	DF,
	DG,
	ENERGY_FREE,
	F,
	FACTOR,
	FLAGS,
	FREE_NORM,
	GAMMA,
	GRAM,
	LAST_G,
	MEASURE_SUMS,
	MERIT_FREE,
	MU,
	OTHER_F,
	Q,
	R,
	RESULT,
	RIGHT,
	SCALE,
	SCRATCH,
	SLOT_COLUMN,
	SLOT_VALUES,
	START,
	SUMS,
	TERMS,
	U,
	VECTOR,
	W,
	WINDOW,
	X,
} from "./tiny-places";
import { tinyTotal } from "./tiny-sums";
import { addCombination, axpby, copy, differences, fill, subtract } from "./vectors";

const ENERGY: i32 = 0;
const NATURAL: i32 = 1;

// As in gauss-seidel.ts, anderson.ts, relay.ts and checks.ts.
const GROWTH_MAX: f64 = 1.2;
const REGULARISATION: f64 = 1e-10;
const BLOW_UP: f64 = 1e3;
const FIRST_ESTIMATE: f64 = 10;
const SECOND: f64 = 1.5;
const CHECK_ITERATIONS_MAX: i32 = 25;

/** U = W R + q. */
function refreshVelocity(base: i32, contacts: i32, length: i32): void {
	const start: i32 = 2 * (base + START);
	sellApply(0, (contacts + 1) >> 1, start, 2 * (base + SLOT_COLUMN), base + SLOT_VALUES, base + R, base + U);
	axpby(1, base + Q, 1, base + U, length);
}

/**
 * A measure of R and its fresh U: 0 energy, 1 natural, 2 merit. Where the natural one is within the tolerance already over |q|, nothing is summed
 * of |R| and |U|, which could only make it less.
 */
function measureOf(name: i32, tolerance: f64, base: i32, contacts: i32, table: i32): f64 {
	const r: i32 = base + R;
	const u: i32 = base + U;
	const mu: i32 = base + MU;
	const w: i32 = base + W;
	const scale: i32 = base + SCALE;
	const e: i32 = base + SCRATCH;
	const terms: i32 = base + TERMS;
	const sum: i32 = base + MEASURE_SUMS;
	if (name == ENERGY) {
		energyTerms(contacts, contacts, mu, w, r, u, e, terms, sum, table);
		return Math.sqrt(tinyTotal(sum) / get(base + ENERGY_FREE));
	}
	if (name == NATURAL) {
		naturalValues(0, contacts, contacts, mu, scale, r, u, e, terms);
		deposit(terms, contacts, sum + 8, table);
		const rest: f64 = Math.sqrt(tinyTotal(sum + 8));
		const most: f64 = rest / get(base + FREE_NORM);
		if (most <= tolerance) return most;
		deposit(terms + 64, contacts, sum + 16, table);
		deposit(terms + 128, contacts, sum + 24, table);
		const reaction: f64 = Math.sqrt(tinyTotal(sum + 16));
		const size: f64 = Math.max(Math.max(get(base + FREE_NORM), reaction), Math.sqrt(tinyTotal(sum + 24)));
		return rest / (size > 0 ? size : 1);
	}
	meritTerms(contacts, contacts, mu, scale, w, r, u, e, terms, sum + 32, table);
	return tinyTotal(sum + 32) / get(base + MERIT_FREE);
}

// The state of Anderson's window, and of the sweeps: of one solve at a time.
/** Where f of this step and of the last stand, changing places when a step is accepted. */
let f: i32 = 0;
let lastF: i32 = 0;
let held: i32 = 0;
let next: i32 = 0;
let hasLast: boolean = false;
let lastSquare: f64 = 0;
/** The energy error by the last step. */
let estimate: f64 = 0;

function clearWindow(): void {
	held = 0;
	next = 0;
	hasLast = false;
	lastSquare = Infinity;
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
		let sum: f64 = -get(base + RIGHT + i);
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
		subtract(base + R, base + X, f, length);
		dotBins(f, 0, 0, 0, f, length, sums, table);
		return tinyTotal(sums);
	}
	const newF: i32 = base + DF + next * VECTOR;
	const newG: i32 = base + DG + next * VECTOR;
	differences(base + R, base + X, f, lastF, newF, base + LAST_G, newG, length);
	const columns: i32 = held + 1 < WINDOW ? held + 1 : WINDOW;
	dotBins(newF, base + DF, VECTOR, columns - 1, base + DF + (columns - 1) * VECTOR, length, sums, table);
	dotBins(f, newF, 0, 1, f, length, sums + 8 * columns, table);
	const own: f64 = tinyTotal(sums + 8 * columns);
	for (let j: i32 = 0; j < columns; j += 1) {
		const product: f64 = tinyTotal(sums + 8 * j);
		set(base + GRAM + WINDOW * next + j, product);
		set(base + GRAM + WINDOW * j + next, product);
		set(base + RIGHT + j, j == next ? own : get(base + RIGHT + j) + product);
	}
	return tinyTotal(sums + 8 * columns + 8);
}

/** Takes the sweep from X to R into the window, or goes back to the last one. */
function settle(base: i32, length: i32, table: i32): void {
	const isMixed: boolean = held > 0;
	const square: f64 = offer(base, length, table);
	if (isMixed && !(square <= GROWTH_MAX * GROWTH_MAX * lastSquare)) {
		copy(base + LAST_G, base + R, length);
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
	copy(base + R, base + LAST_G, length);
	hasLast = true;
	lastSquare = square;
	estimate = Math.sqrt(square) / Math.sqrt(get(base + ENERGY_FREE));
}

/** R from the mix of the last sweeps, where there is one. */
function mix(base: i32, contacts: i32, length: i32): void {
	const r: i32 = base + R;
	if (held > 0 && solveWindow(base)) {
		addCombination(r, base + GAMMA, base + DG, VECTOR, held, length);
		addProjected(0, contacts, contacts, base + MU, 0, -1, r);
	}
	copy(r, base + X, length);
}

function sweep(base: i32, contacts: i32): void {
	const start: i32 = 2 * (base + START);
	const column: i32 = 2 * (base + SLOT_COLUMN);
	const values: i32 = base + SLOT_VALUES;
	const flags: i32 = 2 * (base + FLAGS);
	const scratch: i32 = base + SCRATCH;
	const mu: i32 = base + MU;
	const r: i32 = base + R;
	sellSweep(0, contacts, 0, contacts, start, column, values, flags, 1, 0, base + Q, base + W, mu, r, scratch);
}

/** Iterations until the tolerance at the pace of the last two measures, as checks.ts has it. */
function stepsLeft(at: i32, before: f64, iteration: i32, value: f64, tolerance: f64): i32 {
	if (at == 0 || iteration <= at) {
		const more: f64 = Math.floor((SECOND - 1) * (iteration as f64) + 0.5);
		return more > 1 ? (more as i32) : 1;
	}
	const span: i32 = iteration - at;
	const gain: f64 = value / before;
	if (!(gain < 1)) return CHECK_ITERATIONS_MAX;
	let left: f64 = value;
	let steps: i32 = 0;
	while (left > tolerance && steps < CHECK_ITERATIONS_MAX) {
		left *= gain;
		steps += span;
	}
	const above: f64 = left / gain;
	const share: f64 = above > left ? Math.min(1, Math.max(0, (tolerance - left) / (above - left))) : 0;
	const needed: i32 = steps - (Math.floor(share * (span as f64)) as i32);
	return needed > 1 ? needed : 1;
}

/**
 * At most `limit` sweeps from zero. RESULT: iterations, measures taken, reductions. Returns 1 where the measure (0 energy, 1 natural, 2 merit)
 * came within the tolerance, its U being fresh, and 0 where the general way has to begin anew.
 */
export function tinySweeps(
	base: i32,
	contacts: i32,
	length: i32,
	measure: i32,
	tolerance: f64,
	limit: i32,
	table: i32,
): i32 {
	const result: i32 = base + RESULT + 4;
	let measures: i32 = 0;
	let reductions: i32 = 0;
	let nextAt: i32 = 1;
	let nextEstimate: f64 = FIRST_ESTIMATE * tolerance;
	let lastAt: i32 = 0;
	let lastValue: f64 = 0;
	f = base + F;
	lastF = base + OTHER_F;
	estimate = Infinity;
	clearWindow();
	fill(base + R, 0, length);
	fill(base + X, 0, length);
	for (let iteration: i32 = 1; iteration <= limit; iteration += 1) {
		// The first sweep is settled when a second follows.
		if (iteration == 2) settle(base, length, table);
		if (iteration >= 2) mix(base, contacts, length);
		sweep(base, contacts);
		if (iteration >= 2) settle(base, length, table);
		reductions += iteration == 1 ? 0 : iteration == 2 ? 2 : 1;
		if (iteration >= 2 && !(estimate <= BLOW_UP)) return 0;
		if (!(iteration >= nextAt || estimate <= nextEstimate)) continue;
		refreshVelocity(base, contacts, length);
		const value: f64 = measureOf(measure, tolerance, base, contacts, table);
		measures += 1;
		reductions += 1;
		if (value <= tolerance) {
			set(result, iteration as f64);
			set(result + 1, measures as f64);
			set(result + 2, reductions as f64);
			return 1;
		}
		if (value - value != 0) return 0;
		const missing: f64 = tolerance / value;
		nextEstimate = estimate * (measure > NATURAL ? Math.sqrt(missing) : missing);
		if (nextEstimate - nextEstimate != 0) nextEstimate = 0;
		const more: i32 = stepsLeft(lastAt, lastValue, iteration, value, tolerance);
		nextAt = iteration + (more < CHECK_ITERATIONS_MAX ? more : CHECK_ITERATIONS_MAX);
		lastAt = iteration;
		lastValue = value;
	}
	return 0;
}

/** All measures of R, afresh: energy, natural and merit in RESULT, behind what the sweeps left there. */
export function tinyMeasures(base: i32, contacts: i32, length: i32, table: i32): void {
	refreshVelocity(base, contacts, length);
	for (let name: i32 = 0; name < 3; name += 1) {
		set(base + RESULT + 8 + name, measureOf(name, -1, base, contacts, table));
	}
}
