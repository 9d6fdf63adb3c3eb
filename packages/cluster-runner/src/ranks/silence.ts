/** Tells when the other side has been silent for too long, from looks at regular intervals. */
import { BEAT_MS, SILENCE_MS } from "./messages.js";

/** A look that is so late shows that this side itself did not run: what the other said meanwhile is still to be read. */
const LATE_MS = 2 * BEAT_MS;

export class Silence {
	#heard: number;
	#looked: number;

	constructor(now: number) {
		this.#heard = now;
		this.#looked = now;
	}

	/** The other side was heard. */
	broken(now: number): void {
		this.#heard = now;
	}

	/** To be called every BEAT_MS: true when the other side is lost. */
	isTooLong(now: number): boolean {
		if (now - this.#looked > LATE_MS) this.#heard = Math.max(this.#heard, now - SILENCE_MS + LATE_MS);
		this.#looked = now;
		return now - this.#heard > SILENCE_MS;
	}
}
