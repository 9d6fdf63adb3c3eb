/** States of ranks that are being written: a task ends only when all states that were sent are written. */
import type { RunState } from "@stickslip/core/parallel";

export class PendingSaves {
	readonly #to: { save(rank: number, state: RunState): Promise<void> };
	readonly #saves: Promise<void>[] = [];
	#awaited = Number.POSITIVE_INFINITY;
	#allCame: () => void = () => {};

	constructor(to: { save(rank: number, state: RunState): Promise<void> }) {
		this.#to = to;
	}

	take(rank: number, state: RunState): void {
		this.#saves.push(this.#to.save(rank, state));
		if (this.#saves.length === this.#awaited) this.#allCame();
	}

	/** The run has failed, and no more states arrive. */
	giveUp(): void {
		this.#awaited = 0;
		this.#allCame();
	}

	/** Resolves when this many have arrived and been handled. */
	async written(count: number): Promise<void> {
		if (this.#saves.length < count && this.#awaited > 0) {
			this.#awaited = count;
			await new Promise<void>((resolve) => {
				this.#allCame = resolve;
			});
		}
		await Promise.allSettled(this.#saves);
	}
}
