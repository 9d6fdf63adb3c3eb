/**
 * By Slurm's srun, inside an allocation: one task per node, numbered by Slurm. The tasks share what the allocation has (threads pin
 * themselves among the cores that it gives), and one that ends does not end the others: the hub notifies them, since it knows why.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { MpiLibrary } from "@stickslip/comm";
import { InputError } from "@stickslip/core";
import { oneLine } from "../../base/format.js";
import type { Placement } from "../../placement/placement.js";
import type { Child, End } from "../../processes/children.js";
import { describeLauncherExit, describeSignal, type ExitDiagnosis } from "../../processes/exit-diagnosis.js";
import { BOOTSTRAP_ON_STDIN, environmentOf, lineFor, programOf } from "../../processes/program.js";
import type { CommandStarter, SpawnSpec } from "../../processes/spawn-spec.js";
import type { HubContact } from "../../processes/starter.js";
import { bindAddressToward } from "../../processes/starters/bind-address.js";

const SCONTROL_MS = 10_000;

export function slurmStarter(placement: Placement, library: MpiLibrary | undefined): CommandStarter {
	return {
		hostOf: (process) => `node ${process} of the allocation`,
		bindAddress: async () => bindAddressToward(await nodeAddresses(process.env), placement.listen),
		spawnSpecs: (contact) => [specOf(placement, library, contact)],
		diagnoseExit: (child, end) => diagnoseExit(child, end),
		findLoss,
	};
}

function specOf(placement: Placement, library: MpiLibrary | undefined, contact: HubContact): SpawnSpec {
	const { processes } = contact;
	const mpi = library === undefined ? {} : { STICKSLIP_MPI: library.path };
	// srun passes its environment on to daemons of Slurm and to everything that tasks start, but its standard input only to the tasks.
	const text = lineFor({ ...environmentOf(contact, placement), STICKSLIP_PROCESS: "SLURM_PROCID" });
	return {
		process: undefined,
		command: "srun",
		args: [
			...[`--nodes=${processes}`, `--ntasks=${processes}`, "--ntasks-per-node=1", "--overlap", "--cpu-bind=none"],
			...["--kill-on-bad-exit=0", "--wait=0", "--input=all", "--export=ALL"],
			`--mpi=${library === undefined ? "none" : (placement.srunMpi ?? "pmi2")}`,
			...(placement.pass ?? []),
			...programOf(placement),
			...BOOTSTRAP_ON_STDIN,
		],
		env: { ...process.env, ...mpi, STICKSLIP_ORDERLY: "1", STICKSLIP_KEY: undefined },
		input: () => text,
	};
}

/** "NodeAddr=10.0.0.1" of each node of the allocation. */
async function nodeAddresses(env: NodeJS.ProcessEnv): Promise<string[]> {
	const { SLURM_JOB_NODELIST: nodes } = env;
	if (nodes === undefined) {
		throw new InputError("slurm", "allocation", "there is none here", "launch with slurm, or inside salloc or sbatch");
	}
	try {
		const ask = promisify(execFile)("scontrol", ["show", "node", nodes, "--oneliner"], { timeout: SCONTROL_MS });
		return nodeAddressesIn((await ask).stdout);
	} catch (error) {
		const text = error instanceof Error ? oneLine(error.message) : String(error);
		const problem = `cannot list the nodes of the allocation (${text})`;
		throw slurmTrouble(text) ?? new InputError("slurm", "scontrol", problem, "check sinfo");
	}
}

export function nodeAddressesIn(text: string): string[] {
	return [...text.matchAll(/\bNodeAddr=(\S+)/g)].map(([, address]) => address ?? "");
}

const troubles: readonly (readonly [sign: RegExp, problem: string, remedy: string])[] = [
	[/Unable to contact slurm|ENOENT|Connection refused|slurm_load/i, "the scheduler does not respond", "check sinfo"],
	[/invalid partition/i, "no such partition", "choose among those of sinfo"],
	[
		/Only allocated \d+ nodes? asked for \d+|nodes? count .*(exceeds|larger)/i,
		"more nodes than the allocation has",
		"ask for fewer",
	],
	[
		/More (processors|tasks) requested than permitted/i,
		"more ranks than the allocation has slots for",
		"ask for fewer",
	],
	[
		/configuration (is )?not available|Invalid (account|qos)/i,
		"the requested nodes are not available",
		"check sinfo -l",
	],
	[
		/Invalid MPI (plugin|type)|cannot find mpi|MPI plugin/i,
		"Slurm does not support this --mpi",
		"choose among those of srun --mpi=list",
	],
	[
		/task \d+ launch failed/i,
		"a task cannot be started",
		"with --mpi=pmix try --mpi pmi2; the log of slurmd says more",
	],
	[
		/Job credential expired|Invalid job credential/i,
		"a node refuses the job's credential",
		"check munge and the clocks of the nodes",
	],
	[/Requested (time|node) limit/i, "more than the partition's limits allow", "ask for less"],
];

/** An InputError if the user has to change something. */
function slurmTrouble(output: string): InputError | undefined {
	const found = troubles.find(([sign]) => sign.test(output));
	if (found === undefined) return undefined;
	const text = output.split("\n").find((line) => found[0].test(line));
	return new InputError("slurm", "srun", `${found[1]} (${text?.replace(/^\S+: error: /, "").trim()})`, found[2]);
}

function diagnoseExit({ output }: Child, end: End): ExitDiagnosis {
	const trouble = end.error === undefined ? undefined : slurmTrouble(`${end.error}: ${output}`);
	if (trouble) return { process: -1, reason: trouble.message, error: trouble };
	return (
		findLoss(output) ?? {
			process: -1,
			reason: `srun ended before its ranks did (${describeLauncherExit(end, output)})`,
		}
	);
}

const words: Readonly<Record<string, number>> = { Killed: 9, "Segmentation fault": 11, Aborted: 6, Terminated: 15 };

/** "srun: error: n2: task 1: Killed", "srun: error: n1: tasks 0,2-3: Exited with exit code 3", "srun: error: Node failure on n2". */
export function findLoss(output: string): ExitDiagnosis | undefined {
	const trouble = slurmTrouble(output);
	if (trouble) return { process: -1, reason: trouble.message, error: trouble };
	const failed = /error: Node failure on (\S+)/.exec(output)?.[1];
	if (failed !== undefined) return { process: -1, reason: `node ${failed} failed` };
	const [, first, how = ""] = /error: \S+: tasks? (\d+)[\d,-]*: ([^\n]+)\n/.exec(output) ?? [];
	if (first === undefined) return undefined;
	const number = Object.entries(words).find(([word]) => how.startsWith(word))?.[1];
	const text = number === undefined ? how.trim().toLowerCase() : describeSignal(number);
	return { process: Number(first), reason: `was lost (${text})` };
}
