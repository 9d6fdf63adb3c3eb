/** The drivers: a plain loop for callers that can wait, and one that yields, for progress and for stopping. */

import type { PatternPlan } from "../outline/plan.js";
import { type SharePattern, wholeShare } from "../outline/whole.js";
import { SelfCommunicator } from "../parallel/self.js";
import type { Problem } from "../problem/problem.js";
import { validateProblem } from "../problem/validate.js";
import { cutState, type RunState } from "../state/state.js";
import { assemble, finish, type Timing } from "./finish.js";
import type { Keep, Progress, SolveOptions } from "./options.js";
import { type CheckedSolve, checkAlone, prepareChecked } from "./prepare.js";
import type { Solution } from "./report.js";
import { handleRequest, STOP, startOrResume } from "./requests.js";
import { BLOCKS, Run } from "./run.js";
import { setUpTiny, solveTiny } from "./tiny.js";

/** How long the yielding driver works before it lets others run, and how often it tells of its progress. */
const SLICE_MS = 12;
const PROGRESS_MS = 50;

/** Numbers worked on between two looks at the clock: a look costs what an iteration on a few contacts does. */
const NUMBERS_PER_LOOK = 100_000;
const LOOKS_APART_MAX = 64;

/** What solves of one pattern have in common. */
export interface KnownPattern {
	readonly plan: PatternPlan;
	readonly share: SharePattern;
}

function serialRun(checked: CheckedSolve, known?: KnownPattern): Run {
	const { plan, start, options: kept } = prepareChecked(checked, known?.plan);
	const run = new Run(wholeShare(plan, start, known?.share), kept, new SelfCommunicator());
	const { operator, arena } = run.system;
	if (!checked.storeChecksBlocks || operator.isFinite) return run;
	try {
		// Finds the words for what is not finite. Finite blocks may still become infinite ones when they are scaled.
		validateProblem(checked.problem);
	} catch (error) {
		arena.release();
		throw error;
	}
	return run;
}

const NOTHING_KEPT: Keep = { request: 0, save: () => {} };

/** What to go on from, in the order of this run's blocks: a state that was put together of several ranks' has another. */
function fromOf({ system }: Run, { keep }: SolveOptions): RunState | undefined {
	const { ids } = system.share;
	const from = keep?.from;
	return from?.spaces[BLOCKS]?.ids.length === ids.length ? cutState(from, { [BLOCKS]: ids }) : from;
}

/** What is asked for now, one of STOP. */
function requestOf({ signal }: SolveOptions, keep: Keep): number {
	return Math.max(signal?.aborted ? STOP.cancelled : 0, keep.request);
}

/** One solve, to its end; returns its seconds. */
function runThrough(run: Run, options: SolveOptions, from?: RunState): number {
	const start = performance.now();
	const { timeLimit = Number.POSITIVE_INFINITY, keep = NOTHING_KEPT } = options;
	startOrResume(run, timeLimit, from, requestOf(options, keep), keep);
	const deadline = start + 1000 * (timeLimit - run.secondsBefore);
	const apart = Math.max(1, Math.min(LOOKS_APART_MAX, Math.floor(NUMBERS_PER_LOOK / run.system.length)));
	for (let steps = 1; run.status === undefined; steps += 1) {
		if (steps % apart === 0 && timeLimit < Number.POSITIVE_INFINITY && performance.now() > deadline) {
			run.stop("time-limit");
			break;
		}
		run.step();
		attend(run, keep, start);
	}
	return (performance.now() - start) / 1000;
}

/** Does what is asked for after an iteration that was not the last. */
function attend(run: Run, keep: Keep, start: number): void {
	const { request } = keep;
	if (request !== 0 && run.status === undefined) handleRequest(run, request, (performance.now() - start) / 1000, keep);
}

