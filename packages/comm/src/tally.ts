/** The counters that a transport keeps: plain numbers to add to, times in milliseconds as the clock gives them. */
import type { Traffic } from "@stickslip/core/parallel";

export class Tally {
	exchanges = 0;
	reductions = 0;
	messages = 0;
	bytes = 0;
	/** Milliseconds. */
	pack = 0;
	wait = 0;
	reduce = 0;

	/** A copy, with times in seconds. */
	traffic(): Traffic {
		const { exchanges, reductions, messages, bytes, pack, wait, reduce } = this;
		return { exchanges, reductions, messages, bytes, pack: pack / 1000, wait: wait / 1000, reduce: reduce / 1000 };
	}
}
