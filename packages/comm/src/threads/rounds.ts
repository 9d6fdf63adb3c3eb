/**
 * Rounds of all threads. In a round each rank writes into its slot and arrives; once all have arrived each reads what it wants of all slots. Slots are
 * there twice, for rounds in turn: a rank that writes for round k + 2 has seen all arrive in round k + 1, so nobody reads the slots of round k any more.
 */
import { assert } from "@stickslip/core/parallel";
import type { Patience } from "../base/patience.js";
import { ARRIVED, GENERATION, SLOT_BYTES, type ThreadsShared } from "./shared.js";
import type { Wakeups } from "./wakeups.js";

/** The kind of a round, so that one rank's reduction cannot meet another's barrier unnoticed. */
const KINDS = ["barrier", "reduction", "broadcast", "gather", "opening of a plan"] as const;
export const BARRIER = 0;
export const REDUCTION = 1;
export const BROADCAST = 2;
export const GATHER = 3;
export const OPENING = 4;

/** The words of a slot's heading: the round it was written for, its kind, what all must agree on, and a length of one's own. */
const ROUND = 0;
const KIND = 1;
const AGREED = 2;
const LENGTH = 3;
const HEADING_BYTES = 16;

export interface RoundsOptions {
	readonly shared: ThreadsShared;
	readonly words: Int32Array;
	readonly rank: number;
	readonly wakeups: Wakeups;
	readonly patience: Patience;
	/** What a rank is called in errors. */
	readonly nameOf: (rank: number) => number;
}

export class Rounds {
	readonly #size: number;
	readonly #rank: number;
	readonly #words: Int32Array;
	readonly #headings: Int32Array;
	readonly #slots: SharedArrayBuffer;
	readonly #wakeups: Wakeups;
	readonly #patience: Patience;
	readonly #nameOf: (rank: number) => number;
	readonly #isComplete: () => boolean;
	/** The round under way, and then the last one; the low 32 bits. */
	#round = 0;

	constructor({ shared, words, rank, wakeups, patience, nameOf }: RoundsOptions) {
		this.#size = shared.size;
		this.#rank = rank;
		this.#words = words;
		this.#slots = shared.slots;
		this.#headings = new Int32Array(shared.slots);
		this.#wakeups = wakeups;
		this.#patience = patience;
		this.#nameOf = nameOf;
		this.#isComplete = () => Atomics.load(words, GENERATION) === this.#round;
	}

	/** Begins the next round: whose slots are of this parity. */
	next(): number {
		this.#round = (this.#round + 1) | 0;
		return this.#round & 1;
	}

	/** Where the numbers or bytes of a rank's slot begin, in bytes. */
	start(parity: number, rank: number): number {
		return (parity * this.#size + rank) * SLOT_BYTES + HEADING_BYTES;
	}

	/** One rank's numbers in slots of this parity. */
	numbers(parity: number, rank: number, length: number): Float64Array {
		return new Float64Array(this.#slots, this.start(parity, rank), length);
	}

	/** The length that a rank gave to the round just over. */
	length(rank: number): number {
		return this.#headings[this.#heading(rank) + LENGTH]! >>> 0;
	}

	/** Arrives with what was written into the own slot, and returns when all have. */
	meet(kind: number, agreed: number, length: number): void {
		const headings = this.#headings;
		const mine = this.#heading(this.#rank);
		const round = this.#round;
		headings[mine + KIND] = kind;
		headings[mine + AGREED] = agreed;
		headings[mine + LENGTH] = length;
		Atomics.store(headings, mine + ROUND, round);
		const words = this.#words;
		if (Atomics.add(words, ARRIVED, 1) === this.#size - 1) {
			Atomics.store(words, ARRIVED, 0);
			Atomics.store(words, GENERATION, round);
			this.#wakeups.wakeAll();
		} else if (Atomics.load(words, GENERATION) !== round) {
			this.#wakeups.wait(this.#patience, this.#isComplete, () => this.#missing(kind), this.#nameOf);
		}
		for (let rank = 0; rank < this.#size; rank += 1) {
			const other = this.#heading(rank);
			if (headings[other + KIND] !== kind || headings[other + AGREED] !== agreed) this.#disagree(rank);
		}
	}

	#heading(rank: number): number {
		return (((this.#round & 1) * this.#size + rank) * SLOT_BYTES) >> 2;
	}

	#missing(kind: number) {
		const what = `its ${KINDS[kind]}`;
		for (let rank = 0; rank < this.#size; rank += 1) {
			if (Atomics.load(this.#headings, this.#heading(rank) + ROUND) !== this.#round) return { rank, what };
		}
		// All have arrived, and the last is about to announce it.
		return { rank: this.#rank, what };
	}

	#disagree(rank: number): never {
		const calls = [this.#rank, rank].map((one) => {
			const at = this.#heading(one);
			return `rank ${one} is in a ${KINDS[this.#headings[at + KIND]!]} (${this.#headings[at + AGREED]})`;
		});
		assert(false, `collective calls come in the same order on all ranks: ${calls.join(", ")}`);
	}
}