/**
 * Solves the problem from its start, in one go. Options say how; the report in the answer says how it ended. Nobody is told of
 * progress, and only a signal aborted before it begins can stop it: `solveAsync` is for that.
 * Throws an InputError for a problem or an option that makes no sense, and for nothing else.
 */
export function solve(problem: Problem, options: SolveOptions = {}): Solution {
	const before = performance.now();
	return solveChecked(checkAlone(problem, options), options, before);
}

/** The same for a problem that was checked since `before`; `known` is of another with its pattern. */
export function solveChecked(
	checked: CheckedSolve,
	options: SolveOptions,
	before: number,
	known?: KnownPattern,
): Solution {
	const tiny = solveTiny(checked, options, before);
	if (tiny) return tiny;
	const run = serialRun(checked, known);
	try {
		const timing = timingOf(run, runThrough(run, options, fromOf(run, options)), before);
		for (let i = 1; i < (options.repeat ?? 1) && run.status !== "cancelled"; i += 1)
			again(timing, runThrough(run, options));
		return assemble([finish(run, timing)]);
	} finally {
		run.system.arena.release();
	}
}

/** Sets a solve up as `solve` does, and goes no further: for measuring. */
export function setUp(problem: Problem, options: SolveOptions = {}): void {
	setUpChecked(checkAlone(problem, options), options);
}

export function setUpChecked(checked: CheckedSolve, options: SolveOptions, known?: KnownPattern): void {
	if (setUpTiny(checked, options)) return;
	serialRun(checked, known).system.arena.release();
}

/** After the first solve, which took so long here. */
function timingOf({ secondsBefore }: Run, seconds: number, before: number): Timing {
	const first = (performance.now() - before) / 1000;
	return { seconds: secondsBefore + seconds, secondsFirst: secondsBefore + first, secondsBefore };
}

/** After one more. */
function again(timing: Timing, seconds: number): void {
	if (seconds >= timing.seconds) return;
	timing.seconds = seconds;
	timing.secondsBefore = 0;
}

/** A turn of the event loop: timers, signals and messages get theirs. */
function turn(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, 0));
}

/** The same solve, with the same bits, giving way every few milliseconds: `signal` and `onProgress` work here. */
export async function solveAsync(problem: Problem, options: SolveOptions = {}): Promise<Solution> {
	const before = performance.now();
	const checked = checkAlone(problem, options);
	const tiny = solveTiny(checked, options, before);
	if (tiny) return tiny;
	const run = serialRun(checked);
	try {
		const seconds = await runYielding(run, options, fromOf(run, options));
		const timing = timingOf(run, seconds, before);
		for (let i = 1; i < (options.repeat ?? 1) && run.status !== "cancelled"; i += 1) {
			// A repetition is for timing: in one go, unless it is long enough for someone to want to stop it.
			again(timing, timing.seconds < 0.1 ? runThrough(run, options) : await runYielding(run, options));
			if (i % 100 === 0) await turn();
		}
		return assemble([finish(run, timing)]);
	} finally {
		run.system.arena.release();
	}
}

/** One solve in slices; the time given away is not counted. */
async function runYielding(run: Run, options: SolveOptions, from?: RunState): Promise<number> {
	const { signal, onProgress, timeLimit = Number.POSITIVE_INFINITY, keep = NOTHING_KEPT } = options;
	let worked = 0;
	let told = Number.NEGATIVE_INFINITY;
	let sliceStart = performance.now();
	const started = sliceStart;
	startOrResume(run, timeLimit, from, requestOf(options, keep), keep);
	const limit = 1000 * (timeLimit - run.secondsBefore);
	while (run.status === undefined) {
		if (signal?.aborted) run.stop("cancelled");
		else if (performance.now() - started > limit) run.stop("time-limit");
		else {
			run.step();
			attend(run, keep, sliceStart - worked);
		}
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
	const { iterations, products, method, progress, secondsBefore } = run;
	return { iterations, products, ...progress, seconds: secondsBefore + seconds, method: method.name };
}
