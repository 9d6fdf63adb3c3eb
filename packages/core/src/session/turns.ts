/** Work that is done one at a time, in the order in which it was asked for. What waits can leave the queue. */
export interface Place {
	/** Resolves with true when it is its turn, with false when it has left the queue before. */
	readonly turn: Promise<boolean>;
	leave(): void;
}

export class Turns {
	#isBusy = false;
	readonly #waiting = new Set<() => void>();

	/** Undefined where it is one's turn at once. Each turn has to be ended. */
	enter(): Place | undefined {
		if (!this.#isBusy) {
			this.#isBusy = true;
			return undefined;
		}
		let settle: (isTurn: boolean) => void;
		const turn = new Promise<boolean>((resolve) => {
			settle = resolve;
		});
		const begin = () => settle(true);
		this.#waiting.add(begin);
		const leave = () => {
			if (this.#waiting.delete(begin)) settle(false);
		};
		return { turn, leave };
	}

	/** Ends a turn: the next one begins. */
	end(): void {
		const [next] = this.#waiting;
		if (next === undefined) {
			this.#isBusy = false;
			return;
		}
		this.#waiting.delete(next);
		next();
	}
}
