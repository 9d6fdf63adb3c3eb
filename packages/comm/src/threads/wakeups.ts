/**
 * How threads sleep and wake each other. Each rank sleeps on one word only, and a rank that may have ended its wait wakes it. Waking
 * costs one load unless the rank sleeps: before it sleeps a rank writes whom it waits for, checks once more, and sleeps only if it has
 * not been woken since. What it wrote also shows which rank waits for which.
 */
import type { Late, Patience } from "../base/patience.js";
import type { Layout } from "./shared.js";

export class Wakeups {
	readonly #words: Int32Array;
	readonly #wakeups: Int32Array;
	readonly #rank: number;
	readonly #mine: number;

	constructor(words: Int32Array, layout: Layout, size: number, rank: number) {
		this.#words = words;
		this.#wakeups = Int32Array.from({ length: size }, (_, other) => layout.wakeup(other));
		this.#rank = rank;
		this.#mine = layout.wakeup(rank);
	}

	/** Wakes a rank if it sleeps waiting for this one. */
	wake(to: number): void {
		const at = this.#wakeups[to]!;
		if (Atomics.load(this.#words, at + 1) === this.#rank + 1) this.#notify(at);
	}

	/** Wakes all who sleep. */
	wakeAll(): void {
		for (const at of this.#wakeups) if (Atomics.load(this.#words, at + 1) !== 0) this.#notify(at);
	}

	/** Waits until isDone(), for the rank that `describe` returns; errors number ranks as `nameOf` does. */
	wait(patience: Patience, isDone: () => boolean, describe: () => Late, nameOf: (rank: number) => number): void {
		const words = this.#words;
		const mine = this.#mine;
		try {
			patience.waitUntil(
				isDone,
				() => {
					const late = this.#lateRank(describe());
					return { ...late, rank: nameOf(late.rank) };
				},
				(milliseconds) => {
					Atomics.store(words, mine + 1, describe().rank + 1);
					const woken = Atomics.load(words, mine);
					if (!isDone()) Atomics.wait(words, mine, woken, milliseconds);
				},
			);
		} finally {
			Atomics.store(words, mine + 1, 0);
		}
	}

	#notify(at: number): void {
		Atomics.add(this.#words, at, 1);
		Atomics.notify(this.#words, at);
	}

	/** The rank at the end of the chain of waits: the others wait for it, and it waits for none. In a cycle the given one is kept. */
	#lateRank(late: Late): Late {
		let { rank } = late;
		for (let step = 0; step < this.#wakeups.length; step += 1) {
			const next = Atomics.load(this.#words, this.#wakeups[rank]! + 1) - 1;
			if (next === -1) return { ...late, rank };
			rank = next;
		}
		return late;
	}
}
