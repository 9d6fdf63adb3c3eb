/** `launch slurm`: a batch job that this terminal follows; inside an allocation its nodes, at once. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExitCode, Terminal } from "../../command.js";
import type { Run } from "../../runs/folder.js";
import { changeState, readState } from "../../runs/state.js";
import type { Asked } from "../asked.js";
import { begin, tellRun } from "../begin.js";
import { follow } from "../follow.js";
import { type Gang, WAIT_SECONDS } from "../gang.js";
import { describeHere, exampleOf, superviseHere } from "../here.js";
import type { Launcher } from "../plan.js";
import { slurmMemory } from "../quantities.js";
import { commandLine } from "../quote.js";
import { srun } from "../starters/srun.js";
import { type Allocation, allocation } from "./allocation.js";
import { slurmJob } from "./job.js";
import { submit } from "./queue.js";
import { SLURM_FILES, slurmScript } from "./script.js";

export const slurm: Launcher = {
	describe(asked, run) {
		const inside = allocation();
		const gang = slurmGang(asked, inside);
		if (inside !== undefined) {
			const calls = srun(gang, undefined).calls(exampleOf(gang));
			return describeHere(
				asked,
				gang,
				run,
				calls.map(({ command, args }) => commandLine([command, ...args])),
			);
		}
		const told = JSON.stringify(gang, undefined, 2).split("\n");
		const script = scriptOf(asked, run, gang);
		return [
			script,
			`# ${join(run.folder, "gang.json")}: how srun starts the members`,
			...told.map((line) => `# ${line}`),
		].join("\n");
	},

	async start(asked, terminal) {
		const inside = allocation();
		const gang = slurmGang(asked, inside);
		return inside === undefined ? await handIn(asked, gang, terminal) : await superviseHere(asked, gang, terminal);
	},
};

export function slurmGang(asked: Asked, inside: Allocation | undefined): Gang {
	const { listen, wait, own } = asked;
	const nodes = asked.nodes ?? inside?.nodes ?? 1;
	const ranksPerNode = asked.ranksPerNode ?? inside?.coresPerNode ?? 1;
	// srun does not take this over from the job.
	const pass = [`--cpus-per-task=${ranksPerNode}`, ...(inside === undefined ? [] : insideWords(asked, inside))];
	return {
		where: "slurm",
		nodes,
		ranksPerNode,
		between: own.mpi === undefined ? "zeromq" : "mpi",
		...(listen !== undefined && { listen }),
		pass,
		...(own.mpi !== undefined && { srunMpi: own.mpi }),
		waitSeconds: wait ?? WAIT_SECONDS.remote,
	};
}

/** Words for srun: the allocation is made already, and what is asked for has to fit into it. */
function insideWords(asked: Asked, { job, nodes }: Allocation): string[] {
	for (const name of ["partition", "account"] as const) {
		if (asked.own[name] === undefined) continue;
		asked.refuse(`--${name}`, `comes too late: this is inside of the allocation ${job}`, "leave it out");
	}
	if (asked.detach) asked.refuse("--detach", "has nothing to detach from inside of an allocation", "leave it out");
	if (asked.nodes !== undefined && asked.nodes > nodes) {
		asked.refuse("--nodes", `${asked.nodes} are more than the ${nodes} of the allocation ${job}`, "ask for fewer");
	}
	return [...(asked.memory === undefined ? [] : [`--mem=${slurmMemory(asked.memory)}`]), ...asked.pass];
}

function scriptOf(asked: Asked, run: Run, { nodes, ranksPerNode }: Gang): string {
	return slurmScript(asked, run, { nodes, ranksPerNode, cwd: process.cwd(), node: process.execPath });
}

async function handIn(asked: Asked, gang: Gang, terminal: Terminal): Promise<ExitCode> {
	let id = "";
	const run = await begin(asked, gang, async (made) => {
		const script = join(made.folder, SLURM_FILES.script);
		writeFileSync(script, scriptOf(asked, made, gang));
		chmodSync(script, 0o700);
		id = await submit(script);
	});
	// It may be running by now, and then says so itself.
	const job = { scheduler: "slurm", id } as const;
	if (readState(run.folder).status !== "running") changeState(run.folder, { status: "waiting", job });
	tellRun(run, asked.runs, terminal);
	terminal.err(`stickslip: job ${id} of Slurm`);
	return asked.detach ? 0 : await follow(run, slurmJob(run, id, terminal, asked.run !== undefined), terminal);
}
