/** `launch mpirun`: one process on each host, by mpirun. */

import type { Launcher } from "../../processes/launcher.js";
import { mpirunStarter } from "./starter.js";

export const mpirun = {
	summary: `one process per host, started by mpirun of Open MPI or MPICH; nodes communicate
over MPI`,
	example: "mpirun --hosts hosts.txt --mpi openmpi -- solve pile.hdf5",
	tool: "mpirun",
	takes: ["pass", "host", "hosts", "mpi"],
	options: [],
	starter: mpirunStarter,
	load: async () => (await import("./launch.js")).launchMpirun,
} satisfies Launcher;
