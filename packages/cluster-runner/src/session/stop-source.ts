/** A signal of a session's own, and what aborts it: an AbortController for each of thousands of small tasks takes longer than the collector of garbage likes. */
import type { StopSignal } from "../ranks/ranks.js";

export class StopSource implements StopSignal {
	aborted = false;
	reason: unknown;
	readonly #listeners: (() => void)[] = [];

	/** The first reason counts. */
	abort(reason?: unknown): void {
		if (this.aborted) return;
		this.aborted = true;
		this.reason = reason;
		for (const listener of this.#listeners.splice(0)) listener();
	}

	addEventListener(_type: "abort", listener: () => void): void {
		this.#listeners.push(listener);
	}

	removeEventListener(_type: "abort", listener: () => void): void {
		const at = this.#listeners.indexOf(listener);
		if (at >= 0) this.#listeners.splice(at, 1);
	}
}
