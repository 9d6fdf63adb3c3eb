/** Ranks by their clocks, the earliest first, and of equal clocks the lower rank: a binary heap. */
export class RankQueue {
	readonly #clock: Float64Array;
	readonly #heap: number[] = [];

	/** A rank's clock does not change while it is in the queue. */
	constructor(clock: Float64Array) {
		this.#clock = clock;
	}

	push(rank: number): void {
		const heap = this.#heap;
		let at = heap.length;
		heap.push(rank);
		while (at > 0) {
			const above = (at - 1) >> 1;
			if (!this.#isBefore(rank, heap[above]!)) break;
			heap[at] = heap[above]!;
			at = above;
		}
		heap[at] = rank;
	}

	/** -1 where it is empty. */
	pop(): number {
		const heap = this.#heap;
		const first = heap[0];
		const last = heap.pop();
		if (first === undefined || last === undefined) return -1;
		const { length } = heap;
		if (length === 0) return first;
		let at = 0;
		for (let child = 1; child < length; child = 2 * at + 1) {
			if (child + 1 < length && this.#isBefore(heap[child + 1]!, heap[child]!)) child += 1;
			if (!this.#isBefore(heap[child]!, last)) break;
			heap[at] = heap[child]!;
			at = child;
		}
		heap[at] = last;
		return first;
	}

	#isBefore(one: number, other: number): boolean {
		const [a, b] = [this.#clock[one]!, this.#clock[other]!];
		return a < b || (a === b && one < other);
	}
}
