/**
 * Whether the frame that a rank waits for was lost on the way. What is under way when a connection breaks is gone, the connection
 * is made anew, and ranks in lock step would then wait for each other: the receiver for that frame, its sender for the answer.
 *
 * So the receiver asks, once a second, for the frame by its number. The sender answers if it has sent it; its answer goes behind
 * the frame on the same connection. Where the answer is there and the frame is not, it was lost, unless it comes by an older
 * connection: hence the grace. A frame with a later number says the same as an answer.
 */
const ASK_MS = 1000;
const GRACE_MS = 500;

export class Search {
	readonly from: number;
	readonly tag: number;
	/** The number of the frame that is waited for. */
	sequence = -1;
	#askAt = 0;
	#lostAt = Number.POSITIVE_INFINITY;

	constructor(from: number, tag: number) {
		this.from = from;
		this.tag = tag;
	}

	/** Called again and again while nothing comes: true where it is time to ask. A long message comes in many frames, each with its own time. */
	isDue(sequence: number): boolean {
		const now = performance.now();
		if (sequence !== this.sequence) {
			this.sequence = sequence;
			this.#askAt = now + ASK_MS;
			this.#lostAt = Number.POSITIVE_INFINITY;
		}
		if (now < this.#askAt) return false;
		this.#askAt = now + ASK_MS;
		return true;
	}

	/** The frame, or one after it, was sent. */
	confirm(): void {
		this.#lostAt = Math.min(this.#lostAt, performance.now() + GRACE_MS);
	}

	get isLost(): boolean {
		return performance.now() >= this.#lostAt;
	}
}

/** How long a rank that is asked for whom it waits has time to answer, at least and at most, and as a share of the patience. */
const ANSWER_SECONDS = { least: 0.25, most: 5, share: 0.1 };

export function answerMs(patienceSeconds: number): number {
	const { least, most, share } = ANSWER_SECONDS;
	return 1000 * Math.min(most, Math.max(least, share * patienceSeconds));
}
