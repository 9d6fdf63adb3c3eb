/**
 * Limits how far ranks run ahead of each other. A rank that only sends (the leaf of a gather, the root of a broadcast, a neighbour that receives nothing)
 * could send without limit, and its messages would queue at the receivers. So after this many such calls in a row all ranks wait for each other.
 */
const SEND_CREDIT_MAX = 200;

export class SendCredit {
	#spent = 0;

	/** Collective. To be called before a call in which not all ranks wait. */
	spend(barrier: () => void): void {
		this.#spent += 1;
		if (this.#spent < SEND_CREDIT_MAX) return;
		barrier();
		this.#spent = 0;
	}

	/** To be called after a call that no rank leaves before all have entered it. */
	renew(): void {
		this.#spent = 0;
	}
}
