/**
 * The history of a solve in bounded memory: when there are too many points, every second one is dropped, and new ones are recorded at the
 * same larger interval.
 */
import type { Progress } from "@stickslip/core";
import type { CapsuleHistory } from "./capsule.js";

const POINTS_MAX = 1000;

export class Trace {
	readonly #max: number;
	#points: [number, number][] = [];
	/** One in this many points is kept. */
	#step = 1;
	#seen = 0;
	#last: [number, number] | undefined;
	#measured = true;

	constructor(pointsMax = POINTS_MAX) {
		this.#max = pointsMax;
	}

	add({ iterations, error, exact }: Pick<Progress, "iterations" | "error" | "exact">): void {
		this.#measured &&= exact;
		this.#last = [iterations, error];
		if (this.#seen % this.#step === 0) this.#points.push(this.#last);
		this.#seen += 1;
		if (this.#points.length < this.#max) return;
		this.#points = this.#points.filter((_, index) => index % 2 === 0);
		this.#step *= 2;
	}

	/** The last point is always kept: it is the one that matters most. */
	get history(): CapsuleHistory {
		const last = this.#last !== undefined && this.#points.at(-1) !== this.#last ? [this.#last] : [];
		const points = [...this.#points, ...last].map(([iteration, error]): [number, number | null] => [
			iteration,
			Number.isFinite(error) ? error : null,
		]);
		return { of: this.#seen, measured: this.#measured, points };
	}
}

/** The same from a report with a history: one error for each iteration, all measured. */
export function historyOf(errors: readonly number[], pointsMax = POINTS_MAX): CapsuleHistory {
	const trace = new Trace(pointsMax);
	for (const [index, error] of errors.entries()) trace.add({ iterations: index + 1, error, exact: true });
	return trace.history;
}
