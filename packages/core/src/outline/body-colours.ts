/**
 * The colours already at each body, one bit each in words of 32. Nearly all bodies have few: their words stand side by side,
 * a page for each 32 colours of all bodies. A body that hundreds of contacts meet at (a drum, a floor that moves) has more,
 * and hands large colours to bodies that have no others: words beyond the pages stand alone, only where there are any.
 */

/** Pages: 512 colours, at most 64 bytes per body. */
const PAGES_MAX = 16;

export class BodyColours {
	readonly #bodies: number;
	readonly #pages: Int32Array[] = [];
	/** Words beyond the pages, by word * bodies + body. */
	readonly #beyond = new Map<number, number>();
	/** The first word of each body that has a colour left. */
	readonly #open: Int32Array;

	constructor(bodies: number) {
		this.#bodies = bodies;
		this.#open = new Int32Array(bodies);
	}

	/** Marks the first colour that neither body has, and returns it; -1 is an obstacle, which has none. */
	take(first: number, second: number): number {
		let word = Math.max(first < 0 ? 0 : this.#open[first]!, second < 0 ? 0 : this.#open[second]!);
		for (;;) {
			const used = this.#word(first, word) | this.#word(second, word);
			if (used !== -1) {
				const bit = ~used & -~used;
				this.#mark(first, word, bit);
				this.#mark(second, word, bit);
				return 32 * word + 31 - Math.clz32(bit);
			}
			word += 1;
		}
	}

	/** Whether neither body has the colour. */
	free(first: number, second: number, colour: number): boolean {
		const word = colour >>> 5;
		return ((this.#word(first, word) | this.#word(second, word)) & (1 << (colour & 31))) === 0;
	}

	/** Gives both bodies, which have the one colour, the other instead. */
	move(first: number, second: number, from: number, to: number): void {
		this.#unmark(first, from >>> 5, 1 << (from & 31));
		this.#unmark(second, from >>> 5, 1 << (from & 31));
		this.#mark(first, to >>> 5, 1 << (to & 31));
		this.#mark(second, to >>> 5, 1 << (to & 31));
	}

	#word(body: number, word: number): number {
		if (body < 0) return 0;
		if (word < PAGES_MAX) return this.#pages[word]?.[body] ?? 0;
		return this.#beyond.get(word * this.#bodies + body) ?? 0;
	}

	#set(body: number, word: number, bits: number): void {
		if (word < PAGES_MAX) {
			while (this.#pages.length <= word) this.#pages.push(new Int32Array(this.#bodies));
			this.#pages[word]![body] = bits;
		} else this.#beyond.set(word * this.#bodies + body, bits);
	}

	#unmark(body: number, word: number, bit: number): void {
		if (body < 0) return;
		this.#set(body, word, this.#word(body, word) & ~bit);
		this.#open[body] = Math.min(this.#open[body]!, word);
	}

	#mark(body: number, word: number, bit: number): void {
		if (body < 0) return;
		const marked = this.#word(body, word) | bit;
		this.#set(body, word, marked);
		if (marked !== -1) return;
		while (this.#word(body, this.#open[body]!) === -1) this.#open[body]! += 1;
	}
}
