/** An abort signal of the session: an AbortController for each of thousands of small tasks burdens the garbage collector. */
import type { StopSignal } from "../ranks/ranks.js";

export class StopSource implements StopSignal {
	aborted = false;
	reason: unknown;
	/** Most have none. */
	#listeners: (() => void)[] | undefined;

	/** The first reason counts. */
	abort(reason?: unknown): void {
		if (this.aborted) return;
		this.aborted = true;
		this.reason = reason;
		const listeners = this.#listeners ?? [];
		this.#listeners = undefined;
		for (const listener of listeners) listener();
	}

	addEventListener(_type: "abort", listener: () => void): void {
		this.#listeners ??= [];
		this.#listeners.push(listener);
	}

	removeEventListener(_type: "abort", listener: () => void): void {
		this.#listeners = this.#listeners?.filter((each) => each !== listener);
	}
}
