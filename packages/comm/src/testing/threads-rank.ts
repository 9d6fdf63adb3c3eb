/** A rank of the threads transport in the conformance suite. */
import { Control } from "../base/control.js";
import { Patience, spinsFor } from "../base/patience.js";
import { ThreadsCommunicator, type ThreadsShared } from "../threads/communicator.js";
import type { Outcome, Run } from "./outcome.js";
import { runPrograms } from "./run-programs.js";

export interface ThreadsTask {
	readonly runs: readonly Run[];
	readonly rank: number;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
	readonly cores: number;
}

export default ({ runs, rank, shared, control: buffer, cores }: ThreadsTask): Outcome[] => {
	const control = new Control(buffer);
	const seconds = runs[0]?.patienceSeconds ?? 1;
	const patience = new Patience({ control, seconds, spins: spinsFor(shared.size, cores) });
	return runPrograms(runs, () => new ThreadsCommunicator({ shared, rank, control, patience }), patience);
};
