/**
 * When Gauss-Newton on the residual (gauss-newton.ts) may have its turn between two anchors of proximal sweeps, and how many iterations it takes: by what it
 * has given on large piles, and within a share of the sweeps made so far, an iteration being about as dear as a sweep.
 */
import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";

/** Iterations of the steps of a try, and what each has left of the error: docs/decisions/0039-large-piles.md. */
const LENGTHS = [10, 30, 90, 90, 90] as const;
const LEAVES = [0.7, 0.92, 0.91, 0.96, 0.97] as const;
const MOST = LENGTHS.reduce((sum, length) => sum + length, 0);
/** A step that leaves more was the last. */
const LEFT_MAX = 0.99;

export class DescentRules {
	readonly #share: number;
	readonly #tolerance: number;
	/** Iterations of all tries in this solve, of the try at work, and that it could have had. */
	#used = 0;
	#taken = 0;
	#allowed = 0;
	/** The error that the try at work, or the last one, began with, and the steps that it has made. */
	#begun = 0;
	#steps = 0;
	/** What the last try left, over what it was to leave. */
	#excess = 1;

	/** `share`: iterations for each sweep, at most. */
	constructor(share: number, tolerance: number) {
		this.#share = share;
		this.#tolerance = tolerance;
	}

	start(): void {
		this.#used = 0;
		this.#taken = 0;
		this.#allowed = 0;
		this.#begun = 0;
		this.#steps = 0;
		this.#excess = 1;
	}

	/** Iterations of the next step. */
	get length(): number {
		return LENGTHS[this.#steps]!;
	}

	/** Whether a try from this error may end below the tolerance; after so many sweeps. Begins it. */
	begins(error: number, sweeps: number): boolean {
		const allowed = Math.min(MOST, this.#share * sweeps - this.#used);
		if (!(this.#expected(this.#excess * error, allowed, 0) <= this.#tolerance)) return false;
		this.#begun = error;
		this.#allowed = allowed;
		this.#taken = 0;
		this.#steps = 0;
		return true;
	}

	/** Takes in a step that led from one error to the next; whether another one may follow. */
	goesOn(before: number, after: number): boolean {
		this.#used += this.length;
		this.#taken += this.length;
		this.#steps += 1;
		const hasGained = after <= LEFT_MAX * before;
		if (hasGained && this.#expected(after, this.#allowed - this.#taken, this.#steps) <= this.#tolerance) return true;
		this.#excess = after / LEAVES.slice(0, this.#steps).reduce<number>((left, leaves) => left * leaves, this.#begun);
		return false;
	}

	/** What is left of an error after the steps from this one on, within so many iterations; infinite where there is not even that step. */
	#expected(error: number, iterations: number, first: number): number {
		let [left, rest, isNone] = [error, iterations, true];
		for (let step = first; step < LENGTHS.length && rest >= LENGTHS[step]!; step += 1) {
			left *= LEAVES[step]!;
			rest -= LENGTHS[step]!;
			isNone = false;
		}
		return isNone ? Number.POSITIVE_INFINITY : left;
	}

	get state(): PlainRecord {
		return {
			used: this.#used,
			taken: this.#taken,
			allowed: this.#allowed,
			begun: this.#begun,
			steps: this.#steps,
			excess: this.#excess,
		};
	}

	resume(from: SavedRecord): void {
		this.#used = from.integer("used");
		this.#taken = from.integer("taken", 0, this.#used);
		this.#allowed = from.number("allowed");
		this.#begun = from.number("begun");
		this.#steps = from.integer("steps", 0, LENGTHS.length);
		this.#excess = from.number("excess");
		from.end();
	}
}
