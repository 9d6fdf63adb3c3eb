/**
 * Tells when the other side has been silent for too long, from looks at regular intervals. On a machine with more ranks than cores a
 * process may get no turn for seconds: one that the system says is there and not stopped is given much longer.
 */

import { BEAT_MS, SILENCE_MS } from "./messages.js";
import { isRunning } from "./running.js";

/**
 * Time beyond this between two looks is time in which this side itself did not run: it was stopped, or its file system kept it. What the other said
 * meanwhile is still to be read, so it does not count as silence.
 */
const LATE_MS = 2 * BEAT_MS;

/** What a process that is running is given. */
const STARVED_MS = 30_000;

export class Silence {
	#heard: number;
	#looked: number;
	readonly #pid: number | undefined;
	readonly #limit: number;

	/** `pid` is the other side's, where it is on this machine. */
	constructor(now: number, pid?: number, limit = SILENCE_MS) {
		this.#pid = pid;
		this.#limit = limit;
		this.#heard = now;
		this.#looked = now;
	}

	/** The other side was heard. */
	broken(now: number): void {
		this.#heard = now;
	}

	/** To be called every BEAT_MS: true when the other side is lost. */
	isTooLong(now: number): boolean {
		const late = Math.max(0, now - this.#looked - LATE_MS);
		this.#heard = Math.min(now, this.#heard + late);
		this.#looked = now;
		const silent = now - this.#heard;
		return silent > this.#limit && (silent > STARVED_MS || this.#pid === undefined || !isRunning(this.#pid));
	}
}
