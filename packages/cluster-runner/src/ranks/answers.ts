/** The answers of all ranks at the hub: each arrives once, for its own blocks, and together they cover all. */
import { type Outcome, RankError } from "@stickslip/core/parallel";
import { LargeMessages } from "../protocol/large-message.js";
import { isOutcome } from "../protocol/plain.js";

/** Above what an answer takes, in bytes: reports with remedies, the history of some millions of iterations. */
const MESSAGE_BYTES_MIN = 2 ** 28;
const BYTES_PER_BLOCK = 64;
/** Of a state: hundreds of vectors. */
const STATE_BYTES_PER_BLOCK = 2 ** 14;

/** What arrives from one process in chunks. */
export interface Inbox {
	readonly answers: LargeMessages;
	readonly states: LargeMessages;
}

export function inboxFor(blocks: number): Inbox {
	return {
		answers: new LargeMessages(MESSAGE_BYTES_MIN + BYTES_PER_BLOCK * blocks),
		states: new LargeMessages(MESSAGE_BYTES_MIN + STATE_BYTES_PER_BLOCK * blocks),
	};
}

export class Answers {
	readonly #ranks: number;
	readonly #blocks: number;
	readonly #byRank = new Map<number, Outcome>();

	constructor(ranks: number, blocks: number) {
		this.#ranks = ranks;
		this.#blocks = blocks;
	}

	has(rank: number): boolean {
		return this.#byRank.has(rank);
	}

	get areComplete(): boolean {
		return this.#byRank.size === this.#ranks;
	}

	/** Throws an Error if it is not a valid answer of this rank. */
	add(rank: number, value: unknown): void {
		if (!isOutcome(value, this.#blocks) || value.rank.rank !== rank) throw new Error("not a valid answer");
		this.#byRank.set(rank, value);
	}

	/** By rank. Throws a RankError where they do not fit together. */
	get all(): Outcome[] {
		const outcomes = Array.from({ length: this.#ranks }, (_, rank) => this.#byRank.get(rank)!);
		const owned = new Uint8Array(this.#blocks);
		for (const { ids } of outcomes) for (const id of ids) owned[id]! += 1;
		if (owned.every((times) => times === 1)) return outcomes;
		throw new RankError(-1, "the ranks' answers do not make up the whole: a contact is missing or there twice");
	}
}
