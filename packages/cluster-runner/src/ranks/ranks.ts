/** The interface of ranks that run one program and stay up from task to task, as the code that gives them tasks sees it. */
import { type RankError, REQUEST, type RunState } from "@stickslip/core/parallel";
import type { RunEvents } from "./run-events.js";

/** A rank's part of a task. */
export interface TaskPart {
	readonly part: unknown;
	/** Memory of it that moves to the rank. */
	readonly buffers: readonly ArrayBuffer[];
	/** What the rank goes on from. */
	readonly from?: RunState | undefined;
}

export interface Task<Result> {
	/** So many of the ranks work on it, from the first on, and the others are not told of it. Default all of them. */
	readonly workers?: number;
	/** Made when it is asked for, once for each rank; so that no two are held at a time where they are large. */
	part(rank: number): TaskPart;
	/** What can be done while ranks start. Throws an InputError for what cannot be a task. */
	prepare?(): void;
	isResult(value: unknown, rank: number): value is Result;
	/** The most that a result of a rank, and a state, may take on their way. */
	readonly resultBytesMax: number;
	readonly stateBytesMax: number;
	/** Asks for an orderly stop when it is aborted. */
	readonly signal?: AbortSignal | undefined;
	readonly onProgress?: ((numbers: readonly number[]) => void) | undefined;
	/** So many frames of strangers were dropped meanwhile. */
	readonly onForeignFrames?: (frames: number) => void;
	/** What is logged and saved of it. */
	readonly events: RunEvents;
}

export interface Ranks {
	readonly ranks: number;
	/** Why they have ended, if one has failed; there is nothing to run tasks on then. */
	readonly failure: RankError | undefined;
	/**
	 * Runs a task on all of them, and returns their results by rank; one task at a time. Rejects with a RankError where a rank is lost or fails, and all
	 * of them have ended then.
	 */
	run<Result>(task: Task<Result>): Promise<Result[]>;
	/** Ends them. Resolves when nothing of them is left. */
	close(): Promise<void>;
}

/** The reason to abort a signal with (`controller.abort(STOP_WITHOUT_CHECKPOINT)`) to stop a task without a last checkpoint. */
export const STOP_WITHOUT_CHECKPOINT = "now";

/** Passes a signal on as a request that the ranks agree on; returns what ends that. */
export function onAbort(
	{ signal, events }: Pick<Task<unknown>, "signal" | "events">,
	stop: (code: number) => void,
): () => void {
	if (signal === undefined) return () => {};
	const onAborted = () => requestStop(stop, events, signal.reason === STOP_WITHOUT_CHECKPOINT);
	if (signal.aborted) onAborted();
	signal.addEventListener("abort", onAborted);
	return () => signal.removeEventListener("abort", onAborted);
}

/** Requests an orderly stop, with a checkpoint if the run has any, unless `isNow`. */
export function requestStop(stop: (code: number) => void, { checkpointer }: RunEvents, isNow = false): void {
	const isKept = checkpointer !== undefined && !isNow;
	if (isKept) checkpointer.suspend();
	stop(isKept ? REQUEST.suspend : REQUEST.cancelled);
}
