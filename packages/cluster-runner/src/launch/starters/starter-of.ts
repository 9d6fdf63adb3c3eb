/** The starter for a run: as its gang says, or on this machine where it has none. */
import type { MpiLibrary } from "@stickslip/comm";
import type { Gang } from "../gang.js";
import { ByCalls } from "./by-calls.js";
import { local } from "./local.js";
import { mpirun, mpirunHere } from "./mpirun.js";
import { RegistryStarter } from "./registry-starter.js";
import { srun } from "./srun.js";
import { ssh } from "./ssh.js";
import type { Starter } from "./starter.js";

/** `library` is the hub's MPI, where ranks are to talk over it. */
export function starterOf(gang: Gang | undefined, library: MpiLibrary | undefined): Starter {
	switch (gang?.where) {
		case "ssh":
			return new ByCalls(ssh(gang));
		case "slurm":
			return new ByCalls(srun(gang, library));
		case "mpirun":
			return new ByCalls(mpirun(gang, library));
		case "node":
			return new RegistryStarter();
		default:
			return new ByCalls(library === undefined ? local() : mpirunHere(library));
	}
}
