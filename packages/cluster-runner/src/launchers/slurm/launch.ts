/** `launch slurm`: a batch job that this terminal follows; inside an allocation its nodes, at once. */
import { chmodSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { oneLine } from "../../base/format.js";
import { commandLine } from "../../base/quote.js";
import type { ExitCode, Terminal } from "../../cli/command.js";
import { beginRun, reportPlacement, reportRun } from "../../launch/begin.js";
import { follow } from "../../launch/follow.js";
import { describeHere, exampleContact, superviseHere } from "../../launch/here.js";
import type { LaunchRequest } from "../../launch/launch-request.js";
import { readsStandardInput } from "../../launch/launchable.js";
import type { Launching } from "../../launch/plan.js";
import { requireFresh } from "../../output/fresh.js";
import { type Placement, WAIT_SECONDS } from "../../placement/placement.js";
import { slurmMemory } from "../../placement/quantities.js";
import { readRun } from "../../records/facts.js";
import { SLURM_FILES } from "../../records/files.js";
import { listRuns } from "../../records/find.js";
import type { Run } from "../../runs/folder.js";
import { changeState, readState } from "../../runs/state.js";
import { type Allocation, allocation } from "./allocation.js";
import { arraySize, submitArray } from "./array.js";
import { inside } from "./inside.js";
import { slurmJob } from "./job.js";
import { submit } from "./queue.js";
import { scriptByHand, slurmScript } from "./script.js";
import { slurmStarter } from "./starter.js";

export const launchSlurm: Launching = {
	describe(request, run) {
		const here = allocation();
		const placement = slurmPlacement(request, here);
		if (here !== undefined) {
			const specs = slurmStarter(placement, undefined).spawnSpecs(exampleContact(placement));
			return describeHere(
				request,
				placement,
				run,
				specs.map(({ command, args }) => commandLine([command, ...args])),
			);
		}
		const record = JSON.stringify(placement, undefined, 2).split("\n");
		if (readsStandardInput(request))
			request.refuse("-", "is not available in a batch job", "give a file that is accessible on the nodes");
		const batch = { ...placement, cwd: process.cwd(), node: process.execPath };
		const size = arraySize(request);
		return [
			scriptByHand(request, run, batch, size),
			...(size === undefined
				? []
				: ["# when all have ended:", `# ${oneLine(commandLine(["stickslip", ...request.line, "--gather"]))}`]),
			"# how srun starts the processes",
			...record.map((line) => `# ${line}`),
		].join("\n");
	},

	async start(request, terminal) {
		const here = allocation();
		const placement = slurmPlacement(request, here);
		if (request.inside) return await asJob(request, placement, here, terminal);
		if (here !== undefined) return await superviseHere(request, placement, terminal);
		const size = arraySize(request);
		return size === undefined
			? await submitJob(request, placement, terminal)
			: await submitArray(request, size, placement, terminal);
	},
};

export function slurmPlacement(request: LaunchRequest, inside: Allocation | undefined): Placement {
	const { listen, wait, options } = request;
	// Inside an allocation a resumed run has the size of the allocation, unless another one was requested.
	const { nodes: givenNodes, ranksPerNode: givenRanks } = inside === undefined ? request : request.given;
	const nodes = givenNodes ?? inside?.nodes ?? 1;
	const ranksPerNode = givenRanks ?? inside?.coresPerNode ?? 1;
	// srun does not inherit this from the job.
	const pass = [`--cpus-per-task=${ranksPerNode}`, ...(inside === undefined ? [] : insideWords(request, inside))];
	return {
		where: "slurm",
		nodes,
		ranksPerNode,
		between: options.mpi === undefined ? "zeromq" : "mpi",
		...(listen !== undefined && { listen }),
		pass,
		...(options.mpi !== undefined && { srunMpi: options.mpi }),
		waitSeconds: wait ?? WAIT_SECONDS.remote,
	};
}

/** Arguments for srun: the allocation exists already, and the request has to fit into it. */
function insideWords(request: LaunchRequest, { job, nodes }: Allocation): string[] {
	for (const name of ["partition", "account", "array"] as const) {
		if (request.options[name] === undefined) continue;
		request.refuse(`--${name}`, `cannot be changed inside allocation ${job}`, "leave it out");
	}
	if (request.detach) request.refuse("--detach", "has no effect inside an allocation", "leave it out");
	const { nodes: given } = request.given;
	if (given !== undefined && given > nodes) {
		request.refuse("--nodes", `${given} are more than the ${nodes} of the allocation ${job}`, "ask for fewer");
	}
	return [...(request.memory === undefined ? [] : [`--mem=${slurmMemory(request.memory)}`]), ...request.pass];
}

function scriptOf(request: LaunchRequest, run: Run, { nodes, ranksPerNode }: Placement): string {
	return slurmScript(request, run, { nodes, ranksPerNode, cwd: process.cwd(), node: process.execPath });
}

/** This process is the job of a script that was submitted by hand. When it is requeued, its run is resumed. */
async function asJob(
	request: LaunchRequest,
	placement: Placement,
	here: Allocation | undefined,
	terminal: Terminal,
): Promise<ExitCode> {
	if (here === undefined) return request.refuse("--inside", "is for batch scripts only", "leave it out");
	const { runs, restarts, metrics, line } = request;
	const before = runOfJob(runs, here, line);
	const folder = before ?? (await beginRun(request, placement)).folder;
	reportRun({ id: basename(folder), folder }, runs, terminal);
	return await inside(folder, { restarts, ...(metrics !== undefined && { metrics }) });
}

/** The run of this job before it was requeued. */
function runOfJob(runs: string, { job }: Allocation, line: readonly string[]): string | undefined {
	if (Number(process.env.SLURM_RESTART_COUNT ?? 0) === 0) return undefined;
	const folders = listRuns(runs).map((id) => join(runs, id));
	return folders.reverse().find((folder) => {
		try {
			const of = readState(folder).job;
			return of?.scheduler === "slurm" && of.id === job && isDeepStrictEqual(readRun(folder).line, line);
		} catch {
			// It belongs to another user, or is damaged: not the run of this job.
			return false;
		}
	});
}

async function submitJob(request: LaunchRequest, placement: Placement, terminal: Terminal): Promise<ExitCode> {
	if (request.run === undefined && request.simulate !== undefined) requireFresh(request.simulate);
	let id = "";
	const run = await beginRun(request, placement, async (run) => {
		const script = join(run.folder, SLURM_FILES.script);
		writeFileSync(script, scriptOf(request, run, placement));
		chmodSync(script, 0o700);
		id = await submit(script);
		return { scheduler: "slurm", id };
	});
	// It may be running by now, or have ended, and then has set its state itself.
	const job = { scheduler: "slurm", id } as const;
	if (readState(run.folder).status === "waiting") changeState(run.folder, { status: "waiting", job });
	reportRun(run, request.runs, terminal);
	reportPlacement(request, placement, terminal);
	terminal.err(`stickslip: job ${id} of Slurm`);
	return request.detach ? 0 : await follow(run, slurmJob(run, id, terminal, request.run !== undefined), terminal);
}
