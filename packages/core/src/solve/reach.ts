/** Which tolerance a run has had in reach: the tightest power of ten that its measure came below, and the products that took. */
import type { SavedRecord } from "../state/saved.js";
import type { PlainRecord } from "../state/state.js";

/** Literals, not powers: engines differ in the bits of those. */
const TOLERANCES = [
	...[1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
	...[1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16],
];

export class Reach {
	/** How many of the tolerances. */
	#count = 0;
	#products = 0;

	clear(): void {
		this.#count = 0;
		this.#products = 0;
	}

	/** Takes in a measure and the products so far. */
	note(value: number, products: number): void {
		const before = this.#count;
		while (this.#count < TOLERANCES.length && value <= TOLERANCES[this.#count]!) this.#count += 1;
		if (this.#count > before) this.#products = products;
	}

	/** For people; nothing where not even the loosest was reached. */
	describe(): string | undefined {
		if (this.#count === 0) return undefined;
		return `${TOLERANCES[this.#count - 1]!.toExponential(0)} was reached after ${this.#products} products`;
	}

	get state(): PlainRecord {
		return { count: this.#count, products: this.#products };
	}

	resume(from: SavedRecord): void {
		this.#count = from.integer("count", 0, TOLERANCES.length);
		this.#products = from.integer("products");
		from.end();
	}
}
