/**
 * Many programs of the conformance suite on one communicator: starting takes longer than most programs, and MPI is initialised
 * once in the life of a process.
 */
import { type Communicator, RankError } from "@stickslip/core/parallel";
import { type Outcome, type Run, runProgram } from "./outcome.js";

/** One outcome for each run; after one that failed on any rank the others fail too, and say why. */
export function runPrograms(runs: readonly Run[], start: () => Communicator, patience: { seconds: number }): Outcome[] {
	let communicator: Communicator | undefined;
	let failed: string | undefined;
	return runs.map((run, index) => {
		if (failed !== undefined) return { ok: false, message: `not run, since ${failed}` };
		const make = () => {
			communicator ??= start();
			return index === runs.length - 1 ? communicator : keptOpen(communicator);
		};
		const outcome = runProgram(run, make, patience);
		if (!outcome.ok) failed = `"${run.program}" failed: ${outcome.message}`;
		return outcome;
	});
}

/**
 * Closes it where the runs have not. A failure that they have seen is in their outcomes: the process ends well all the same, since
 * mpirun takes seconds to end a job in which one does not.
 */
export function closeAfter(communicator: Communicator | undefined, outcomes: readonly Outcome[]): void {
	try {
		communicator?.close();
	} catch (error) {
		if (!(error instanceof RankError && outcomes.some(({ ok }) => !ok))) throw error;
	}
}

/** The same communicator, whose end is only a barrier. */
function keptOpen(communicator: Communicator): Communicator {
	return {
		rank: communicator.rank,
		size: communicator.size,
		transport: communicator.transport,
		get traffic() {
			return communicator.traffic;
		},
		open: (plan) => communicator.open(plan),
		reduce: (values, merge) => communicator.reduce(values, merge),
		broadcast: (bytes, root) => communicator.broadcast(bytes, root),
		gather: (bytes, root) => communicator.gather(bytes, root),
		barrier: () => communicator.barrier(),
		poll: () => communicator.poll(),
		abort: (reason) => communicator.abort(reason),
		close: () => communicator.barrier(),
	};
}
