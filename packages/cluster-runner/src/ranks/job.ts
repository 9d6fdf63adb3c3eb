/** A solve that is to be run on ranks, however they are started. */
import type { Progress } from "@stickslip/core";
import { cutState, type Prepared, type RunOptions, type RunState, STOP } from "@stickslip/core/parallel";
import { cutShares, type PartitionMethod, type Shares } from "@stickslip/partition";
import type { Choice } from "./choose.js";
import type { Course } from "./course.js";
import type { Cut } from "./crew.js";
import { buffersOf, memoryOf } from "./transfer.js";

/** Where shares come from: each is cut once, and after the last one nothing is kept of what they were cut out of. */
export class Source {
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
		const from = this.#from && cutState(this.#from, share.ids);
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
	/** What is written down and kept of it. */
	readonly course: Course;
}

/** What a signal is aborted with (`controller.abort(NOW)`) to stop a solve that is kept without a last checkpoint. */
export const NOW = "now";

/** Passes a signal on as a request that the ranks agree on; returns what ends that. */
export function onAbort({ signal, course }: Pick<Job, "signal" | "course">, stop: (code: number) => void): () => void {
	if (signal === undefined) return () => {};
	const asked = () => askedTo(stop, course, signal.reason === NOW);
	if (signal.aborted) asked();
	signal.addEventListener("abort", asked);
	return () => signal.removeEventListener("abort", asked);
}

/** An orderly stop: with a checkpoint, where the run is kept and nobody said otherwise. */
export function askedTo(stop: (code: number) => void, { keeper }: Course, isNow = false): void {
	const isKept = keeper !== undefined && !isNow;
	if (isKept) keeper.suspend();
	stop(isKept ? STOP.suspend : STOP.cancelled);
}
