/**
 * What a phase with factors costs, in sweeps: both in nanoseconds of one core, by models that were fitted to `npm run bench -- factor` and
 * `auto-train`. Only their ratio counts, and that follows from W alone: no clock and no number of ranks enters a choice.
 */

/** A sweep: of each contact, and of each block of W. */
const SWEEP_CONTACT: f64 = 35;
const SWEEP_BLOCK: f64 = 3;
/** Order, pattern and room of the factors, of each block of W. */
const ANALYSIS_BLOCK: f64 = 200;
/** A factorisation and a solve: of each multiplication or addition, block of the factors (6x6), contact, and block of W. */
const STEP_FLOP: f64 = 0.04;
const STEP_FACTOR_BLOCK: f64 = 90;
const STEP_CONTACT: f64 = 400;
const STEP_BLOCK: f64 = 50;

function sweepWork(contacts: f64, entries: f64): f64 {
	return SWEEP_CONTACT * contacts + SWEEP_BLOCK * entries;
}

/** Sweeps that the analysis takes, of a W with so many blocks: known before it is made. */
export function analysisWork(contacts: f64, entries: f64): f64 {
	return (ANALYSIS_BLOCK * entries) / sweepWork(contacts, entries);
}

/** Sweeps that a step takes, of factors with so many multiplications or additions and blocks. */
export function factorStepWork(contacts: f64, entries: f64, flops: f64, blocks: f64): f64 {
	const own: f64 = STEP_FLOP * flops + STEP_FACTOR_BLOCK * blocks;
	return (own + STEP_CONTACT * contacts + STEP_BLOCK * entries) / sweepWork(contacts, entries);
}

/** The same at least, while the size of the factors is not known. */
export function leastStepWork(contacts: f64, entries: f64): f64 {
	return factorStepWork(contacts, entries, 0, contacts / 2);
}
