/** A rank's part of a solve. */
import type { Communicator, Traffic } from "../parallel/communicator.js";
import type { Share } from "../parallel/share.js";
import { cutState, type RunState } from "../state/state.js";
import { drive } from "./drive.js";
import { finish, finishStep, type SolveFacts, type Timing } from "./finish.js";
import type { RunOptions } from "./options.js";
import type { RankResult } from "./report.js";
import type { Watch } from "./requests.js";
import { BLOCK_SPACE, Run } from "./run.js";

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
): Generator<void, RankResult, void> {
	return runToEnd(share, options, communicator, watch, from, finish);
}

const NOBODY_WATCHES: Watch = { request: 0, save: () => {} };

/**
 * Collective. The same for a step of a simulation, which needs less of the answer: reactions go to the blocks of `reaction` that `to` says by place. It goes on from a state of these
 * blocks in any order, where there is one.
 */
export function runStep(
	share: Share,
	options: RunOptions,
	communicator: Communicator,
	reaction: Float64Array,
	to: Int32Array,
	from?: RunState,
): Generator<void, SolveFacts, void> {
	const end = (run: Run, timing: Timing) => finishStep(run, timing, reaction, to);
	const own = from && cutState(from, { [BLOCK_SPACE]: share.ids });
	return runToEnd(share, options, communicator, NOBODY_WATCHES, own, end);
}

function* runToEnd<Result>(
	share: Share,
	options: RunOptions,
	communicator: Communicator,
	watch: Watch,
	from: RunState | undefined,
	end: (run: Run, timing: Timing, traffic: Traffic) => Result,
): Generator<void, Result, void> {
	const before = performance.now();
	const run = new Run(share, options, communicator);
	let failure: unknown;
	try {
		const { timing, traffic } = yield* drive(run, options, watch, before, from);
		return end(run, timing, traffic);
	} catch (error) {
		failure = error;
		throw error;
	} finally {
		run.system.close(failure);
	}
}
