/** A solve that is to be run on ranks, however they are started. */
import type { Progress } from "@stickslip/core";
import { type Prepared, type RunOptions, STOP } from "@stickslip/core/parallel";
import { cutShares, type PartitionMethod, type Shares } from "@stickslip/partition";
import type { Choice } from "./choose.js";
import type { Cut } from "./crew.js";
import { buffersOf, memoryOf } from "./transfer.js";

/** Where shares come from: each is cut once, and after the last one nothing is kept of what they were cut out of. */
export class Source {
	#shares: Shares | undefined;
	/** Memory that shares may refer to and that stays here. */
	#kept: ReadonlySet<ArrayBufferLike>;
	#left: number;

	constructor(prepared: Prepared, ranks: number, partition: PartitionMethod = "auto") {
		this.#shares = cutShares(prepared, ranks, { method: partition });
		this.#kept = memoryOf(prepared);
		this.#left = ranks;
	}

	cut(rank: number): Cut {
		const share = this.#shares?.share(rank);
		if (share === undefined) throw new Error("assertion failed: each share is cut once");
		const buffers = buffersOf(share, this.#kept);
		this.#left -= 1;
		if (this.#left === 0) {
			this.#shares = undefined;
			this.#kept = new Set();
		}
		return { share, buffers };
	}
}

/** What every way of running ranks is given. */
export interface Job {
	readonly choice: Choice;
	readonly source: Source;
	readonly options: RunOptions;
	/** Of the whole problem. */
	readonly blocks: number;
	readonly patience: number;
	/** Seconds that a process may take to report. */
	readonly startSeconds: number;
	/** Asks for an orderly stop when it is aborted. */
	readonly signal: AbortSignal | undefined;
	readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** Passes a signal on as a request that the ranks agree on; returns what ends that. */
export function onAbort(signal: AbortSignal | undefined, stop: (code: number) => void): () => void {
	if (signal === undefined) return () => {};
	const asked = () => stop(STOP.cancelled);
	if (signal.aborted) asked();
	signal.addEventListener("abort", asked);
	return () => signal.removeEventListener("abort", asked);
}
