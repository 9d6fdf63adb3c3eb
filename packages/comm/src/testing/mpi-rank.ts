/** A rank of the conformance suite over MPI, a process under mpirun: reads the runs from a folder and leaves their outcomes there. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Control } from "../base/control.js";
import { Patience } from "../base/patience.js";
import { type MpiCommunicator, openMpi } from "../mpi/communicator.js";
import { requireMpi } from "../mpi/library.js";
import type { Run } from "./outcome.js";
import { closeAfter, runPrograms } from "./run-programs.js";

const SPINS = 2000;

const folder = process.argv[2] ?? ".";
const runs = JSON.parse(readFileSync(join(folder, "runs.json"), "utf8")) as Run[];
const control = Control.create();
let communicator: MpiCommunicator | undefined;
const patience = new Patience({ control, seconds: runs[0]?.patienceSeconds ?? 1, spins: SPINS });
const outcomes = runPrograms(
	runs,
	() => {
		communicator = openMpi({ library: requireMpi(), control, patience });
		return communicator;
	},
	patience,
);
const rank = communicator?.rank ?? process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK ?? "0";
const file = join(folder, `outcomes-${rank}.json`);
writeFileSync(`${file}.part`, JSON.stringify(outcomes));
renameSync(`${file}.part`, file);
closeAfter(communicator, outcomes);
