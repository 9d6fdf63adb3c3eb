/**
 * What may be asked of a solve while it runs, and who is told what. Requests are looked at between iterations; on several ranks they
 * travel in the reductions, so that all ranks do what was asked at the same iteration.
 */

import { REQUEST } from "../parallel/program.js";
import type { RunState } from "../state/state.js";
import type { Progress } from "./options.js";
import type { Run } from "./run.js";

/** What a solve's surroundings know: read and called between iterations. */
export interface Watch {
	/** One of REQUEST, 0 for none. Of ranks it is rank 0 alone that can ask to save; its `save` has to lower that request again. */
	readonly request: number;
	/** Called at most every 50 ms, on rank 0 only. */
	progress?(progress: Progress): void;
	/** Called on every rank when it begins to iterate. */
	ready?(): void;
	/** Called on every rank at the same iteration, once per request that was agreed on; the copies are the callee's. */
	save?(state: RunState): void;
}

/** Collective. Does what all ranks have agreed on, at this iteration; `seconds` is how long this process has been at it. */
export function handleRequest(run: Run, request: number, seconds: number, to: Pick<Watch, "save">): void {
	if (request === REQUEST.save || request === REQUEST.suspend) to.save?.(run.state(seconds));
	if (request === REQUEST.suspend) run.suspend();
	else if (request === REQUEST.cancelled) run.stop("cancelled");
	else if (request === REQUEST.timeLimit) run.stop("time-limit");
}

/**
 * Collective. Begins, or goes on from a state. What is asked for by then happens before the first iteration: no time is no iteration,
 * on one rank as on many. A request to save waits for an iteration.
 */
export function startOrResume(
	run: Run,
	timeLimit: number,
	from: RunState | undefined,
	request: number,
	to: Pick<Watch, "save">,
): void {
	if (from === undefined) run.begin();
	else run.resume(from);
	if (run.status !== undefined) return;
	if (run.secondsBefore >= timeLimit) run.stop("time-limit");
	else if (request > REQUEST.save) handleRequest(run, request, 0, to);
}
