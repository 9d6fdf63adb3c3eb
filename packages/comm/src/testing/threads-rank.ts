/** A rank of the threads transport in the conformance suite. */
import { Control } from "../control.js";
import { Patience, spinsFor } from "../patience.js";
import { ThreadsCommunicator, type ThreadsShared } from "../threads.js";
import { type Outcome, type Run, runProgram } from "./outcome.js";

export interface ThreadsTask {
	readonly run: Run;
	readonly rank: number;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
	readonly cores: number;
}

export default ({ run, rank, shared, control: buffer, cores }: ThreadsTask): Outcome => {
	const control = new Control(buffer);
	const patience = new Patience({ control, seconds: run.patienceSeconds, spins: spinsFor(run.size, cores) });
	return runProgram(run, () => new ThreadsCommunicator({ shared, rank, control, patience }), patience);
};
