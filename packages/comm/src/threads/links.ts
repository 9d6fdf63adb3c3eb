/**
 * A channel from one rank to another: rooms for messages, used in turn, a count of messages sent and one of messages taken. The sender may be as many
 * messages ahead as there are rooms, so it never writes where the other still reads. Rooms only grow, and only at `open`, when nothing is under way; one link
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

/** A power of two. The more there are, the less often a sender has to look what was taken, in a cache line that the other rank writes. */
const ROOMS = 4;

export class Link {
	readonly #words: Int32Array;
	readonly #shared: ThreadsShared;
	readonly #at: number;
	#rooms: readonly Float64Array[] = new Array<Float64Array>(ROOMS).fill(new Float64Array(0));
	#line = 0;
	/** Messages that this end has sent, or taken; the low 32 bits. */
	#count = 0;
	/** At the sending end: how many had been taken when it last looked. */
	#taken = 0;
	/** At the sending end: may the next message be written? At the receiving end: has it come? */
	readonly isFree = (): boolean => {
		if (((this.#count - this.#taken) | 0) < ROOMS) return true;
		this.#taken = Atomics.load(this.#words, this.#at + PAIR_TAKEN);
		return ((this.#count - this.#taken) | 0) < ROOMS;
	};
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

	/** Of the next message. */
	get room(): Float64Array {
		return this.#rooms[this.#count & (ROOMS - 1)]!;
	}

	/**
	 * At the sending end, at an opening: says in the words from `at` what will be sent, after taking a larger room where that would
	 * not fit. Rooms at least double, so that what is left behind stays below what is used. The words are of this opening's parity:
	 * a sender may be at the next opening before the receiver has looked, and messages lie where this opening said.
	 */
	announce(at: number, blocks: number, width: number): void {
		const now = this.#rooms[0]!.length;
		if (blocks * width > now) {
			// They begin on cache lines.
			const larger = 8 * Math.ceil(Math.max(blocks * width, 2 * now) / 8);
			assert(larger < 2 ** 31, "a message to one rank has less than 2^31 numbers");
			this.#line = takeRoom(this.#shared, this.#words, ROOMS * larger);
			this.#enter(larger);
		}
		this.#words[at + ANNOUNCED_BLOCKS] = blocks;
		this.#words[at + ANNOUNCED_LINE] = this.#line;
		this.#words[at + ANNOUNCED_NUMBERS] = this.#rooms[0]!.length;
	}

	/** At the receiving end: finds the room where the sending end has put it. */
	find(at: number): void {
		const line = this.#words[at + ANNOUNCED_LINE]! >>> 0;
		if (line === this.#line && this.#rooms[0]!.length > 0) return;
		this.#line = line;
		this.#enter(this.#words[at + ANNOUNCED_NUMBERS]!);
	}

	#enter(numbers: number): void {
		const bytes = 64 * this.#line;
		const { arena } = this.#shared;
		this.#rooms = Array.from({ length: ROOMS }, (_, at) => new Float64Array(arena, bytes + 8 * numbers * at, numbers));
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
