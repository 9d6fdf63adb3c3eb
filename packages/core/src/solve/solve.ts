/** The drivers: a plain loop for callers that can wait, and one that yields, for progress and for stopping. */

import type { PatternPlan } from "../outline/plan.js";
import { type SharePattern, wholeShare } from "../outline/whole.js";
import { inSlices, REQUEST, toTheEnd } from "../parallel/program.js";
import { SelfCommunicator } from "../parallel/self.js";
import type { Problem } from "../problem/problem.js";
import { validateProblem } from "../problem/validate.js";
import { cutState, type RunState } from "../state/state.js";
import { requireOptions } from "./check-options.js";
import { drive } from "./drive.js";
import { type AnswerRoom, finishAlone } from "./finish.js";
import type { Keep, SolveOptions } from "./options.js";
import { type CheckedSolve, checkAlone, prepareChecked } from "./prepare.js";
import type { Solution } from "./report.js";
import type { Watch } from "./requests.js";
import { BLOCK_SPACE, Run } from "./run.js";
import { setUpTiny, solveTiny } from "./tiny.js";

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

/** Contacts of which a solve in one call takes a few milliseconds at most: others cannot have their turn in it. */
const BRIEF_MAX = 512;

const NOTHING_KEPT: Keep = { request: 0, save: () => {} };

/** What to go on from, in the order of this run's blocks: a state that was put together of several ranks' has another. */
function fromOf({ system }: Run, from: RunState | undefined): RunState | undefined {
	const { ids } = system.share;
	return from?.spaces[BLOCK_SPACE]?.ids.length === ids.length ? cutState(from, { [BLOCK_SPACE]: ids }) : from;
}

function secondsOf(state: RunState | undefined): number {
	return state === undefined ? 0 : Number(state.scalars.seconds);
}

/** What is asked for now, and who is told. */
function watchOf({ signal, keep = NOTHING_KEPT }: SolveOptions): Watch {
	return {
		get request() {
			return Math.max(signal?.aborted ? REQUEST.cancelled : 0, keep.request);
		},
		save: (state) => keep.save(state),
	};
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
	return toTheEnd(stepsChecked(checked, options, watchOf(options), before, options.keep?.from, known));
}

/** The same in steps; the answer's arrays are those of the room where there is one. */
export function* stepsChecked(
	checked: CheckedSolve,
	options: SolveOptions,
	watch: Watch,
	before: number,
	from: RunState | undefined,
	known?: KnownPattern,
	room?: AnswerRoom,
): Generator<void, Solution, void> {
	const tiny = solveTiny(checked, options, before, room);
	if (tiny && "solution" in tiny) return tiny.solution;
	const { again = () => checked } = checked;
	// What is gone on from has taken its time already.
	const begun = before + 1000 * secondsOf(tiny?.state);
	return yield* generalSteps(again(), options, watch, begun, tiny?.state ?? from, known, room);
}

/** The general way, whatever the problem. */
function* generalSteps(
	checked: CheckedSolve,
	options: SolveOptions,
	watch: Watch,
	before: number,
	from: RunState | undefined,
	known?: KnownPattern,
	room?: AnswerRoom,
): Generator<void, Solution, void> {
	const run = serialRun(checked, known);
	try {
		const { timing, traffic } = yield* drive(run, options, watch, before, fromOf(run, from));
		return finishAlone(run, timing, traffic, room);
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
	serialRun(checked.again?.() ?? checked, known).system.arena.release();
}

/**
 * The same solve, with the same bits, in steps between which others may have their turn. What is asked for meanwhile, and who is told, is in
 * `watch`.
 */
export function* solveSteps(
	problem: Problem,
	options: SolveOptions = {},
	watch?: Watch,
	from?: RunState,
): Generator<void, Solution, void> {
	const before = performance.now();
	const checked = checkAlone(problem, options);
	const watched = watch ?? watchOf(options);
	const start = from ?? options.keep?.from;
	if (problem.contacts <= BRIEF_MAX) return yield* stepsChecked(checked, options, watched, before, start);
	const { again = () => checked } = checked;
	return yield* generalSteps(again(), options, watched, before, start);
}

/** The same solve, giving way every few milliseconds: `signal` and `onProgress` work here. */
export async function solveAsync(problem: Problem, options: SolveOptions = {}): Promise<Solution> {
	requireOptions(options);
	const { onProgress } = options;
	const watch = onProgress === undefined ? watchOf(options) : Object.assign(watchOf(options), { progress: onProgress });
	return await inSlices(solveSteps(problem, options, watch));
}
