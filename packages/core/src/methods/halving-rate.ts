/** How fast a phase gets on: in which iterations its error halved. */
import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";

/** Halvings that the rate is taken over. */
const SPAN = 4;

export class HalvingRate {
	iterations = 0;
	/** The error to halve, and the iterations in which it was set, the last first. */
	#mark = Number.POSITIVE_INFINITY;
	#marks: number[] = [0];

	start(error: number): void {
		this.iterations = 0;
		this.#mark = error;
		this.#marks = [0];
	}

	/** Takes in the error after one more iteration. */
	note(error: number): void {
		this.iterations += 1;
		if (!(error <= 0.5 * this.#mark)) return;
		this.#mark = error;
		this.#marks = [this.iterations, ...this.#marks.slice(0, SPAN)];
	}

	/** Iterations since the error last halved. */
	get since(): number {
		return this.iterations - this.#marks[0]!;
	}

	/** Iterations that a halving takes, in the mean of the last ones, what has gone since them included. */
	get perHalving(): number {
		const count = this.#marks.length - 1;
		return (this.iterations - this.#marks[count]!) / Math.max(1, count);
	}

	get state(): PlainRecord {
		return { iterations: this.iterations, mark: this.#mark, halvings: this.#marks.length, marks: [...this.#marks] };
	}

	resume(from: SavedRecord): void {
		this.iterations = from.integer("iterations");
		this.#mark = from.number("mark");
		this.#marks = from.numbers("marks", from.integer("halvings", 1, SPAN + 1));
		from.end();
	}
}
