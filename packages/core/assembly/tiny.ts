/**
 * Solves of a few contacts in one call: the first sweeps of `auto` (src/methods/gauss-seidel.ts with anderson.ts, measured as
 * src/solve/run.ts and checks.ts say), to the bit, with the same kernels and the same sums. It goes as far as sweeps without an anchor do (src/methods/relay.ts); what is not solved by
 * then is handed out, for the general way to go on with, and what leaves the finite numbers is begun again there.
 */
import { deposit } from "./bins";
import { largestSquare } from "./components";
import { energyTerms } from "./energy";
import { get, getInt, set } from "./memory";
import { meritTerms } from "./merit";
import { naturalTerms, naturalValues } from "./natural";
import { sellApply } from "./sell";
import { sellSweep } from "./sweep";
import {
	BEST,
	COMPONENT_START,
	COMPONENTS,
	DENOMINATORS,
	ENERGY_TERMS,
	ESTIMATES,
	FLAGS,
	FREE_NORM,
	GIVEN,
	layOut,
	MEASURE_SUMS,
	MEASURES,
	MEMBER,
	MERIT_FREE,
	MU,
	ORDER,
	PAIR_START,
	Q,
	R,
	RESULT,
	ROW_START,
	SCALE,
	SCRATCH,
	SLOT_COLUMN,
	SLOT_VALUES,
	SWEEP_START,
	TERMS,
	TINY_SWEEPS,
	U,
	VECTOR,
	VELOCITY,
	W,
} from "./tiny-places";
import { total } from "./total";
import { beginHalvings, halvedAt, factorsMayPay, recordHalving } from "./tiny-turns";
import { beginWindow, estimate, saveWindow, markedAt, mix, settle } from "./tiny-window";
import { axpby, copy, fill } from "./vectors";

const ENERGY: i32 = 0;
const NATURAL: i32 = 1;

/** What comes of sweeps: nothing, an answer, or something to go on from. */
const NONE: i32 = 0;
const SOLVED: i32 = 1;
const HANDED_OUT: i32 = 2;

// As in relay.ts, checks.ts, proximal-options.ts and gauss-seidel.ts.
const BLOW_UP: f64 = 1e3;
const FIRST_ESTIMATE: f64 = 10;
const FIRST_ITERATION: i32 = 4;
const SMALL_BLOCKS: i32 = 128;
const SECOND: f64 = 1.5;
const CHECK_ITERATIONS_MAX: i32 = 25;
const PATIENCE: i32 = 30;
const MIX_PATIENCE: i32 = 100;
/** Contacts whose natural terms are formed at once. */
const CHUNK: i32 = 64;

/** U = W R + q. */
export function refreshVelocity(base: i32, contacts: i32): void {
	const start: i32 = 2 * (base + PAIR_START);
	sellApply(0, (contacts + 1) >> 1, start, 2 * (base + SLOT_COLUMN), base + SLOT_VALUES, base + R, base + U);
	axpby(1, base + Q, 1, base + U, VECTOR);
}

/** Where it is within the tolerance already over |q|, nothing is summed of |R| and |U|, which could only make it less. */
function naturalOf(tolerance: f64, base: i32, contacts: i32, table: i32): f64 {
	const terms: i32 = base + TERMS;
	const sum: i32 = base + MEASURE_SUMS + 8;
	const e: i32 = base + SCRATCH;
	if (contacts <= CHUNK) {
		naturalValues(0, contacts, contacts, base + MU, base + SCALE, base + R, base + U, e, terms);
		deposit(terms, contacts, sum, table);
		const own: f64 = Math.sqrt(total(sum));
		const most: f64 = own / get(base + FREE_NORM);
		if (most <= tolerance) return most;
		deposit(terms + CHUNK, contacts, sum + 8, table);
		deposit(terms + 2 * CHUNK, contacts, sum + 16, table);
		return own / naturalScale(base, sum);
	}
	naturalTerms(0, contacts, contacts, base + MU, base + SCALE, base + R, base + U, e, terms, sum, table);
	const rest: f64 = Math.sqrt(total(sum));
	return rest / naturalScale(base, sum);
}

