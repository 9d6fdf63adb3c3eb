/**
 * When a measure is worth its product, for methods that do not keep U fresh. Two predictions, whichever comes first: the
 * method's own estimate has fallen as far as the measure has to fall, or the last two measures, continued as a straight
 * line in the logarithm, have reached the tolerance.
 */

import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";

/** The first measure: at once where it costs next to nothing, else when the estimate is this near, or after some iterations. */
const SMALL_BLOCKS = 128;
const FIRST_ESTIMATE = 10;
const FIRST_ITERATION = 4;
/** The second, as a multiple of the first. */
const SECOND = 1.5;
/** Never go on without a measure for longer. */
const ITERATIONS_MAX = 25;

export class Checks {
	readonly #tolerance: number;
	/** The merit is quadratic in the error, the other measures are linear. */
	readonly #quadratic: boolean;
	readonly #small: boolean;
	/** The last measure: its iteration (0 for none), its value, and the method's estimate then. */
	#at = 0;
	#value = 0;
	#estimate = 0;
	/** When the next one is due, by iteration and by estimate. */
	#nextAt = 0;
	#nextEstimate = 0;

	constructor(tolerance: number, quadratic: boolean, blocks: number) {
		this.#tolerance = tolerance;
		this.#quadratic = quadratic;
		this.#small = blocks <= SMALL_BLOCKS;
	}

	clear(): void {
		this.#at = 0;
		this.#nextAt = this.#small ? 1 : FIRST_ITERATION;
		this.#nextEstimate = FIRST_ESTIMATE * this.#tolerance;
	}

	get state(): PlainRecord {
		const nextEstimate = this.#nextEstimate;
		return { at: this.#at, value: this.#value, estimate: this.#estimate, nextAt: this.#nextAt, nextEstimate };
	}

	resume(from: SavedRecord): void {
		this.#at = from.integer("at");
		this.#value = from.number("value");
		this.#estimate = from.number("estimate");
		this.#nextAt = from.integer("nextAt");
		this.#nextEstimate = from.number("nextEstimate");
		from.end();
	}

	isDue(iteration: number, estimate: number): boolean {
		return iteration >= this.#nextAt || estimate <= this.#nextEstimate;
	}

	/** Takes in a measure that is above the tolerance. */
	note(iteration: number, estimate: number, value: number): void {
		const missing = this.#tolerance / value;
		this.#nextEstimate = estimate * (this.#quadratic ? Math.sqrt(missing) : missing);
		if (!Number.isFinite(this.#nextEstimate)) this.#nextEstimate = 0;
		this.#nextAt = iteration + Math.min(ITERATIONS_MAX, this.#stepsLeft(iteration, value));
		this.#at = iteration;
		this.#value = value;
		this.#estimate = estimate;
	}

	/** What the measure may be now: the last one, moved as far as the method's estimate has moved since. */
	guess(estimate: number): number {
		const moved = estimate / this.#estimate;
		const guess = this.#value * (this.#quadratic ? moved * moved : moved);
		return guess > 0 && Number.isFinite(guess) ? guess : this.#value;
	}

	/** Iterations until the tolerance at the pace of the last two measures. */
	#stepsLeft(iteration: number, value: number): number {
		if (this.#at === 0 || iteration <= this.#at) return Math.max(1, Math.round((SECOND - 1) * iteration));
		// Halvings, by multiplying: no logarithm may decide when a run ends, since engines differ in its bits.
		const span = iteration - this.#at;
		const gain = value / this.#value;
		if (!(gain < 1)) return ITERATIONS_MAX;
		let left = value;
		let steps = 0;
		for (; left > this.#tolerance && steps < ITERATIONS_MAX; steps += span) left *= gain;
		return Math.max(1, steps - Math.floor(this.#overshoot(left, gain) * span));
	}

	/** The share of the last span that was not needed, on a straight line instead of an exponential. */
	#overshoot(left: number, gain: number): number {
		const before = left / gain;
		return before > left ? Math.min(1, Math.max(0, (this.#tolerance - left) / (before - left))) : 0;
	}
}
