/** A rank of the conformance suite over MPI, a process under mpirun: reads the run from a folder and leaves its outcome there. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Control } from "../control.js";
import { type MpiCommunicator, openMpi } from "../mpi/communicator.js";
import { requireMpi } from "../mpi/library.js";
import { Patience } from "../patience.js";
import { type Run, runProgram } from "./outcome.js";

const SPINS = 2000;

const folder = process.argv[2] ?? ".";
const run = JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as Run;
const control = Control.create();
let communicator: MpiCommunicator | undefined;
const patience = new Patience({ control, seconds: run.patienceSeconds, spins: SPINS });
const outcome = runProgram(
	run,
	() => {
		communicator = openMpi({ library: requireMpi(), control, patience });
		return communicator;
	},
	patience,
);
const rank = communicator?.rank ?? process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK ?? "0";
const file = join(folder, `outcome-${rank}.json`);
writeFileSync(`${file}.part`, JSON.stringify(outcome));
renameSync(`${file}.part`, file);
communicator?.close();
