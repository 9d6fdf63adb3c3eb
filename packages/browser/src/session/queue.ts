/**
 * Which request begins when: one for any rank as soon as a rank is free, one for a certain rank when that one is, one for all
 * when all are. The order is that in which they were asked for, but for requests that wait for a certain rank: others go past them.
 */
export type Place = "any" | "all" | number;

export interface Waiting {
	/** Resolves with the rank, the first where it is for all; with undefined when it has left the queue before. */
	readonly turn: Promise<number | undefined>;
	leave(): void;
}

interface Entry {
	readonly place: Place;
	begin(rank: number): void;
}

export class Queue {
	readonly #isBusy: boolean[];
	readonly #entries = new Set<Entry>();

	constructor(ranks: number) {
		this.#isBusy = Array.from({ length: ranks }, () => false);
	}

	/** Each turn has to be ended with `end`. */
	enter(place: Place): Waiting {
		let settle: (rank: number | undefined) => void = () => {};
		const turn = new Promise<number | undefined>((resolve) => {
			settle = resolve;
		});
		const entry: Entry = { place, begin: settle };
		this.#entries.add(entry);
		this.#next();
		return {
			turn,
			leave: () => {
				if (!this.#entries.delete(entry)) return;
				settle(undefined);
				this.#next();
			},
		};
	}

	end(place: Place, rank: number): void {
		if (place === "all") this.#isBusy.fill(false);
		else this.#isBusy[rank] = false;
		this.#next();
	}

	#next(): void {
		for (const entry of this.#entries) {
			const rank = this.#free(entry.place);
			if (rank !== undefined) {
				this.#entries.delete(entry);
				if (entry.place === "all") this.#isBusy.fill(true);
				else this.#isBusy[rank] = true;
				entry.begin(rank);
			} else if (typeof entry.place !== "number") return;
		}
	}

	#free(place: Place): number | undefined {
		if (place === "all") return this.#isBusy.includes(true) ? undefined : 0;
		if (place !== "any") return this.#isBusy[place] === false ? place : undefined;
		const rank = this.#isBusy.indexOf(false);
		return rank < 0 ? undefined : rank;
	}
}
