/** The results of the ranks of a task at the hub: each arrives once, from its own process. */
import { LargeMessages } from "../protocol/large-message.js";
import type { Task } from "./ranks.js";

/** What arrives from one process in chunks. */
export interface IncomingMessages {
	readonly results: LargeMessages;
	readonly states: LargeMessages;
}

export function incomingFrom({ resultBytesMax, stateBytesMax }: Task<unknown>): IncomingMessages {
	return { results: new LargeMessages(resultBytesMax), states: new LargeMessages(stateBytesMax) };
}

export class RankResults {
	readonly #ranks: readonly number[];
	readonly #isResult: Task<unknown>["isResult"];
	readonly #byRank = new Map<number, unknown>();

	constructor(ranks: readonly number[], isResult: Task<unknown>["isResult"]) {
		this.#ranks = ranks;
		this.#isResult = isResult;
	}

	/** Whether the result of this rank is missing. */
	isMissing(rank: number): boolean {
		return this.#ranks.includes(rank) && !this.#byRank.has(rank);
	}

	/** Throws an Error if it is not a valid result of this rank. */
	add(rank: number, value: unknown): void {
		if (!this.#isResult(value, rank)) throw new Error("not a valid answer");
		this.#byRank.set(rank, value);
	}

	get areComplete(): boolean {
		return this.#byRank.size === this.#ranks.length;
	}

	/** By rank. */
	get all(): unknown[] {
		return this.#ranks.map((rank) => this.#byRank.get(rank));
	}
}
