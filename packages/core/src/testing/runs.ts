/** A run of one rank, made as `solve` makes it, for tests that step it themselves. */

import { wholeShare } from "../outline/whole.js";
import { SelfCommunicator } from "../parallel/self.js";
import type { Problem } from "../problem/problem.js";
import type { SolveOptions } from "../solve/options.js";
import { prepare } from "../solve/prepare.js";
import { Run } from "../solve/run.js";

export function runOf(problem: Problem, options: SolveOptions = {}): Run {
	const { plan, start, options: kept } = prepare(problem, options);
	return new Run(wholeShare(plan, start), kept, new SelfCommunicator());
}
