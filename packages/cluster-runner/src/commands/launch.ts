/** `stickslip launch`: runs a command line on many nodes. */
import type { Command } from "../cli/command.js";
import { plannedRun } from "../launch/begin.js";
import { launchRequest } from "../launch/launch-request.js";
import type { Launching } from "../launch/plan.js";
import { launchers } from "../launchers/launchers.js";
import { launchSpecs } from "../placement/specs.js";

const all = Object.entries(launchers);
const names = all
	.map(([name]) => name)
	.join(", ")
	.replace(/, (?=\w+$)/, " or ");
const WIDTH = 13;
const summaries = all.map(([name, { summary }]) => {
	return `  ${name.padEnd(WIDTH)}${summary.replaceAll("\n", `\n${" ".repeat(WIDTH + 2)}`)}`;
});
const examples = all.map(([, { example }]) => `stickslip launch ${example}`);

const notes = `
WHERE is ${names}. COMMAND is a command of stickslip as on one
machine, e.g. solve FILE, without --ranks, --transport and --processes. The answer is the same
everywhere, bit for bit.

${summaries.join("\n")}

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

Ctrl-C and SIGTERM stop the run with a checkpoint, exit code 75; stickslip resume RUN continues it,
with any number of ranks. A job of slurm or kubernetes continues without its terminal if this is
closed (SIGHUP), or after Ctrl-\\. With --restarts a run continues without a host that ssh cannot
reach any more. A lost host is reported within 10 s, and all processes of the run on this host are
ended; processes on an unreachable host end by themselves within seconds (the proxy of MPICH when
its connection breaks). On slurm the first node supervises the run: if it is lost, Slurm notices
after its SlurmdTimeout (often minutes) and requeues the job.

All connections between nodes are encrypted, except those of MPI and Slurm themselves, which also
choose the addresses that they listen on; mpirun of Open MPI passes the key of the run to its
daemons. On a network that is not trusted use ssh, or slurm without --mpi. The output of kubernetes
--dry-run contains the secret key of the run.

Examples: ${examples.join(`\n${" ".repeat(10)}`)}
`;

export const launch: Command = {
	name: "launch",
	usage: "WHERE [options] -- COMMAND",
	what: `runs a command on many nodes: ${names}`,
	options: launchSpecs(launchers),
	isFront: true,
	notes,
	async run(args, terminal) {
		const request = launchRequest(args, launchers);
		const launching: Launching = await launchers[request.where].load();
		if (!request.dryRun) return await launching.start(request, terminal);
		terminal.out(launching.describe(request, plannedRun(request)).trimEnd());
		return 0;
	},
};
