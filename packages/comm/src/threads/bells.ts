/**
 * How threads sleep and wake each other. Each rank has one bell and sleeps nowhere else; who may have ended its wait rings it. A
 * ring costs one load unless the rank sleeps, since the sleeper says beforehand that it does: it writes whom it waits for, looks
 * once more, and sleeps only if its bell has not rung since. What it wrote also tells who is late for whom.
 */
import type { Late, Patience } from "../patience.js";
import type { Layout } from "./shared.js";

export class Bells {
	readonly #words: Int32Array;
	readonly #bells: Int32Array;
	readonly #rank: number;
	readonly #mine: number;

	constructor(words: Int32Array, layout: Layout, size: number, rank: number) {
		this.#words = words;
		this.#bells = Int32Array.from({ length: size }, (_, other) => layout.bell(other));
		this.#rank = rank;
		this.#mine = layout.bell(rank);
	}

	/** Wakes a rank if it sleeps for want of this one. */
	ring(to: number): void {
		const bell = this.#bells[to]!;
		if (Atomics.load(this.#words, bell + 1) === this.#rank + 1) this.#wake(bell);
	}

	/** Wakes all who sleep. */
	ringAll(): void {
		for (const bell of this.#bells) if (Atomics.load(this.#words, bell + 1) !== 0) this.#wake(bell);
	}

	/** Waits until isDone(), for want of the rank that `describe` tells; errors call ranks what `nameOf` does. */
	wait(patience: Patience, isDone: () => boolean, describe: () => Late, nameOf: (rank: number) => number): void {
		const words = this.#words;
		const mine = this.#mine;
		try {
			patience.waitUntil(
				isDone,
				() => {
					const late = this.#behind(describe());
					return { ...late, rank: nameOf(late.rank) };
				},
				(milliseconds) => {
					Atomics.store(words, mine + 1, describe().rank + 1);
					const rung = Atomics.load(words, mine);
					if (!isDone()) Atomics.wait(words, mine, rung, milliseconds);
				},
			);
		} finally {
			Atomics.store(words, mine + 1, 0);
		}
	}

	#wake(bell: number): void {
		Atomics.add(this.#words, bell, 1);
		Atomics.notify(this.#words, bell);
	}

	/** The one at the end of the chain: the rank that others wait for and that waits for nobody. A ring has no end, and stays as it is. */
	#behind(late: Late): Late {
		let { rank } = late;
		for (let step = 0; step < this.#bells.length; step += 1) {
			const next = Atomics.load(this.#words, this.#bells[rank]! + 1) - 1;
			if (next === -1) return { ...late, rank };
			rank = next;
		}
		return late;
	}
}
