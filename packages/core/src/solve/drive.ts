/**
 * The driver of a run: one loop for one rank and for many, which all ranks leave in the same iteration. It yields after an iteration now and then;
 * the time until it goes on counts for the limit, and not for the solve.
 */
import type { Traffic } from "../parallel/communicator.js";
import { REQUEST } from "../parallel/program.js";
import type { RunState } from "../state/state.js";
import { commonNumber } from "./common.js";
import type { Timing } from "./finish.js";
import type { RunOptions } from "./options.js";
import { handleRequest, startOrResume, type Watch } from "./requests.js";
import type { Run } from "./run.js";

const PROGRESS_MS = 50;

/** Numbers worked on between two looks at the clock: a look costs what an iteration on a few contacts does. */
const NUMBERS_PER_LOOK = 100_000;
const LOOKS_APART_MAX = 64;

/**
 * Collective. What any rank asks for before there is an iteration to ask in; no rank goes on before all are here. Ranks that were given different
 * problems or options would wait for messages that never come: they see it here.
 */
function agreeOnStart(run: Run, options: RunOptions, watch: Watch): number {
	const { reducer, share, operator } = run.system;
	if (share.ranks === 1) return watch.request;
	const common = commonNumber(share, operator.kind, options);
	const largest = Float64Array.of(watch.request, common, -common);
	reducer.largest(largest);
	if (largest[1] !== -largest[2]!)
		throw new Error("the ranks have different problems or other options than each other");
	return largest[0]!;
}

/** One solve, to its end; returns its seconds on this rank. */
function* solveOnce(
	run: Run,
	options: RunOptions,
	watch: Watch,
	from: RunState | undefined,
	isRepetition: boolean,
): Generator<void, number, void> {
	const request = agreeOnStart(run, options, watch);
	const started = performance.now();
	/** Milliseconds in which others had their turn. */
	let away = 0;
	const { reducer } = run.system;
	const { rank, size } = reducer.communicator;
	const { timeLimit = Number.POSITIVE_INFINITY } = options;
	const apart = Math.max(1, Math.min(LOOKS_APART_MAX, Math.floor(NUMBERS_PER_LOOK / run.system.length)));
	let told = Number.NEGATIVE_INFINITY;
	startOrResume(run, timeLimit, from, request, watch);
	if (!isRepetition) watch.ready?.();
	const deadline = started + 1000 * (timeLimit - run.secondsBefore);
	let isLate = false;
	for (let steps = 1; run.status === undefined; steps += 1) {
		run.step();
		if (run.status !== undefined) break;
		if (steps % apart === 0) {
			const now = performance.now();
			isLate = rank === 0 && now > deadline;
			if (rank === 0 && watch.progress && now - told >= PROGRESS_MS) {
				told = now;
				watch.progress(progressOf(run, (now - started - away) / 1000));
			}
			yield;
			away += performance.now() - now;
		}
		const agreed = size === 1 ? Math.max(watch.request, isLate ? REQUEST.timeLimit : 0) : run.takeAgreedRequest();
		if (agreed !== 0) handleRequest(run, agreed, (performance.now() - started - away) / 1000, watch);
		if (size === 1) continue;
		// Asked for here, agreed on in the next reduction, so that all ranks stop at the same iterate. Only rank 0 looks at the clock, and
		// only it asks to save: another rank might still see, and ask for, what rank 0 has just been given.
		const asked = watch.request;
		reducer.request = Math.max(asked === REQUEST.save && rank !== 0 ? 0 : asked, isLate ? REQUEST.timeLimit : 0);
	}
	return (performance.now() - started - away) / 1000;
}

function progressOf(run: Run, seconds: number) {
	const { iterations, products, method, progress, secondsBefore } = run;
	return { iterations, products, ...progress, seconds: secondsBefore + seconds, method: method.name };
}

/** Collective. The time of the rank that took longest: all ranks take the same solve for the fastest. */
function slowest(run: Run, seconds: number): number {
	const largest = Float64Array.of(seconds);
	run.system.reducer.largest(largest);
	return largest[0]!;
}

/**
 * Collective. Solves as often as the options say, and returns the time and the traffic of the fastest solve. The first one goes on from the state
 * where there is one; its ids have to be the share's. `before` is when the set-up began.
 */
export function* drive(
	run: Run,
	options: RunOptions,
	watch: Watch,
	before: number,
	from?: RunState,
): Generator<void, { readonly timing: Timing; readonly traffic: Traffic }, void> {
	const timing: Timing = { seconds: Number.POSITIVE_INFINITY, secondsFirst: 0, secondsBefore: 0 };
	let { traffic } = run;
	for (let i = 0; i < (options.repeat ?? 1) && run.status !== "cancelled"; i += 1) {
		const isRepetition = i > 0;
		const own = yield* solveOnce(run, options, watch, isRepetition ? undefined : from, isRepetition);
		const done = run.traffic;
		const seconds = run.secondsBefore + slowest(run, own);
		if (!isRepetition) timing.secondsFirst = run.secondsBefore + (performance.now() - before) / 1000;
		if (seconds >= timing.seconds) continue;
		timing.seconds = seconds;
		timing.secondsBefore = run.secondsBefore;
		traffic = done;
	}
	return { timing, traffic };
}
