/** When Anderson mixing is not trusted: a mixed step that is too long is taken back, and mixing that only cycles is given up. gauss-seidel has the same rules. */

/** A mixed step may be this much longer than the one before it. */
const GROWTH_MAX = 1.2;
/** Steps after which mixing is given up where it has not brought their length below this share of the least. */
const PATIENCE = 100;
const GAIN = 0.9;

export type WatchNumbers = { lastSquare: number; mark: number; since: number; mixes: number };

export class MixingWatch {
	/** What counts between two iterations: the last square, the least length to fall below, steps since it was, and whether it still mixes (1). */
	readonly numbers: WatchNumbers = { lastSquare: 0, mark: 0, since: 0, mixes: 1 };

	start(): void {
		const { POSITIVE_INFINITY } = Number;
		Object.assign(this.numbers, { lastSquare: POSITIVE_INFINITY, mark: POSITIVE_INFINITY, since: 0, mixes: 1 });
	}

	get mixes(): boolean {
		return this.numbers.mixes === 1;
	}

	/** Whether a mixed step of this square is to be taken back; the next is then compared with none. */
	isTooLong(square: number): boolean {
		const isLong = !(square <= GROWTH_MAX * GROWTH_MAX * this.numbers.lastSquare);
		if (isLong) this.forget();
		return isLong;
	}

	/** The next step is another map's. */
	forget(): void {
		this.numbers.lastSquare = Number.POSITIVE_INFINITY;
	}

	/** Takes in a step; a sentence for the report where mixing is given up with it. */
	note(square: number): string | undefined {
		const { numbers } = this;
		numbers.lastSquare = square;
		numbers.since += 1;
		const length = Math.sqrt(square);
		if (length <= GAIN * numbers.mark) {
			numbers.mark = length;
			numbers.since = 0;
		}
		if (numbers.since < PATIENCE) return undefined;
		numbers.mixes = 0;
		return `${PATIENCE} iterations without a shorter step: Anderson acceleration switched off`;
	}
}
