/**
 * A rank that only sends (the leaf of a gather, the root of a broadcast, a neighbour that receives nothing) could run ahead of
 * the others without end, and its messages would pile up there. So after some such calls in a row all wait for each other.
 */
export const CALLS_AHEAD_MAX = 200;

export class Ahead {
	#calls = 0;

	/** Collective. Before a call that not all ranks wait in. */
	step(barrier: () => void): void {
		this.#calls += 1;
		if (this.#calls < CALLS_AHEAD_MAX) return;
		barrier();
		this.#calls = 0;
	}

	/** After a call that nobody leaves before all have come. */
	reset(): void {
		this.#calls = 0;
	}
}
