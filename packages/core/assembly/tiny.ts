/**
 * A solve of a few contacts in one call: the first sweeps of `auto` (src/methods/gauss-seidel.ts with anderson.ts, measured as
 * src/solve/run.ts and checks.ts say), to the bit, with the same kernels and the same sums. It goes no further than its first sweeps do: what is not solved by then,
 * or leaves the finite numbers, is begun again in the general way, of which this is a shorter form and never another answer.
 */
import { deposit } from "./bins";
import { energyTerms } from "./energy";
import { get, set } from "./memory";
import { meritTerms } from "./merit";
import { naturalValues } from "./natural";
import { sellApply } from "./sell";
import { sellSweep } from "./sweep";
import {
	ENERGY_FREE,
	FLAGS,
	FREE_NORM,
	MEASURE_SUMS,
	MERIT_FREE,
	MU,
	Q,
	R,
	RESULT,
	SCALE,
	SCRATCH,
	SLOT_COLUMN,
	SLOT_VALUES,
	PAIR_START,
	TERMS,
	U,
	W,
	SWEEP_START,
} from "./tiny-places";
import { tinyTotal } from "./tiny-sums";
import { axpby, copy, fill } from "./vectors";
import { beginWindow, estimate, mix, settle } from "./tiny-window";

const ENERGY: i32 = 0;
const NATURAL: i32 = 1;

// As in relay.ts and checks.ts.
const BLOW_UP: f64 = 1e3;
const FIRST_ESTIMATE: f64 = 10;
const SECOND: f64 = 1.5;
const CHECK_ITERATIONS_MAX: i32 = 25;

/** U = W R + q. */
export function refreshVelocity(base: i32, contacts: i32, length: i32): void {
	const start: i32 = 2 * (base + PAIR_START);
	sellApply(0, (contacts + 1) >> 1, start, 2 * (base + SLOT_COLUMN), base + SLOT_VALUES, base + R, base + U);
	axpby(1, base + Q, 1, base + U, length);
}

/**
 * A measure of R and its fresh U: 0 energy, 1 natural, 2 merit. Where the natural one is within the tolerance already over |q|, nothing is summed
 * of |R| and |U|, which could only make it less.
 */
export function measureOf(name: i32, tolerance: f64, base: i32, contacts: i32, table: i32): f64 {
	const r: i32 = base + R;
	const u: i32 = base + U;
	const mu: i32 = base + MU;
	const w: i32 = base + W;
	const scale: i32 = base + SCALE;
	const e: i32 = base + SCRATCH;
	const terms: i32 = base + TERMS;
	const sum: i32 = base + MEASURE_SUMS;
	if (name == ENERGY) {
		energyTerms(0, contacts, contacts, mu, w, r, u, e, terms, sum, table);
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
	meritTerms(0, contacts, contacts, mu, scale, w, r, u, e, terms, sum + 32, table);
	return tinyTotal(sum + 32) / get(base + MERIT_FREE);
}

function sweep(base: i32, contacts: i32): void {
	const start: i32 = 2 * (base + PAIR_START);
	const column: i32 = 2 * (base + SLOT_COLUMN);
	const values: i32 = base + SLOT_VALUES;
	const flags: i32 = 2 * (base + FLAGS);
	const scratch: i32 = base + SCRATCH;
	const mu: i32 = base + MU;
	const r: i32 = base + R;
	sellSweep(0, contacts, 0, contacts, start, column, values, flags, 1, 0, 0, base + Q, base + W, mu, r, scratch);
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
 * At most `limit` sweeps from R. RESULT: iterations, measures taken, reductions. Returns 1 where the measure (0 energy, 1 natural, 2 merit)
 * came within the tolerance, its U being fresh, and 0 where the general way has to begin anew.
 */
export function sweepsFrom(
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
	beginWindow(base);
	copy(base + R, base + SWEEP_START, length);
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

/** The same from zero. */
export function tinySweeps(
	base: i32,
	contacts: i32,
	length: i32,
	measure: i32,
	tolerance: f64,
	limit: i32,
	table: i32,
): i32 {
	fill(base + R, 0, length);
	return sweepsFrom(base, contacts, length, measure, tolerance, limit, table);
}

/** All measures of R, afresh: energy, natural and merit in RESULT, behind what the sweeps left there. */
export function tinyMeasures(base: i32, contacts: i32, length: i32, table: i32): void {
	refreshVelocity(base, contacts, length);
	for (let name: i32 = 0; name < 3; name += 1) {
		set(base + RESULT + 8 + name, measureOf(name, -1, base, contacts, table));
	}
}
