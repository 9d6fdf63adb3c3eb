/** The options of `stickslip launch`, and which WHERE takes which. */
import type { OptionSpec } from "../command.js";

export const WHERES = ["local", "ssh", "slurm", "kubernetes", "mpirun"] as const;
export type Where = (typeof WHERES)[number];

/** What words that we do not know are for. */
export const passedTo: Readonly<Record<Where, string | undefined>> = {
	local: undefined,
	ssh: "ssh",
	slurm: "sbatch",
	kubernetes: "kubectl",
	mpirun: "mpirun",
};

export interface LaunchSpec extends OptionSpec {
	/** Who takes it; absent for all. */
	readonly of?: readonly Where[];
}

export const launchSpecs: readonly LaunchSpec[] = [
	{
		name: "nodes",
		value: "N",
		what: "hosts, with one process each (local: processes; default: all that are named or allocated, else 1)",
	},
	{
		name: "ranks-per-node",
		value: "N",
		what: "threads of each process (default: the cores that are there, as far as that is known here, else 1)",
	},
	{
		name: "time",
		value: "TIME",
		what: "30m, 2h or 1-12:00:00: then the run stops with a checkpoint, exit code 75 (slurm: its job goes back into the queue, and on from there; kubernetes: without --claim no checkpoint is kept, exit code 1)",
	},
	{
		name: "memory",
		value: "AMOUNT",
		what: "512M or 4G for each node: reserved by slurm and kubernetes, looked for by the others",
	},
	{
		name: "dry-run",
		what: "print what would be used (a script for sbatch, a manifest for kubectl apply, commands), and do nothing",
	},
	{
		name: "restarts",
		value: "N",
		what: "after a lost rank or host, go on from the last checkpoint, so often (default 0)",
	},
	{
		name: "checkpoint",
		value: "SECONDS",
		what: "between checkpoints (default 60; 0: only when asked to stop)",
		example: "60",
	},
	{ name: "no-capsule", what: "do not gather a failed solve into a capsule in the run's folder" },
	{ name: "runs", value: "DIR", what: "the folder of runs (default STICKSLIP_RUNS, else ~/.stickslip/runs)" },
	{
		name: "listen",
		value: "ADDRESS",
		what: "an address, network or interface to listen on; only so are public ones listened on",
	},
	{
		name: "wait",
		value: "SECONDS",
		what: "how long nodes may be late (default 30 on this machine, 60 elsewhere, 300 in pods)",
		example: "60",
	},
	{ name: "metrics", value: "HOST:PORT", what: "serve the run's metrics there as Prometheus text" },
	{ name: "detach", what: "slurm, kubernetes: hand it in and do not follow it", of: ["slurm", "kubernetes"] },
	{
		name: "pass",
		value: "WORD",
		what: "a word for ssh, sbatch (inside an allocation srun), kubectl or mpirun, as --pass=--word; repeatable",
		repeatable: true,
		of: ["ssh", "slurm", "kubernetes", "mpirun"],
	},
	{ name: "host", value: "A,B,...", what: "ssh, mpirun: the hosts, as ssh takes them", of: ["ssh", "mpirun"] },
	{ name: "hosts", value: "FILE", what: "ssh, mpirun: a file with one host per line", of: ["ssh", "mpirun"] },
	{ name: "remote-node", value: "PATH", what: "ssh: Node.js on the other side (default node)", of: ["ssh"] },
	{
		name: "program",
		value: "DIR",
		what: "ssh: the folder of the installed package on the other side (default: this one is sent there once)",
		of: ["ssh"],
	},
	{
		name: "mpi",
		value: "KIND",
		what: "mpirun: openmpi or mpich (default: the one that is there); slurm: what srun --mpi is to be, and nodes talk over MPI",
		of: ["mpirun", "slurm"],
	},
	{
		name: "inside",
		what: "slurm: this is the run's own job: make its run, or go on with it when the job comes again from the queue (for batch scripts)",
		of: ["slurm"],
	},
	{ name: "partition", value: "NAME", what: "slurm: the partition", of: ["slurm"] },
	{ name: "account", value: "NAME", what: "slurm: the account", of: ["slurm"] },
	{
		name: "image",
		value: "NAME",
		what: "kubernetes: the image (default stickslip with this version)",
		of: ["kubernetes"],
	},
	{ name: "namespace", value: "NAME", what: "kubernetes: the namespace (default: kubectl's)", of: ["kubernetes"] },
	{
		name: "claim",
		value: "NAME",
		what: "kubernetes: a volume claim with the line's files; runs are kept there too (default: a folder that ends with the pod)",
		of: ["kubernetes"],
	},
	{ name: "jobset", what: "kubernetes: a JobSet in place of an Indexed Job", of: ["kubernetes"] },
];

export const launchNotes = `
WHERE is local, ssh, slurm, kubernetes or mpirun; the line behind -- is the one that worked on the
laptop, without --ranks, --transport and --processes. Answers are the same everywhere, bit for bit.

  local        processes of this machine, one for each node
  ssh          one process on each host. The other side needs Node.js only: the program is sent
               there if it is not there yet
  slurm        a batch job; inside an allocation (salloc, sbatch) its nodes, at once
  kubernetes   an Indexed Job (or a JobSet) with a headless service
  mpirun       one process on each host by Open MPI or MPICH, which nodes then talk over

Nodes of slurm and hosts of mpirun need Node.js and stickslip where they are here (a shared file system
does). Ranks bind themselves, each to one of the cores that its process was given, where these are
enough.

Options before the -- that are not listed here are handed on to ssh, sbatch, kubectl or mpirun; write
them as one word (--opt=value, -ovalue). One that resembles an option of ours is refused;
--pass=--opt=value hands on anything.

A run has a folder: stickslip runs, status, logs -f, stop and resume work with it from everywhere that
sees it. It is its user's alone: one that somebody else owns or may write to is refused, since what it
says is started again (in pods the group STICKSLIP_GROUP, that of their volume, may write to it).
Pods keep theirs in the volume of --claim: kubectl exec POD -- stickslip status; the progress is known
here too while the launch follows them. Ctrl-C stops it with a checkpoint, exit code 75;
stickslip resume RUN goes on, with any number of ranks. After a lost host, --restarts goes on without it
where ssh does not reach it any more. A lost host is named within 10 s, and nothing of the run stays on
this one; what is on a host that nobody reaches ends by itself within seconds (MPICH's proxy when its
connection breaks). The first node of a batch job has the run itself: when it is lost, Slurm tells,
after its own SlurmdTimeout (often minutes), and puts the job into the queue again.

What ours says between hosts is encrypted. What MPI's and Slurm's own parts say is not, and they listen
where they choose; Open MPI's mpirun hands the run's key on to its daemons. Where strangers are on the
network, take ssh, or slurm without --mpi. What kubernetes --dry-run prints has the key of one run.

Examples: stickslip launch local --nodes 2 -- solve pile.hdf5
          stickslip launch ssh --host node1,node2 --restarts 3 -- solve pile.hdf5
          stickslip launch slurm --nodes 4 --time 2h --partition=long --exclusive -- solve pile.hdf5
          stickslip launch kubernetes --nodes 4 --claim data --dry-run -- solve pile.hdf5
          stickslip launch mpirun --hosts hosts.txt --mpi openmpi -- solve pile.hdf5
`;
