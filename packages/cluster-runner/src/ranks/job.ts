/** A solve to be run on ranks, independent of how they are started. */
import type { Progress } from "@stickslip/core";
import { BLOCKS, cutState, type Prepared, type RunOptions, type RunState, STOP } from "@stickslip/core/parallel";
import { cutShares, type PartitionMethod, type Shares } from "@stickslip/partition";
import { buffersOf, memoryOf } from "../protocol/transfer.js";
import type { Choice } from "./choose.js";
import type { Cut } from "./local-ranks.js";
import type { RunEvents } from "./run-events.js";

/** Where shares come from: each is cut once, and after the last one nothing is kept of what they were cut out of. */
export class ShareSource {
	/** That partitioning took. */
	seconds = 0;
	/** Until it is shared out. */
	#whole: (() => Shares) | undefined;
	#shares: Shares | undefined;
	/** Memory that shares may refer to and that stays here. */
	#kept: ReadonlySet<ArrayBufferLike>;
	#left: number;
	/** What the run goes on from, of the whole problem. */
	#from: RunState | undefined;

	constructor(prepared: Prepared, ranks: number, partition: PartitionMethod = "auto", from?: RunState) {
		this.#from = from;
		this.#whole = () => cutShares(prepared, ranks, { method: partition });
		this.#kept = memoryOf(prepared);
		this.#left = ranks;
	}

	/** Decides who owns what, which takes longest and is best done while processes start. Throws an InputError for what cannot be shared out. */
	partition(): void {
		if (this.#whole === undefined) return;
		const started = performance.now();
		this.#shares = this.#whole();
		this.#whole = undefined;
		this.seconds = (performance.now() - started) / 1000;
	}

	cut(rank: number): Cut {
		this.partition();
		const share = this.#shares?.share(rank);
		if (share === undefined) throw new Error("assertion failed: each share is cut once");
		const from = this.#from && cutState(this.#from, { [BLOCKS]: share.ids });
		const buffers = buffersOf({ share, from }, this.#kept);
		this.#left -= 1;
		if (this.#left === 0) {
			this.#shares = undefined;
			this.#from = undefined;
			this.#kept = new Set();
		}
		return { share, buffers, from };
	}
}

/** What every way of running ranks is given. */
export interface Job {
	readonly choice: Choice;
	readonly source: ShareSource;
	readonly options: RunOptions;
	/** Of the whole problem. */
	readonly blocks: number;
	readonly patience: number;
	/** Seconds that a process may take to report. */
	readonly startSeconds: number;
	/** Asks for an orderly stop when it is aborted. */
	readonly signal: AbortSignal | undefined;
	readonly onProgress: ((progress: Progress) => void) | undefined;
	/** What is logged and saved of it. */
	readonly events: RunEvents;
}

/** The reason to abort a signal with (`controller.abort(NOW)`) to stop a solve without a last checkpoint. */
export const NOW = "now";

/** Passes a signal on as a request that the ranks agree on; returns what ends that. */
export function onAbort({ signal, events }: Pick<Job, "signal" | "events">, stop: (code: number) => void): () => void {
	if (signal === undefined) return () => {};
	const onAborted = () => requestStop(stop, events, signal.reason === NOW);
	if (signal.aborted) onAborted();
	signal.addEventListener("abort", onAborted);
	return () => signal.removeEventListener("abort", onAborted);
}

/** Requests an orderly stop, with a checkpoint if the run has any, unless `isNow`. */
export function requestStop(stop: (code: number) => void, { checkpointer }: RunEvents, isNow = false): void {
	const isKept = checkpointer !== undefined && !isNow;
	if (isKept) checkpointer.suspend();
	stop(isKept ? STOP.suspend : STOP.cancelled);
}
