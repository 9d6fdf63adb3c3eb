/**
 * What the first steps around successive anchors of proximal sweeps say, beside the one before: |f| is that of a sweep without an anchor, so it is how far
 * R is, and how it shrinks is what an anchor gains.
 *
 *     alike     neither square is more than 1.25 times the other, twice in a row: R drifts, and the next anchor is 8 steps ahead
 *     gaining   |f| below 0.8 of the one before
 *     a series  on many contacts, c of the one before twice in a row, 0.5 < c < 0.9: what is left of it are c / (1 - c) steps, at most 8
 */
import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";

const ALIKE = 1.25;
const DRIFT_TIMES = 2;
const GAIN = 0.8;
/** How far a drift is followed, in steps of an anchor. */
const DRIFT_STEPS = 8;
/** c of a series, and by what share two in a row may differ. */
const SERIES_MIN = 0.5;
const SERIES_MAX = 0.9;
const SERIES_SPREAD = 0.1;

/** Steps to the end of a series that shrinks by `ratio`, as it did by `before`; 0 where it is none. */
function stepsToEnd(ratio: number, before: number): number {
	const isInside = Math.min(ratio, before) > SERIES_MIN && Math.max(ratio, before) < SERIES_MAX;
	if (!isInside || Math.abs(ratio / before - 1) >= SERIES_SPREAD) return 0;
	return Math.min(DRIFT_STEPS, ratio / (1 - ratio));
}

export class FirstSteps {
	/** |f|^2 of the last one; 0 where there was none. */
	square = 0;
	/** How many in a row were like the one before, and how many gained. */
	alike = 0;
	gaining = 0;
	/** Steps of an anchor that R goes on by before the next one. */
	ahead = 0;
	/** c of the last one, where series are followed. */
	#ratio = 0;
	readonly #hasSeries: boolean;

	constructor(hasSeries: boolean) {
		this.#hasSeries = hasSeries;
	}

	start(): void {
		this.square = 0;
		this.#ratio = 0;
		this.gaining = 0;
		this.stop();
	}

	/** Nothing is followed from here. */
	stop(): void {
		this.alike = 0;
		this.ahead = 0;
	}

	take(square: number): void {
		const before = this.square;
		const isAlike = square < ALIKE * before && before < ALIKE * square;
		this.gaining = square < GAIN * GAIN * before ? this.gaining + 1 : 0;
		this.alike = isAlike ? this.alike + 1 : 0;
		this.ahead = this.alike >= DRIFT_TIMES ? DRIFT_STEPS : 0;
		this.square = square;
		if (!this.#hasSeries) return;
		const ratio = before > 0 ? Math.sqrt(square / before) : 0;
		if (this.ahead === 0) this.ahead = stepsToEnd(ratio, this.#ratio);
		this.#ratio = ratio;
	}

	get state(): PlainRecord {
		return {
			square: this.square,
			alike: this.alike,
			gaining: this.gaining,
			ahead: this.ahead,
			ratio: this.#ratio,
		};
	}

	resume(from: SavedRecord): void {
		this.square = from.number("square");
		this.alike = from.integer("alike");
		this.gaining = from.integer("gaining");
		this.ahead = from.number("ahead");
		this.#ratio = from.number("ratio");
		from.end();
	}
}
