/**
 * Whether factors may have a turn in the middle of the sweeps of a few contacts (tiny.ts), as src/methods/factor-turns.ts and halving-rate.ts decide it before the size of the factors is
 * known: from then on the general way does.
 */
import { analysisWork, leastStepWork } from "./factor-work";
import { get, set } from "./memory";
import { HALVINGS, NEAR, SHARE } from "./tiny-places";

/** Sweeps from one look at whether factors are worth it to the next, and when the first is on very few contacts. */
const LOOK: i32 = 8;
const FIRST_LOOK: i32 = 30;
const VERY_FEW: i32 = 32;
/** Steps that Newton on the active contacts is expected to take (src/methods/phase-methods.ts). */
const STEPS: f64 = 8;
/** Of a tolerance that cannot be reached (src/system/best.ts). */
const HALVINGS_MAX: f64 = 40;
/** Halvings that the rate is taken over. */
const SPAN: i32 = 4;

/** How many halvings are noted, the last first: HALVINGS has their sweeps. */
let noted: i32 = 0;
let mark: f64 = 0;

export function beginHalvings(base: i32): void {
	noted = 1;
	mark = Infinity;
	set(base + HALVINGS, 0);
}

/** Takes in the estimate after one more sweep. */
export function recordHalving(base: i32, sweeps: i32, estimate: f64): void {
	if (!(estimate <= 0.5 * mark)) return;
	mark = estimate;
	if (noted <= SPAN) noted += 1;
	for (let i: i32 = noted - 1; i > 0; i -= 1) set(base + HALVINGS + i, get(base + HALVINGS + i - 1));
	set(base + HALVINGS, sweeps as f64);
}

/** The sweep that halved the estimate last. */
export function halvedAt(base: i32): i32 {
	return get(base + HALVINGS) as i32;
}

/** Sweeps that a halving takes, in the mean of the last ones. */
function perHalving(base: i32, sweeps: i32): f64 {
	const count: i32 = noted - 1;
	return ((sweeps as f64) - get(base + HALVINGS + count)) / (count > 1 ? (count as f64) : 1);
}

/** How often the best measure, below zero where there is none, has to halve; the merit is quadratic in the error. */
function halvingsLeft(best: f64, tolerance: f64, isMerit: boolean): f64 {
	const factor: f64 = isMerit ? 0.25 : 0.5;
	let halvings: f64 = 0;
	for (let value: f64 = best < 0 ? Infinity : best; value > tolerance && halvings < HALVINGS_MAX; value *= factor) {
		halvings += 1;
	}
	return halvings;
}

/** After so many sweeps of a W with so many blocks. */
export function factorsMayPay(
	base: i32,
	contacts: i32,
	entries: i32,
	sweeps: i32,
	estimate: f64,
	best: f64,
	tolerance: f64,
	isMerit: boolean,
): boolean {
	if (!(estimate <= get(base + NEAR)) || sweeps % LOOK != LOOK - 1) return false;
	if (contacts <= VERY_FEW && sweeps < FIRST_LOOK) return false;
	const most: f64 = get(base + SHARE) * perHalving(base, sweeps) * halvingsLeft(best, tolerance, isMerit);
	const count: f64 = contacts as f64;
	return analysisWork(count, entries as f64) + STEPS * leastStepWork(count, entries as f64) <= most;
}
