/** Waits for threads of the same process while replying to ranks of other processes that search for the late rank: see Wire.serve. */
import { type Late, Patience, sleep } from "./patience.js";
import type { Wire } from "./wire.js";

export class ServingPatience extends Patience {
	readonly #wire: Wire;
	readonly #wirePatience: Patience;

	/** Derived from the patience of the wire. */
	constructor(patience: Patience, wire: Wire) {
		super(patience);
		this.#wire = wire;
		this.#wirePatience = patience;
	}

	/**
	 * Waits more than twice as long as the wire: if a thread waits for another, which waits for a third in another process, it must not report the second
	 * as late before that has found the third.
	 */
	override waitUntil(isDone: () => boolean, describe: () => Late, nap: (milliseconds: number) => void = sleep): void {
		this.seconds = 2 * this.#wirePatience.seconds + 1;
		super.waitUntil(isDone, describe, (milliseconds) => {
			this.#wire.serve?.(describe().rank);
			nap(milliseconds);
		});
	}
}
