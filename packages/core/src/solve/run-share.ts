/** A rank's driver: the same loop on every rank, which all leave in the same iteration. */
import type { Communicator, Traffic } from "../parallel/communicator.js";
import type { Share } from "../parallel/share.js";
import type { RunState } from "../state/state.js";
import { finish, type Outcome, type Timing } from "./finish.js";
import type { RunOptions } from "./options.js";
import { handleRequest, STOP, startOrResume, type Watch } from "./requests.js";
import { Run } from "./run.js";

const PROGRESS_MS = 50;

interface Surroundings {
	readonly communicator: Communicator;
	readonly watch: Watch;
	/** What to go on from. */
	readonly from: RunState | undefined;
	readonly isRepetition: boolean;
}

/** Collective. What any rank asks for before there is an iteration to ask in. No rank goes on before all are here. */
function askedAtOnce(run: Run, watch: Watch): number {
	const request = Float64Array.of(watch.request);
	run.system.reducer.largest(request);
	return request[0]!;
}

/** One solve, to its end; returns its seconds on this rank. */
function runThrough(run: Run, options: RunOptions, surroundings: Surroundings): number {
	const { communicator, watch, from, isRepetition } = surroundings;
	const request = askedAtOnce(run, watch);
	const started = performance.now();
	const { reducer } = run.system;
	const isFirst = communicator.rank === 0;
	const { timeLimit = Number.POSITIVE_INFINITY } = options;
	let told = started;
	startOrResume(run, timeLimit, from, request, watch);
	if (!isRepetition) watch.ready?.();
	const deadline = started + 1000 * (timeLimit - run.secondsBefore);
	while (run.status === undefined) {
		run.step();
		if (run.status !== undefined) break;
		const agreed = run.takeAgreedRequest();
		if (agreed !== 0) handleRequest(run, agreed, (performance.now() - started) / 1000, watch);
		if (run.status !== undefined) break;
		// Asked for here, agreed on in the next reduction, so that all ranks stop at the same iterate. Only rank 0 looks at the clock, and
		// only it asks to save: another rank might still see, and ask for, what rank 0 has just been given.
		const now = isFirst ? performance.now() : 0;
		const asked = watch.request;
		reducer.request = Math.max(
			asked === STOP.save && !isFirst ? 0 : asked,
			isFirst && now > deadline ? STOP.timeLimit : 0,
		);
		if (isFirst && watch.progress && now - told > PROGRESS_MS) {
			told = now;
			const { iterations, products, method, progress, secondsBefore } = run;
			const seconds = secondsBefore + (now - started) / 1000;
			watch.progress({ iterations, products, ...progress, seconds, method: method.name });
		}
	}
	return (performance.now() - started) / 1000;
}

/** Collective. The time of the rank that took longest: all ranks take the same solve for the fastest. */
function slowest(run: Run, seconds: number): number {
	const largest = Float64Array.of(seconds);
	run.system.reducer.largest(largest);
	return largest[0]!;
}

/**
 * Collective. Solves a shared problem, as often as the options say, and returns what this rank has of the answer. The first solve
 * goes on from the state where there is one; its ids have to be the share's. Memory and exchanges are given back at the end, so that
 * a communicator serves for any number of solves; what is counted is what this one did.
 */
export function runShare(
	share: Share,
	options: RunOptions,
	communicator: Communicator,
	watch: Watch,
	from?: RunState,
): Outcome {
	const before = performance.now();
	const run = new Run(share, options, communicator);
	let failure: unknown;
	try {
		const timing: Timing = { seconds: Number.POSITIVE_INFINITY, secondsFirst: 0, secondsBefore: 0 };
		let traffic: Traffic = run.traffic;
		for (let i = 0; i < (options.repeat ?? 1) && run.status !== "cancelled"; i += 1) {
			const isRepetition = i > 0;
			const own = runThrough(run, options, {
				communicator,
				watch,
				from: isRepetition ? undefined : from,
				isRepetition,
			});
			const done = run.traffic;
			const seconds = run.secondsBefore + slowest(run, own);
			if (!isRepetition) timing.secondsFirst = run.secondsBefore + (performance.now() - before) / 1000;
			if (seconds >= timing.seconds) continue;
			timing.seconds = seconds;
			timing.secondsBefore = run.secondsBefore;
			traffic = done;
		}
		return finish(run, timing, traffic);
	} catch (error) {
		failure = error;
		throw error;
	} finally {
		run.system.close(failure);
	}
}
