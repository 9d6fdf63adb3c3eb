/**
 * When a run gives up. Its best error has to halve within a window of iterations; if it does not, the dual cone is tested once, and a run that misses
 * it ends. A step of a simulation, which has other methods to try, ends at such a window whatever the test finds.
 */
import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";

/** Above TINY_SWEEPS, so that problems of few contacts leave their kernel within the first window. */
const WINDOW = 500;

export interface PatienceOptions {
	/** Iterations of a window of a step, which ends at a window without progress. */
	readonly window?: number | undefined;
	/** The merit is quadratic in the error, the other measures are linear. */
	readonly isQuadratic: boolean;
}

export class Patience {
	readonly #window: number;
	readonly #endsAlways: boolean;
	readonly #gain: number;
	/** Best error at the end of the last window. */
	#error = Number.POSITIVE_INFINITY;
	/** Result of the test of the dual cone; undefined before it. */
	#isMissed: boolean | undefined;

	constructor({ window, isQuadratic }: PatienceOptions) {
		this.#window = window ?? WINDOW;
		this.#endsAlways = window !== undefined;
		this.#gain = isQuadratic ? 0.25 : 0.5;
	}

	clear(): void {
		this.#error = Number.POSITIVE_INFINITY;
		this.#isMissed = undefined;
	}

	/** True if existence of a solution is not guaranteed, as far as that was tested. */
	get isMissed(): boolean {
		return this.#isMissed === true;
	}

	/** Collective. Tests the dual cone, unless that was done before. */
	test(missesDualCone: () => boolean): boolean {
		this.#isMissed ??= missesDualCone();
		return this.#isMissed;
	}

	/** Collective. True if the run has to end after this iteration, `error` being its best error so far. */
	isOver(iteration: number, error: number, missesDualCone: () => boolean): boolean {
		if (iteration % this.#window !== 0) return false;
		const isProgress = error <= this.#gain * this.#error || this.#error === Number.POSITIVE_INFINITY;
		this.#error = error;
		if (isProgress) return false;
		return this.test(missesDualCone) || this.#endsAlways;
	}

	get state(): PlainRecord {
		return { error: this.#error, isTested: this.#isMissed !== undefined, isMissed: this.isMissed };
	}

	resume(from: SavedRecord): void {
		this.#error = from.number("error");
		const [isTested, isMissed] = [from.flag("isTested"), from.flag("isMissed")];
		this.#isMissed = isTested ? isMissed : undefined;
		from.end();
	}
}
