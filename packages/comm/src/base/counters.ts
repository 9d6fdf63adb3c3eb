/** The counters that a transport keeps: plain numbers to add to, times in milliseconds as the clock gives them. */
import type { Traffic } from "@stickslip/core/parallel";

/** The first exchanges, all of which are timed. */
const TIMED_FIRST = 64;

/** The share of later ones that is timed: irrational, so that every step of a sweep has its turn, however many there are. */
const TIMED_SHARE = (Math.sqrt(5) - 1) / 20;

export class Counters {
	exchanges = 0;
	reductions = 0;
	messages = 0;
	bytes = 0;
	/** Milliseconds. */
	pack = 0;
	wait = 0;
	reduce = 0;

	/**
	 * How many exchanges the packing time of the present one represents; 0 if it is not timed. On threads reading the clock takes as long as copying a few
	 * blocks.
	 */
	get packWeight(): number {
		if (this.exchanges < TIMED_FIRST) return 1;
		const turns = this.exchanges * TIMED_SHARE;
		return turns - Math.floor(turns) < TIMED_SHARE ? 1 / TIMED_SHARE : 0;
	}

	/** A copy, with times in seconds. */
	traffic(): Traffic {
		const { exchanges, reductions, messages, bytes, pack, wait, reduce } = this;
		return { exchanges, reductions, messages, bytes, pack: pack / 1000, wait: wait / 1000, reduce: reduce / 1000 };
	}
}
