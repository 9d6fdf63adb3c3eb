/**
 * A program is what all ranks run together, task by task: solving a problem is one. Whoever starts ranks hands each its part of a task and takes
 * its result; what parts and results are is between the program and those who give it tasks. Programs know this file and what they work with; where
 * the ranks are, and how they reach each other, is the runner's.
 */
import type { RunState } from "../state/state.js";
import type { Communicator } from "./communicator.js";

/** Requests to a running task; the largest one counts. save: hand out the state and continue; suspend: hand it out and end. */
export const REQUEST = { save: 1, timeLimit: 2, cancelled: 3, suspend: 4 } as const;

/** The most numbers in a message of progress. */
export const PROGRESS_NUMBERS_MAX = 7;

/** The interface between a program and its rank during a task. */
export interface RankContext {
	readonly communicator: Communicator;
	/** The state to resume from, with the vectors of this rank's ids. */
	readonly from?: RunState | undefined;
	/** One of REQUEST, 0 for none. Of ranks it is rank 0 alone that can be asked to save; `save` lowers that request again. */
	readonly request: number;
	/** This rank begins to iterate. */
	ready(): void;
	/** Of rank 0: at most PROGRESS_NUMBERS_MAX numbers, whose meaning is the program's. */
	progress(numbers: readonly number[]): void;
	/** Of any rank: a line of the log. */
	log(
		level: "info" | "warn" | "error",
		event: string,
		facts?: Readonly<Record<string, string | number | boolean>>,
	): void;
	/** The state of this rank, the same iteration on all; the copies are the callee's. */
	save(state: RunState): void;
}

export interface RankProgram<Part, Result> {
	/**
	 * Collective: each rank has its own part of the same task. Yields at points where the thread may do other work; a rank's own thread resumes it
	 * at once. An exception ends all ranks.
	 */
	run(part: Part, context: RankContext): Generator<void, Result, void>;
}

/** Time slice of a task that shares its thread with other work. */
const SLICE_MS = 12;

/** Runs a program without a break. */
export function toTheEnd<Result>(steps: Generator<void, Result, void>): Result {
	for (;;) {
		const { done, value } = steps.next();
		if (done === true) return value;
	}
}

const isBrowser = "window" in globalThis || "WorkerGlobalScope" in globalThis;

/** Resolves after other work of this thread had its turn. In a browser by a message, since there a timer that is set by a timer waits for 4 ms. */
function giveWay(): Promise<void> {
	const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => unknown };
	if (setImmediate) return new Promise((resolve) => setImmediate(resolve));
	if (!isBrowser) return new Promise((resolve) => setTimeout(resolve, 0));
	const { port1, port2 } = new MessageChannel();
	return new Promise((resolve) => {
		port1.onmessage = () => {
			port1.close();
			resolve();
		};
		port2.postMessage(undefined);
	});
}

/** How long a thread has been at work since timers, signals and messages were handled. */
export class TimeSlice {
	#began: number | undefined;

	/** Whether they should be handled before the work goes on. */
	get isOver(): boolean {
		const now = performance.now();
		if (this.#began !== undefined) return now - this.#began >= SLICE_MS;
		this.#began = now;
		// As soon as it runs, so have others.
		setTimeout(() => {
			this.#began = undefined;
		}, 0);
		return false;
	}

	async giveWay(): Promise<void> {
		await giveWay();
		this.#began = undefined;
	}
}

/** Runs a program in time slices, between which timers, signals and messages are handled. */
export async function inSlices<Result>(
	steps: Generator<void, Result, void>,
	slice: TimeSlice = new TimeSlice(),
): Promise<Result> {
	for (;;) {
		const { done, value } = steps.next();
		if (done === true) return value;
		if (slice.isOver) await slice.giveWay();
	}
}
