/**
 * Natural and merit are relative to R: where R grows without bound, as between closing walls, they fall below any tolerance. A run that is within its
 * tolerance while R is large and the energy error that of no solution continues for as many iterations again; if R is then larger by half, it diverges.
 */
import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";

/** Energy error above which an answer that is within another measure's tolerance is in doubt. */
export const DOUBTFUL_ENERGY = 0.1;

/** R may be growing if it is this many times the reactions of isolated contacts, each in the metric of its block. */
export const LARGE_REACTION = 50;

const ITERATIONS_MIN = 10;
const GROWTH = 1.5;

export class Growth {
	/** Iteration at which the doubt arose, -1 for none, and |R| there. */
	#at = -1;
	#norm = 0;

	clear(): void {
		this.#at = -1;
		this.#norm = 0;
	}

	/** True while there is a doubt. */
	get isDoubted(): boolean {
		return this.#at >= 0;
	}

	/** Begins to watch R. */
	doubt(iteration: number, norm: number): void {
		this.#at = iteration;
		this.#norm = norm;
	}

	/** True if R has been watched long enough. */
	isDue(iteration: number): boolean {
		return iteration >= 2 * this.#at + ITERATIONS_MIN;
	}

	/** True also for a norm that is not a number. */
	hasGrown(norm: number): boolean {
		return !(norm < GROWTH * this.#norm);
	}

	get state(): PlainRecord {
		return { at: this.#at, norm: this.#norm };
	}

	resume(from: SavedRecord): void {
		this.#at = from.integer("at", -1);
		this.#norm = from.number("norm");
		from.end();
	}
}
