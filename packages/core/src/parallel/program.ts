/**
 * A program is what all ranks run together, task by task: solving a problem is one. Whoever starts ranks hands each its part of a task and takes
 * its result; what parts and results are is between the program and those who give it tasks. Programs know this file and what they work with; where
 * the ranks are, and how they reach each other, is the runner's.
 */
import type { RunState } from "../state/state.js";
import type { Communicator } from "./communicator.js";

/** What may be asked of a task while it runs; of several requests the largest counts. Save: hand out the state and go on; suspend: hand it out and end. */
export const REQUEST = { save: 1, timeLimit: 2, cancelled: 3, suspend: 4 } as const;

/** The most numbers in a message of progress. */
export const PROGRESS_NUMBERS_MAX = 7;

/** What a program has around it on one rank while it works on a task. */
export interface RankContext {
	readonly communicator: Communicator;
	/** What the task goes on from: the vectors of this rank's ids. */
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
	 * Collective: each rank with its part of the same task. It yields where another may have its turn: a driver that does not share its thread goes on
	 * at once. What it throws ends all ranks.
	 */
	run(part: Part, context: RankContext): Generator<void, Result, void>;
}

/** How long a driver that shares its thread works before it lets others have their turn. */
const SLICE_MS = 12;

/** To the end in one go. */
export function toTheEnd<Result>(steps: Generator<void, Result, void>): Result {
	for (;;) {
		const { done, value } = steps.next();
		if (done === true) return value;
	}
}

/** To the end in slices, between which timers, signals and messages have their turn. */
export async function inSlices<Result>(steps: Generator<void, Result, void>): Promise<Result> {
	for (let began = performance.now(); ; ) {
		const { done, value } = steps.next();
		if (done === true) return value;
		if (performance.now() - began < SLICE_MS) continue;
		await new Promise((resolve) => setTimeout(resolve, 0));
		began = performance.now();
	}
}