/** max(|q|, |R|, |U|), of the second and the third sum. */
function naturalScale(base: i32, sum: i32): f64 {
	const reaction: f64 = Math.sqrt(total(sum + 8));
	const size: f64 = Math.max(Math.max(get(base + FREE_NORM), reaction), Math.sqrt(total(sum + 16)));
	return size > 0 ? size : 1;
}

/** The largest squared energy error of a component. */
function largestError(base: i32, contacts: i32, table: i32): f64 {
	return largestSquare(
		contacts,
		get(base + COMPONENTS) as i32,
		2 * (base + COMPONENT_START),
		2 * (base + MEMBER),
		base + ENERGY_TERMS,
		base + DENOMINATORS,
		base + TERMS,
		base + MEASURE_SUMS,
		table,
	);
}

/** A measure of R and its fresh U: 0 energy, 1 natural, 2 merit. */
export function measureOf(name: i32, tolerance: f64, base: i32, contacts: i32, table: i32): f64 {
	if (name == NATURAL) return naturalOf(tolerance, base, contacts, table);
	const r: i32 = base + R;
	const u: i32 = base + U;
	const mu: i32 = base + MU;
	const w: i32 = base + W;
	const e: i32 = base + SCRATCH;
	const terms: i32 = base + TERMS;
	const sum: i32 = base + MEASURE_SUMS;
	if (name == ENERGY) {
		energyTerms(0, contacts, contacts, mu, w, r, u, e, base + ENERGY_TERMS);
		return Math.sqrt(largestError(base, contacts, table));
	}
	meritTerms(0, contacts, contacts, mu, base + SCALE, w, r, u, e, terms, sum + 32, table);
	return total(sum + 32) / get(base + MERIT_FREE);
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

/** When the next measure is due, by iteration and by estimate, and what the last one was; as checks.ts has it. */
let nextAt: i32 = 0;
let nextEstimate: f64 = 0;
let lastAt: i32 = 0;
let lastValue: f64 = 0;
/** The best measure; below zero for none. */
let best: f64 = 0;

function beginChecks(contacts: i32, tolerance: f64): void {
	nextAt = contacts <= SMALL_BLOCKS ? 1 : FIRST_ITERATION;
	nextEstimate = FIRST_ESTIMATE * tolerance;
	lastAt = 0;
	lastValue = 0;
	best = -1;
}

/** Takes in a measure above the tolerance, which is finite; keeps R where it is the best. */
function noteMeasure(base: i32, iteration: i32, value: f64, measure: i32, tolerance: f64): void {
	const missing: f64 = tolerance / value;
	nextEstimate = estimate * (measure > NATURAL ? Math.sqrt(missing) : missing);
	if (nextEstimate - nextEstimate != 0) nextEstimate = 0;
	const more: i32 = stepsLeft(lastAt, lastValue, iteration, value, tolerance);
	nextAt = iteration + (more < CHECK_ITERATIONS_MAX ? more : CHECK_ITERATIONS_MAX);
	lastAt = iteration;
	lastValue = value;
	if (best >= 0 && !(value < best)) return;
	best = value;
	copy(base + R, base + BEST, VECTOR);
}

/** Takes in the measure of the start that is used. */
export function recordStart(base: i32, contacts: i32, value: f64, measure: i32, tolerance: f64): void {
	beginWindow(base);
	beginChecks(contacts, tolerance);
	set(base + MEASURES, value);
	noteMeasure(base, 0, value, measure, tolerance);
}

/** Whether something else than a sweep may follow so many of them: a turn of factors, an anchor, or sweeps that are not mixed. */
function mayTurn(base: i32, contacts: i32, sweeps: i32, measure: i32, tolerance: f64): boolean {
	if (sweeps < 2) return false;
	if (sweeps + 1 - halvedAt(base) >= PATIENCE || sweeps + 1 - markedAt >= MIX_PATIENCE) return true;
	const entries: i32 = getInt(2 * (base + ROW_START) + contacts);
	return factorsMayPay(base, contacts, entries, sweeps, estimate, best, tolerance, measure > NATURAL);
}

function handOut(base: i32, sweeps: i32, measures: i32, reductions: i32): i32 {
	set(base + RESULT + 4, sweeps as f64);
	set(base + RESULT + 5, measures as f64);
	set(base + RESULT + 6, reductions as f64);
	saveWindow(base, base + RESULT + 12);
	return HANDED_OUT;
}

/**
 * At most `limit` sweeps from R, whose measure was noted where `hasStart` is 1. RESULT from 4 on: iterations, measures taken, reductions; ESTIMATES and MEASURES by iteration. Returns 1
 * where the measure (0 energy, 1 natural, 2 merit) came within the tolerance, its U being fresh; 2 where the general way has to go on, of which RESULT has the window from 12 on; and 0
 * where it has to begin anew.
 */
export function sweepsFrom(
	base: i32,
	contacts: i32,
	hasStart: i32,
	measure: i32,
	tolerance: f64,
	limit: i32,
	table: i32,
): i32 {
	let measures: i32 = 0;
	let reductions: i32 = 0;
	if (hasStart == 0) {
		beginWindow(base);
		beginChecks(contacts, tolerance);
		set(base + MEASURES, -1);
	}
	beginHalvings(base);
	copy(base + R, base + SWEEP_START, VECTOR);
	const last: i32 = limit < TINY_SWEEPS ? limit : TINY_SWEEPS;
	for (let iteration: i32 = 1; iteration <= last; iteration += 1) {
		if (mayTurn(base, contacts, iteration - 1, measure, tolerance)) {
			return handOut(base, iteration - 1, measures, reductions);
		}
		// The first sweep is settled when a second follows.
		if (iteration == 2) settle(base, VECTOR, 1, table);
		if (iteration >= 2) mix(base, contacts, VECTOR);
		sweep(base, contacts);
		if (iteration >= 2) settle(base, VECTOR, iteration, table);
		reductions += iteration == 1 ? 0 : iteration == 2 ? 2 : 1;
		if (iteration >= 2 && !(estimate <= BLOW_UP)) return NONE;
		recordHalving(base, iteration, estimate);
		set(base + ESTIMATES + iteration, estimate);
		set(base + MEASURES + iteration, -1);
		if (!(iteration >= nextAt || estimate <= nextEstimate)) continue;
		refreshVelocity(base, contacts);
		const value: f64 = measureOf(measure, tolerance, base, contacts, table);
		measures += 1;
		reductions += 1;
		if (value <= tolerance) {
			handOut(base, iteration, measures, reductions);
			return SOLVED;
		}
		if (value - value != 0) return NONE;
		set(base + MEASURES + iteration, value);
		noteMeasure(base, iteration, value, measure, tolerance);
	}
	return last < 2 ? NONE : handOut(base, last, measures, reductions);
}

/** The same from zero, of what tinySetUp or tinyBodies made a system of, with so many blocks and bodies. */
export function tinySweeps(
	base: i32,
	contacts: i32,
	blocks: i32,
	bodies: i32,
	measure: i32,
	tolerance: f64,
	limit: i32,
	table: i32,
): i32 {
	layOut(contacts, blocks, bodies);
	fill(base + R, 0, VECTOR);
	return sweepsFrom(base, contacts, 0, measure, tolerance, limit, table);
}

/** R and U in the problem's units, by id. */
export function writeAnswer(base: i32, contacts: i32): void {
	const unit: f64 = get(base + RESULT + 1);
	for (let at: i32 = 0; at < contacts; at += 1) {
		const to: i32 = 3 * getInt(2 * (base + ORDER) + at);
		const s: f64 = get(base + SCALE + at);
		for (let i: i32 = 0; i < 3; i += 1) {
			set(base + GIVEN + to + i, (get(base + R + 3 * at + i) / unit) * s);
			set(base + VELOCITY + to + i, get(base + U + 3 * at + i) / unit / s);
		}
	}
}

/** All measures of R, afresh: energy, natural and merit in RESULT from 8 on; and the answer. */
export function tinyMeasures(base: i32, contacts: i32, blocks: i32, bodies: i32, table: i32): void {
	layOut(contacts, blocks, bodies);
	refreshVelocity(base, contacts);
	for (let name: i32 = 0; name < 3; name += 1) {
		set(base + RESULT + 8 + name, measureOf(name, -1, base, contacts, table));
	}
	writeAnswer(base, contacts);
}
