/** The options of a solve: plain data, checked once at the border. Unknown names are errors. */
import type { MeasureName } from "../measures/measures.js";
import type { RunState } from "../state/state.js";

/** What a caller sees while a solve runs. */
export interface Progress {
	readonly iterations: number;
	readonly products: number;
	/** The named measure of this iterate where it was taken, or else an estimate of it. */
	readonly error: number;
	/** Whether it was taken. */
	readonly exact: boolean;
	readonly seconds: number;
	/** The method at work, for auto the one of the moment. */
	readonly method: string;
}

/** How a solve is kept, to be gone on with later. */
export interface Keep {
	/** What is asked for, one of REQUEST and 0 for nothing; looked at after every iteration. `save` has to lower a request to save again. */
	readonly request: number;
	/** Takes the state, which is the callee's. */
	save(state: RunState): void;
	/** What to go on from; from the start where absent. */
	readonly from?: RunState;
}

export interface SolveOptions {
	/** auto (default), or a name from `methods()`. */
	readonly method?: string;
	/** Default 1e-2 in energy, 1e-3 in natural and gradient, 1e-6 in merit. */
	readonly tolerance?: number;
	/** The measure the tolerance is of; docs/conventions.md has the formulas. Default energy. */
	readonly measure?: MeasureName;
	/** zero (default), or guess: the problem's first guess; or a reaction of the caller's. */
	readonly start?: "zero" | "guess" | Float64Array;
	/** Treatment of a start whose energy error is above 3 and above that of zero: use it (default), or drop it for zero. */
	readonly worseStart?: "use" | "drop";
	/** Most iterations of the method: an integer, or Infinity. Default 100,000. */
	readonly maxIterations?: number;
	/** Seconds; the best iterate so far is returned when they are over. Default none. */
	readonly timeLimit?: number;
	/** Solve this often from the same start; `seconds` is the least. Default 1. */
	readonly repeat?: number;
	/** Keep one number per iteration. Default false. */
	readonly history?: boolean;
	/** Options of the method by the names in its paper (docs/references.md): delta, epsilon, m, theta, ... `methods()` lists them. */
	readonly set?: Readonly<Record<string, string | number>>;
	/**
	 * Stops the solve at its next iteration; the best iterate so far is returned as cancelled. Nothing can abort it while `solve`
	 * runs: there it counts only where it is aborted before; `solveAsync` lets others run, and looks at it all the time.
	 */
	readonly signal?: AbortSignal;
	/** Called at most every 50 ms, by `solveAsync` only: `solve` works in one go and tells nothing. */
	readonly onProgress?: (progress: Progress) => void;
	/** Hands out the state of the solve when it is asked for, and goes on from one that was. */
	readonly keep?: Keep;
}

/** What ranks are told of the options: the start is in their shares, and requests to stop come another way. */
export type RunOptions = Omit<SolveOptions, "start" | "signal" | "onProgress" | "keep"> & {
	/** Iterations within which the best error has to halve, or the run ends as stalled; for steps, which have other methods to try. */
	readonly patience?: number;
};
