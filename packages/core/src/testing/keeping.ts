/** Runs that are saved after every iteration, and gone on with: for tests that want the same bits from both. */

import { wholeShare } from "../outline/whole.js";
import { SelfCommunicator } from "../parallel/self.js";
import type { Problem } from "../problem/problem.js";
import { assemble, finish } from "../solve/finish.js";
import type { SolveOptions } from "../solve/options.js";
import { prepare } from "../solve/prepare.js";
import type { Report } from "../solve/report.js";
import { Run } from "../solve/run.js";
import type { RunState } from "../state/state.js";

/** What has to be the same, however often a run was interrupted. */
export type Bits = Omit<Report, "seconds" | "secondsFirst" | "perRank" | "efficiency">;

/** Makes fresh runs of one problem, prepared once. */
export function runsOf(problem: Problem, options: SolveOptions): () => Run {
	const { plan, start, options: kept } = prepare(problem, options);
	return () => new Run(wholeShare(plan, start), kept, new SelfCommunicator());
}

/** Steps a run to its end, telling of every iteration but the last. */
export function stepped(run: Run, each: (run: Run) => void = () => {}): Bits {
	while (run.status === undefined) {
		run.step();
		if (run.status === undefined) each(run);
	}
	const timing = { seconds: 1, secondsFirst: 1, secondsBefore: 0 };
	const { seconds, secondsFirst, perRank, efficiency, ...bits } = assemble([finish(run, timing)]).report;
	return bits;
}

/** The bits of a run that is saved after each iteration, and its states. */
export function savedRun(run: Run): { bits: Bits; states: RunState[] } {
	const states: RunState[] = [];
	run.begin();
	const bits = stepped(run, () => states.push(run.state(0.5)));
	return { bits, states };
}
