/**
 * A channel from one rank to another: a buffer of two halves, used in turn, a count of messages sent and one of messages taken. The sender may be two
 * messages ahead and no more, so it never writes where the other still reads. Rooms only grow, and only at `open`, when nothing is under way; one link
 * serves all plans.
 */
import { assert } from "@stickslip/core/parallel";
import {
	ANNOUNCED_BLOCKS,
	ANNOUNCED_LINE,
	ANNOUNCED_NUMBERS,
	PAIR_TAKEN,
	type ThreadsShared,
	takeRoom,
} from "./shared.js";

export class Link {
	readonly #words: Int32Array;
	readonly #shared: ThreadsShared;
	readonly #at: number;
	#halves: readonly [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
	#line = 0;
	/** Messages that this end has sent, or taken; the low 32 bits. */
	#count = 0;
	/** At the sending end: may the next message be written? At the receiving end: has it come? */
	readonly isFree = (): boolean => ((this.#count - Atomics.load(this.#words, this.#at + PAIR_TAKEN)) | 0) < 2;
	readonly hasCome = (): boolean => ((Atomics.load(this.#words, this.#at) - this.#count) | 0) > 0;

	constructor(
		/** The rank at the other end. */
		readonly other: number,
		shared: ThreadsShared,
		words: Int32Array,
		at: number,
	) {
		this.#shared = shared;
		this.#words = words;
		this.#at = at;
	}

	/** The half of the next message. */
	get room(): Float64Array {
		return this.#halves[this.#count & 1]!;
	}

	/**
	 * At the sending end, at an opening: says in the words from `at` what will be sent, after taking a larger room where that would
	 * not fit. Rooms at least double, so that what is left behind stays below what is used. The words are of this opening's parity:
	 * a sender may be at the next opening before the receiver has looked, and messages lie where this opening said.
	 */
	announce(at: number, blocks: number, width: number): void {
		const now = this.#halves[0].length;
		if (blocks * width > now) {
			// Halves begin on cache lines.
			const larger = 8 * Math.ceil(Math.max(blocks * width, 2 * now) / 8);
			assert(larger < 2 ** 31, "a message to one rank has less than 2^31 numbers");
			this.#line = takeRoom(this.#shared, this.#words, 2 * larger);
			this.#enter(larger);
		}
		this.#words[at + ANNOUNCED_BLOCKS] = blocks;
		this.#words[at + ANNOUNCED_LINE] = this.#line;
		this.#words[at + ANNOUNCED_NUMBERS] = this.#halves[0].length;
	}

	/** At the receiving end: finds the room where the sending end has put it. */
	find(at: number): void {
		const line = this.#words[at + ANNOUNCED_LINE]! >>> 0;
		if (line === this.#line && this.#halves[0].length > 0) return;
		this.#line = line;
		this.#enter(this.#words[at + ANNOUNCED_NUMBERS]!);
	}

	#enter(numbers: number): void {
		const bytes = 64 * this.#line;
		const { arena } = this.#shared;
		this.#halves = [new Float64Array(arena, bytes, numbers), new Float64Array(arena, bytes + 8 * numbers, numbers)];
	}

	/** The room has been written: the other end may read it. */
	send(): void {
		this.#count = (this.#count + 1) | 0;
		Atomics.store(this.#words, this.#at, this.#count);
	}

	/** The room has been read: the other end may write it. */
	take(): void {
		this.#count = (this.#count + 1) | 0;
		Atomics.store(this.#words, this.#at + PAIR_TAKEN, this.#count);
	}
}
