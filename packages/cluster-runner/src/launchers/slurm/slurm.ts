/** `launch slurm`: one process on each node of a job, by srun. */

import type { Launcher } from "../../processes/launcher.js";
import { slurmStarter } from "./starter.js";

export const slurm = {
	summary: "a batch job; inside an allocation (salloc, sbatch) its nodes are used at once",
	example: "slurm --nodes 4 --time 2h --partition=long --exclusive -- solve pile.hdf5",
	tool: "sbatch",
	takes: ["detach", "pass", "mpi"],
	options: [
		{
			name: "inside",
			what: "slurm: for batch scripts: this process is the run's job, which creates the run, or resumes it when the job is requeued",
		},
		{
			name: "array",
			value: "N",
			what: "slurm: a study as an array of N jobs, each with its part of the cells; their tables are gathered when all have ended",
		},
		{ name: "partition", value: "NAME", what: "slurm: the partition" },
		{ name: "account", value: "NAME", what: "slurm: the account" },
	],
	starter: slurmStarter,
	load: async () => (await import("./launch.js")).launchSlurm,
} satisfies Launcher;
