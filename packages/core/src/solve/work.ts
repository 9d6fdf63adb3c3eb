/** What a solve by a relay costs, counted in sweeps: for training, where no clock is to be trusted. */
import { Relay } from "../methods/relay.js";
import { wholeShare } from "../outline/whole.js";
import { SelfCommunicator } from "../parallel/self.js";
import type { Problem } from "../problem/problem.js";
import type { RunOptions } from "./options.js";
import { prepare } from "./prepare.js";
import type { Status } from "./report.js";
import { Run } from "./run.js";

export interface SolveWork {
	readonly status: Status;
	readonly products: number;
	/** Products, and factorisations as many sweeps as they take. */
	readonly work: number;
	/** What the relay did, in order. */
	readonly remedies: readonly string[];
}

/** Solves by `auto` or another relay to its end, on one rank, without a look at the clock. */
export function solveWork(problem: Problem, options: RunOptions): SolveWork {
	const { plan, options: run } = prepare(problem, options);
	const one = new Run(wholeShare(plan), run, new SelfCommunicator());
	try {
		const { method } = one;
		one.begin();
		while (one.status === undefined) one.step();
		const { products, status } = one;
		const work = method instanceof Relay ? method.work : products;
		return { status, products, work, remedies: [...method.remedies] };
	} finally {
		one.system.close();
	}
}
