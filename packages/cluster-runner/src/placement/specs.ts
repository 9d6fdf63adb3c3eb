/** The options of `stickslip launch`: those of all launchers, those that several share, and each launcher's own. */

import type { OptionSpec } from "../cli/command.js";
import { listenOption, noCapsuleOption, runsOption } from "../cli/common-options.js";

/** The help of a launcher, and its options besides those of all launchers. */
export interface LauncherSpec {
	/** In the help, after its name; further lines begin with their indentation. */
	readonly summary: string;
	/** An example in the help, after `stickslip launch`. */
	readonly example: string;
	/** The tool that unknown options are passed to; absent where there is none. */
	readonly tool?: string;
	/** The options that it shares with others. */
	readonly takes: readonly SharedOption[];
	readonly options: readonly OptionSpec[];
	/** The reports of a run are where it ran, and not in its folder here. */
	readonly hasReportsElsewhere?: true;
}

/** By name, in the order of the help. */
export type LauncherSpecs = Readonly<Record<string, LauncherSpec>>;

export interface LaunchSpec extends OptionSpec {
	/** The launchers that accept it; absent for all. */
	readonly of?: readonly string[];
}

const common: readonly OptionSpec[] = [
	{
		name: "nodes",
		value: "N",
		what: "number of nodes, with one process each (default: all hosts that are named or allocated, else 1; local: processes on this machine)",
	},
	{
		name: "ranks-per-node",
		value: "N",
		what: "threads per node, one per rank (default: the number of cores of a node where it is known, else 1)",
	},
	{
		name: "time",
		value: "TIME",
		what: "time limit, e.g. 30m, 2h or 1-12:00:00; the run then stops with a checkpoint, exit code 75 (slurm: the job is requeued and continues from there; kubernetes: without --claim no checkpoint is kept, exit code 1)",
	},
	{
		name: "memory",
		value: "AMOUNT",
		what: "memory per node, e.g. 512M or 4G: reserved by slurm and kubernetes, checked before the start by the others",
	},
	{
		name: "dry-run",
		what: "print the script, manifest or commands that would be used, and exit",
	},
	{
		name: "restarts",
		value: "N",
		what: "restart from the last checkpoint after a rank or host is lost, at most N times (default 0)",
	},
	{
		name: "checkpoint",
		value: "SECONDS",
		what: "time between checkpoints (default 60; 0: only when the run is stopped)",
		example: "60",
	},
	noCapsuleOption,
	runsOption,
	listenOption,
	{
		name: "wait",
		value: "SECONDS",
		what: "how long to wait for nodes to start (default 30 on this machine, 60 elsewhere, 300 in pods)",
		example: "60",
	},
	{
		name: "metrics",
		value: "HOST:PORT",
		what: "serve metrics of the run at this address, in the text format of Prometheus",
	},
];

/** Each with the launchers that take it. */
const shared = {
	detach: { what: "slurm, kubernetes: submit the job and exit" },
	pass: {
		value: "WORD",
		what: "argument for ssh, sbatch (srun inside an allocation), kubectl or mpirun, e.g. --pass=--word; repeatable",
		repeatable: true,
	},
	host: { value: "A,B,...", what: "ssh, mpirun: the hosts, as for ssh" },
	hosts: { value: "FILE", what: "ssh, mpirun: a file with one host per line" },
	mpi: {
		value: "KIND",
		what: "mpirun: openmpi or mpich (default: the one that is installed); slurm: value for srun --mpi; nodes then communicate over MPI",
	},
} as const satisfies Readonly<Record<string, Omit<OptionSpec, "name">>>;
export type SharedOption = keyof typeof shared;

/** The options of `stickslip launch` with these launchers. */
export function launchSpecs(launchers: LauncherSpecs): LaunchSpec[] {
	const all = Object.entries(launchers);
	const takers = (option: SharedOption) => all.flatMap(([name, { takes }]) => (takes.includes(option) ? name : []));
	return [
		...common,
		...(Object.keys(shared) as SharedOption[]).map((name) => ({ name, ...shared[name], of: takers(name) })),
		...all.flatMap(([name, { options }]) => options.map((option) => ({ ...option, of: [name] }))),
	];
}

/** The options whose values only their launcher knows the meaning of. */
export function launcherOptions(launchers: LauncherSpecs): string[] {
	const own = Object.values(launchers).flatMap(({ options }) => options);
	return ["mpi", ...own.filter(({ value }) => value !== undefined).map(({ name }) => name)];
}
