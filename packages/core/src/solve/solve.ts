/** The drivers: a plain loop for callers that can wait, and one that yields, for progress and for stopping. */

import { SelfCommunicator } from "../parallel/self.js";
import { wholeShare } from "../parallel/whole.js";
import type { Problem } from "../problem/problem.js";
import { assemble, finish, type Timing } from "./finish.js";
import type { Progress, SolveOptions } from "./options.js";
import { prepare } from "./prepare.js";
import type { Solution } from "./report.js";
import { Run } from "./run.js";

/** How long the yielding driver works before it lets others run, and how often it tells of its progress. */
const SLICE_MS = 12;
const PROGRESS_MS = 50;

/** Numbers worked on between two looks at the clock: a look costs what an iteration on a few contacts does. */
const NUMBERS_PER_LOOK = 100_000;
const LOOKS_APART_MAX = 64;

function serialRun(problem: Problem, options: SolveOptions): Run {
	const { plan, start, options: kept } = prepare(problem, options);
	return new Run(wholeShare(plan, start), kept, new SelfCommunicator());
}

/** One solve, to its end; returns its seconds. */
function runThrough(run: Run, options: SolveOptions): number {
	const start = performance.now();
	const { timeLimit = Number.POSITIVE_INFINITY } = options;
	const deadline = start + 1000 * timeLimit;
	run.begin();
	if (run.status === undefined && options.signal?.aborted) run.stop("cancelled");
	const apart = Math.max(1, Math.min(LOOKS_APART_MAX, Math.floor(NUMBERS_PER_LOOK / run.system.length)));
	for (let steps = timeLimit > 0 ? 1 : 0; run.status === undefined; steps += 1) {
		if (steps % apart === 0 && timeLimit < Number.POSITIVE_INFINITY && performance.now() > deadline)
			run.stop("time-limit");
		else run.step();
	}
	return (performance.now() - start) / 1000;
}

/**
 * Solves the problem from its start, in one go. Options say how; the report in the answer says how it ended. Nobody is told of
 * progress, and only a signal aborted before it begins can stop it: `solveAsync` is for that.
 * Throws an InputError for a problem or an option that makes no sense, and for nothing else.
 */
export function solve(problem: Problem, options: SolveOptions = {}): Solution {
	const before = performance.now();
	const run = serialRun(problem, options);
	const timing: Timing = { seconds: runThrough(run, options), secondsFirst: 0 };
	timing.secondsFirst = (performance.now() - before) / 1000;
	for (let i = 1; i < (options.repeat ?? 1); i += 1)
		timing.seconds = Math.min(timing.seconds, runThrough(run, options));
	return assemble([finish(run, timing)]);
}

/** A turn of the event loop: timers, signals and messages get theirs. */
function turn(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, 0));
}

/** The same solve, with the same bits, giving way every few milliseconds: `signal` and `onProgress` work here. */
export async function solveAsync(problem: Problem, options: SolveOptions = {}): Promise<Solution> {
	const before = performance.now();
	const run = serialRun(problem, options);
	const seconds = await runYielding(run, options);
	const timing: Timing = { seconds, secondsFirst: (performance.now() - before) / 1000 };
	for (let i = 1; i < (options.repeat ?? 1) && run.status !== "cancelled"; i += 1) {
		// A repetition is for timing: in one go, unless it is long enough for someone to want to stop it.
		const again = seconds < 0.1 ? runThrough(run, options) : await runYielding(run, options);
		timing.seconds = Math.min(timing.seconds, again);
		if (i % 100 === 0) await turn();
	}
	return assemble([finish(run, timing)]);
}

/** One solve in slices; the time given away is not counted. */
async function runYielding(run: Run, options: SolveOptions): Promise<number> {
	const { signal, onProgress } = options;
	let worked = 0;
	let told = Number.NEGATIVE_INFINITY;
	const limit = options.timeLimit === undefined ? Number.POSITIVE_INFINITY : 1000 * options.timeLimit;
	let sliceStart = performance.now();
	const started = sliceStart;
	run.begin();
	while (run.status === undefined) {
		if (signal?.aborted) run.stop("cancelled");
		else if (performance.now() - started > limit) run.stop("time-limit");
		else run.step();
		const now = performance.now();
		if (now - sliceStart < SLICE_MS || run.status !== undefined) continue;
		worked += now - sliceStart;
		if (onProgress && now - told >= PROGRESS_MS) {
			told = now;
			onProgress(progressOf(run, worked / 1000));
		}
		await turn();
		sliceStart = performance.now();
	}
	return (worked + performance.now() - sliceStart) / 1000;
}

function progressOf(run: Run, seconds: number): Progress {
	const { iterations, products, method, progress } = run;
	return { iterations, products, ...progress, seconds, method: method.name };
}
