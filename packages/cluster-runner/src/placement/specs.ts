/** The options of `stickslip launch`, and which WHERE takes which. */

import type { OptionSpec } from "../cli/command.js";
import { listenOption, noCapsuleOption, runsOption } from "../cli/common-options.js";

export const WHERES = ["local", "ssh", "slurm", "kubernetes", "mpirun"] as const;
export type Where = (typeof WHERES)[number];

/** The tool that unknown options are passed to; none for a launcher without one. */
export const passedTo: Readonly<Record<Where, string | undefined>> = {
	local: undefined,
	ssh: "ssh",
	slurm: "sbatch",
	kubernetes: "kubectl",
	mpirun: "mpirun",
};

export interface LaunchSpec extends OptionSpec {
	/** The launchers that accept it; absent for all. */
	readonly of?: readonly Where[];
}

export const launchSpecs: readonly LaunchSpec[] = [
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
	{ name: "detach", what: "slurm, kubernetes: submit the job and exit", of: ["slurm", "kubernetes"] },
	{
		name: "pass",
		value: "WORD",
		what: "argument for ssh, sbatch (srun inside an allocation), kubectl or mpirun, e.g. --pass=--word; repeatable",
		repeatable: true,
		of: ["ssh", "slurm", "kubernetes", "mpirun"],
	},
	{ name: "host", value: "A,B,...", what: "ssh, mpirun: the hosts, as for ssh", of: ["ssh", "mpirun"] },
	{ name: "hosts", value: "FILE", what: "ssh, mpirun: a file with one host per line", of: ["ssh", "mpirun"] },
	{ name: "remote-node", value: "PATH", what: "ssh: path of Node.js on the hosts (default node)", of: ["ssh"] },
	{
		name: "program",
		value: "DIR",
		what: "ssh: folder of the installed package on the hosts (default: the program is copied there once)",
		of: ["ssh"],
	},
	{
		name: "mpi",
		value: "KIND",
		what: "mpirun: openmpi or mpich (default: the one that is installed); slurm: value for srun --mpi; nodes then communicate over MPI",
		of: ["mpirun", "slurm"],
	},
	{
		name: "inside",
		what: "slurm: for batch scripts: this process is the run's job, which creates the run, or resumes it when the job is requeued",
		of: ["slurm"],
	},
	{ name: "partition", value: "NAME", what: "slurm: the partition", of: ["slurm"] },
	{ name: "account", value: "NAME", what: "slurm: the account", of: ["slurm"] },
	{
		name: "image",
		value: "NAME",
		what: "kubernetes: container image (default stickslip with the tag of this version)",
		of: ["kubernetes"],
	},
	{
		name: "namespace",
		value: "NAME",
		what: "kubernetes: the namespace (default: that of kubectl)",
		of: ["kubernetes"],
	},
	{
		name: "claim",
		value: "NAME",
		what: "kubernetes: persistent volume claim with the input files, where runs are kept too (default: a folder that is deleted with the pod)",
		of: ["kubernetes"],
	},
	{ name: "jobset", what: "kubernetes: create a JobSet instead of an Indexed Job", of: ["kubernetes"] },
];

export const launchNotes = `
WHERE is local, ssh, slurm, kubernetes or mpirun. COMMAND is a command of stickslip as on one
machine, e.g. solve FILE, without --ranks, --transport and --processes. The answer is the same
everywhere, bit for bit.

  local        one process per node on this machine
  ssh          one process per host. The hosts need Node.js only; the program is copied to hosts
               that do not have it
  slurm        a batch job; inside an allocation (salloc, sbatch) its nodes are used at once
  kubernetes   an Indexed Job (or a JobSet) with a headless service
  mpirun       one process per host, started by mpirun of Open MPI or MPICH; nodes communicate
               over MPI

slurm and mpirun need Node.js and stickslip at the same paths on all nodes, e.g. on a shared file
system. If a process has enough cores, each of its ranks is bound to one.

Unknown options before -- are passed on to ssh, sbatch, kubectl or mpirun; write them as one word
(--opt=value, -ovalue). An unknown option that resembles one of the options above is refused;
--pass=--opt=value passes on anything.

Each run has a folder, which stickslip runs, status, logs -f, stop and resume use on any host that
sees it. The folder must belong to the user, and nobody else may be able to write to it, since
resume starts the commands in it again (in pods the group STICKSLIP_GROUP, that of the volume, may
write to it). Runs in pods are kept in the volume of --claim: use kubectl exec POD -- stickslip
status; while launch follows the pods, their progress is shown here too.

Ctrl-C stops the run with a checkpoint, exit code 75; stickslip resume RUN continues it, with any
number of ranks. With --restarts a run continues without a host that ssh cannot reach any more. A
lost host is reported within 10 s, and all processes of the run on this host are ended; processes on
an unreachable host end by themselves within seconds (the proxy of MPICH when its connection
breaks). On slurm the first node supervises the run: if it is lost, Slurm notices after its
SlurmdTimeout (often minutes) and requeues the job.

All connections between nodes are encrypted, except those of MPI and Slurm themselves, which also
choose the addresses that they listen on; mpirun of Open MPI passes the key of the run to its
daemons. On a network that is not trusted use ssh, or slurm without --mpi. The output of kubernetes
--dry-run contains the secret key of the run.

Examples: stickslip launch local --nodes 2 -- solve pile.hdf5
          stickslip launch ssh --host node1,node2 --restarts 3 -- solve pile.hdf5
          stickslip launch slurm --nodes 4 --time 2h --partition=long --exclusive -- solve pile.hdf5
          stickslip launch kubernetes --nodes 4 --claim data --dry-run -- solve pile.hdf5
          stickslip launch mpirun --hosts hosts.txt --mpi openmpi -- solve pile.hdf5
`;
