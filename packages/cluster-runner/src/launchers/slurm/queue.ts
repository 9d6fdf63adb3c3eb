/** The requests to Slurm: submit a job, show its state, cancel it, requeue it. */
import { InputError } from "@stickslip/core";
import { runTool, toolError } from "../../processes/tool.js";

/** Slurm's own words: PENDING, RUNNING, COMPLETING, CANCELLED, ...; with the reason it gives. */
export interface JobState {
	readonly state: string;
	readonly reason: string;
}

/** States in which a job is running, or may still run. */
const LIVING = new Set([
	...["PENDING", "CONFIGURING", "RUNNING", "SUSPENDED", "COMPLETING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED"],
	...["RESIZING", "SIGNALING", "STAGE_OUT", "STOPPED", "SPECIAL_EXIT", "RESV_DEL_HOLD"],
]);

/** Reasons that may pass (e.g. nodes that are down) are not listed: such a job may be submitted. */
const IMPOSSIBLE = /not available|invalid|limit|not allowed|denied/i;

const SILENT = /configuration source|unable to contact|connection refused|slurm_load/i;

/** Submits a script; throws an InputError with the message of sbatch if it is refused. */
export async function submit(script: string): Promise<string> {
	// Otherwise Slurm would accept a job that no node can ever run, and it would wait for ever.
	const test = await runTool("sbatch", ["--test-only", script]);
	const isRefused = test.code !== 0 && IMPOSSIBLE.test(test.err);
	const answer = isRefused ? test : await runTool("sbatch", ["--parsable", script], { isUnbroken: true });
	if (answer.isMissing) {
		const remedy = "launch from a login node of the cluster, or load the module of Slurm";
		throw new InputError("launch slurm", "sbatch", "is not on the path: Slurm is not installed here", remedy);
	}
	// "id" or "id;cluster".
	const [, id] = /^(\d+)(;\S*)?\s*$/.exec(answer.out) ?? [];
	if (answer.code === 0 && id !== undefined) return await keepOrCancel(id);
	const reason = toolError(answer);
	if (SILENT.test(answer.err)) {
		const remedy = "launch from a login node of the cluster";
		throw new InputError("launch slurm", "sbatch", `Slurm does not respond (${reason})`, remedy);
	}
	throw new InputError("launch slurm", "sbatch", reason, "see sinfo -l for nodes, partitions and limits");
}

/** Reasons to wait that do not pass by themselves. */
const HOPELESS = /^(Partition(Time|Node)Limit|PartitionConfig|BadConstraints|InvalidAccount|InvalidQOS)$/;

/** A job that Slurm accepts and would never run is cancelled. */
async function keepOrCancel(id: string): Promise<string> {
	const state = await jobState(id);
	if (state === undefined || state === "unknown" || state.state !== "PENDING" || !HOPELESS.test(state.reason))
		return id;
	await runTool("scancel", [id]);
	const problem = `the job would never start (${state.reason})`;
	throw new InputError("launch slurm", "sbatch", problem, "see sinfo -l for the limits of partitions");
}

/** Undefined if Slurm does not know the job (any more); "unknown" if Slurm does not answer. */
export async function jobState(id: string): Promise<JobState | "unknown" | undefined> {
	const answer = await runTool("squeue", ["--noheader", "--states=all", `--jobs=${id}`, "--format=%T|%r"], {
		milliseconds: 10_000,
	});
	if (answer.code !== 0) return /invalid job id/i.test(answer.err) ? undefined : "unknown";
	const [state, reason = ""] = (answer.out.trim().split("\n")[0] ?? "").split("|");
	return state === undefined || state === "" ? undefined : { state, reason };
}

/** States of several jobs, by id; undefined if Slurm does not answer. */
export async function jobStates(ids: readonly string[]): Promise<ReadonlyMap<string, JobState> | undefined> {
	const words = ["--noheader", "--array", "--states=all", `--jobs=${ids.join(",")}`, "--format=%i|%T|%r"];
	const answer = await runTool("squeue", words, { milliseconds: 10_000 });
	if (answer.code !== 0) return /invalid job id/i.test(answer.err) ? new Map() : undefined;
	const lines = answer.out.split("\n").map((line) => line.trim().split("|"));
	return new Map(
		lines.flatMap(([id = "", state = "", reason = ""]) => (state === "" ? [] : [[id, { state, reason }] as const])),
	);
}

/** The same for the jobs of an array, by their numbers; undefined if Slurm does not answer. */
export async function arrayStates(id: string): Promise<ReadonlyMap<number, JobState> | undefined> {
	const words = ["--noheader", "--array", "--states=all", `--jobs=${id}`, "--format=%K|%T|%r"];
	const answer = await runTool("squeue", words, { milliseconds: 10_000 });
	if (answer.code !== 0) return /invalid job id/i.test(answer.err) ? new Map() : undefined;
	const lines = answer.out.split("\n").map((line) => line.trim().split("|"));
	return new Map(
		lines.flatMap(([index = "", state = "", reason = ""]) =>
			/^\d+$/.test(index) ? [[Number(index), { state, reason }] as const] : [],
		),
	);
}

export function isLiving({ state }: JobState): boolean {
	return LIVING.has(state);
}

export async function requeue(id: string): Promise<string | undefined> {
	const answer = await runTool("scontrol", ["requeue", id]);
	return answer.code === 0 ? undefined : toolError(answer);
}
