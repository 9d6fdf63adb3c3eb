/** The starter for a run: that of its placement, or this machine if it has none. */
import type { MpiLibrary } from "@stickslip/comm";
import type { Placement } from "../../placement/placement.js";
import type { Starter } from "../starter.js";
import { SpawningStarter } from "./command-starter.js";
import { local } from "./local.js";
import { mpirun, mpirunHere } from "./mpirun.js";
import { RegistryStarter } from "./registry-starter.js";
import { srun } from "./srun.js";
import { ssh } from "./ssh.js";

/** `library` is the hub's MPI, if ranks communicate over it. */
export function starterOf(placement: Placement | undefined, library: MpiLibrary | undefined): Starter {
	switch (placement?.where) {
		case "ssh":
			return new SpawningStarter(ssh(placement));
		case "slurm":
			return new SpawningStarter(srun(placement, library));
		case "mpirun":
			return new SpawningStarter(mpirun(placement, library));
		case "node":
			return new RegistryStarter();
		default:
			return new SpawningStarter(library === undefined ? local() : mpirunHere(library));
	}
}
