/**
 * Threads of processes under mpirun in the conformance suite (threads+mpi): started as a process it opens MPI and starts its threads
 * from the file it is told; as a thread it is one rank.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { Control } from "../base/control.js";
import { Patience } from "../base/patience.js";
import { runWorkers } from "../base/run-workers.js";
import { ServingPatience } from "../base/serving.js";
import { openMpi } from "../mpi/communicator.js";
import { requireMpi } from "../mpi/library.js";
import { type MpiShared, MpiWire } from "../mpi/wire.js";
import { shareThreads, ThreadsCommunicator, type ThreadsShared } from "../threads/communicator.js";
import { JoinedCommunicator } from "../wired/joined.js";
import type { Outcome, Run } from "./outcome.js";
import { closeAfter, runPrograms } from "./run-programs.js";

const PER_PROCESS = 2;

interface Task {
	readonly runs: readonly Run[];
	readonly seconds: number;
	readonly thread: number;
	readonly shared: ThreadsShared;
	readonly mpi: MpiShared;
}

export default ({ runs, seconds, thread, shared, mpi }: Task): Outcome[] => {
	const control = new Control(mpi.control);
	const patience = new Patience({ control, seconds, spins: 0 });
	const wire = new MpiWire(mpi, thread, patience);
	try {
		const serving = new ServingPatience(patience, wire);
		const firstRank = wire.rank - thread;
		const threads = new ThreadsCommunicator({ shared, rank: thread, control, patience: serving, firstRank });
		const make = () => new JoinedCommunicator({ threads, wire, perProcess: PER_PROCESS, control, between: "mpi" });
		return runPrograms(runs, make, patience);
	} finally {
		wire.close();
	}
};

async function host(file: string, folder: string): Promise<void> {
	const runs = JSON.parse(readFileSync(join(folder, "runs.json"), "utf8")) as Run[];
	const seconds = runs[0]?.patienceSeconds ?? 1;
	const control = Control.create();
	const patience = new Patience({ control, seconds, spins: 0 });
	const communicator = openMpi({ library: requireMpi(), control, patience, threads: PER_PROCESS });
	const shared = shareThreads(PER_PROCESS);
	const mpi = communicator.shared;
	const firstRank = communicator.rank * PER_PROCESS;
	const task = (thread: number): Task => ({ runs, seconds, thread, shared, mpi });
	const outcomes = await runWorkers<Outcome[]>({ ranks: PER_PROCESS, file, task, control, firstRank });
	for (const [thread, own] of outcomes.entries()) {
		writeFileSync(join(folder, `outcomes-${firstRank + thread}.json`), JSON.stringify(own));
	}
	closeAfter(communicator, outcomes.flat());
}

if (isMainThread) await host(process.argv[1] ?? "", process.argv[2] ?? ".");
