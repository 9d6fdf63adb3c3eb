/** The interface of ranks that run one program and stay up from task to task, as the code that gives them tasks sees it. */
import { type RankError, REQUEST, type RunState } from "@stickslip/core/parallel";
import type { RunEvents } from "./run-events.js";

/** A rank's part of a task. */
export interface TaskPart {
	readonly part: unknown;
	/** Buffers that are transferred to the rank instead of being copied. */
	readonly buffers: readonly ArrayBuffer[];
	/** The state that the rank resumes from. */
	readonly from?: RunState | undefined;
}

/** The part of AbortSignal that a task uses. */
export interface StopSignal {
	readonly aborted: boolean;
	readonly reason: unknown;
	addEventListener(type: "abort", listener: () => void): void;
	removeEventListener(type: "abort", listener: () => void): void;
}

export interface Task<Result> {
	/** The only rank that works on it; the others get nothing. Default: all of them work on it together. */
	readonly alone?: number;
	/** Creates the part of a rank; called once per rank, when the part is sent, so that the parts of a large problem are not all in memory at once. */
	part(rank: number): TaskPart;
	/** Work that can overlap the start of the ranks. Throws an InputError if there can be no such task. */
	prepare?(): void;
	isResult(value: unknown, rank: number): value is Result;
	/** Limits on the size of one rank's result and state as messages. */
	readonly resultBytesMax: number;
	readonly stateBytesMax: number;
	/** Asks for an orderly stop when it is aborted. */
	readonly signal?: StopSignal | undefined;
	readonly onProgress?: ((numbers: readonly number[]) => void) | undefined;
	/** Called with the number of frames from strangers that were dropped during the task. */
	readonly onForeignFrames?: (frames: number) => void;
	/** Receives log lines and states. */
	readonly events: RunEvents;
}

export interface Ranks {
	readonly ranks: number;
	/** Why they have ended, if one has failed; then no more tasks can be run. */
	readonly failure: RankError | undefined;
	/**
	 * Runs a task, and returns the results of those that work on it, by rank. One task for all ranks at a time, or any number of tasks for single ranks,
	 * which take them in order. Rejects with a RankError if a rank is lost or fails; all of them have ended then.
	 */
	run<Result>(task: Task<Result>): Promise<Result[]>;
	/** Ends them, and resolves when nothing of them is left. */
	close(): Promise<void>;
}

/** The ranks that work on a task. */
export function workersOf({ alone }: Pick<Task<unknown>, "alone">, ranks: number): number[] {
	return alone === undefined ? Array.from({ length: ranks }, (_, rank) => rank) : [alone];
}

/** The reason to abort a signal with (`controller.abort(STOP_WITHOUT_CHECKPOINT)`) to stop a task without a last checkpoint. */
export const STOP_WITHOUT_CHECKPOINT = "now";
/** The same to stop a task because its time is over. */
export const STOP_FOR_TIME = "time";

/** Passes a signal on as a request that the ranks agree on; returns what ends that. */
export function onAbort(
	{ signal, events }: Pick<Task<unknown>, "signal" | "events">,
	stop: (code: number) => void,
): () => void {
	if (signal === undefined) return () => {};
	const onAborted = () => {
		if (signal.reason === STOP_FOR_TIME) stop(REQUEST.timeLimit);
		else requestStop(stop, events, signal.reason === STOP_WITHOUT_CHECKPOINT);
	};
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
