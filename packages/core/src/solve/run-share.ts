/** A rank's driver: the same loop on every rank, which all leave in the same iteration. */
import type { Communicator, Traffic } from "../parallel/communicator.js";
import type { Share } from "../parallel/share.js";
import { finish, type Outcome, type Timing } from "./finish.js";
import type { Progress, RunOptions } from "./options.js";
import { Run } from "./run.js";

/** What a rank may ask all ranks to stop for; of several the largest counts. */
export const STOP = { timeLimit: 1, cancelled: 2 } as const;

/** What the rank's surroundings know: read and called between iterations. */
export interface Watch {
	/** A request to stop, 0 for none. */
	readonly request: number;
	/** Called at most every 50 ms, on rank 0 only. */
	progress?(progress: Progress): void;
}

const PROGRESS_MS = 50;

/** One solve, to its end; returns its seconds on this rank. */
function runThrough(run: Run, options: RunOptions, communicator: Communicator, watch: Watch): number {
	communicator.barrier();
	const started = performance.now();
	const deadline = started + 1000 * (options.timeLimit ?? Number.POSITIVE_INFINITY);
	const { reducer } = run.system;
	const isFirst = communicator.rank === 0;
	let told = started;
	run.begin();
	while (run.status === undefined) {
		run.step();
		if (run.status !== undefined) break;
		// Asked for here, agreed on in the next reduction, so that all ranks stop at the same iterate. Only rank 0 looks at the clock.
		const now = isFirst ? performance.now() : 0;
		reducer.request = Math.max(watch.request, isFirst && now > deadline ? STOP.timeLimit : 0);
		if (run.stopRequest !== 0) run.stop(run.stopRequest === STOP.cancelled ? "cancelled" : "time-limit");
		else if (isFirst && watch.progress && now - told > PROGRESS_MS) {
			told = now;
			const { iterations, products, method, progress } = run;
			watch.progress({ iterations, products, ...progress, seconds: (now - started) / 1000, method: method.name });
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

/** Collective. Solves a shared problem, as often as the options say, and returns what this rank has of the answer. */
export function runShare(share: Share, options: RunOptions, communicator: Communicator, watch: Watch): Outcome {
	const before = performance.now();
	const run = new Run(share, options, communicator);
	const timing: Timing = { seconds: Number.POSITIVE_INFINITY, secondsFirst: 0 };
	let traffic: Traffic = run.traffic;
	for (let i = 0; i < (options.repeat ?? 1) && run.status !== "cancelled"; i += 1) {
		const own = runThrough(run, options, communicator, watch);
		const done = run.traffic;
		const seconds = slowest(run, own);
		if (i === 0) timing.secondsFirst = (performance.now() - before) / 1000;
		if (seconds >= timing.seconds) continue;
		timing.seconds = seconds;
		traffic = done;
	}
	return finish(run, timing, traffic);
}
