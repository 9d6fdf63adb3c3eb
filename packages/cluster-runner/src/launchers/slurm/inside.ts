/** What the batch script runs: the run's supervisor, on the first node of its job. A run that Slurm interrupts is put into the queue again. */
import type { ExitCode } from "../../cli/command.js";
import { type Supervision, supervise } from "../../launch/supervise.js";
import { RunLog } from "../../records/log.js";
import { stopRequest } from "../../records/stop.js";
import { changeState, endState } from "../../runs/state.js";
import { allocation } from "./allocation.js";
import { jobState, requeue } from "./queue.js";

export async function inside(folder: string, supervision: Supervision): Promise<ExitCode> {
	const job = allocation()?.job;
	if (job !== undefined) changeState(folder, { job: { scheduler: "slurm", id: job } });
	const code = await supervise(folder, supervision);
	if (code === 75 && job !== undefined && stopRequest(folder) === undefined) await again(folder, job);
	return code;
}

/** Requeues a job that was interrupted by its time limit or for another job, and was not cancelled. */
async function again(folder: string, job: string): Promise<void> {
	const state = await jobState(job);
	if (state === undefined || state === "unknown" || state.state !== "RUNNING") return;
	const log = new RunLog(folder);
	log.write("run", "info", "requeue", { job });
	await log.flush();
	// Written before the request, which ends this process.
	changeState(folder, { status: "waiting" });
	const refusal = await requeue(job);
	if (refusal === undefined) return;
	endState(folder, 75);
	log.write("run", "warn", "not requeued", { job, reason: refusal });
	await log.flush();
}
