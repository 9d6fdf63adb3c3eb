/**
 * Status of a run that Slurm knows more about than the run's folder: a job that was preempted, or lost its node, is in the queue again without a word from
 * the run, and a job that was cancelled in the queue never wrote its end.
 */
import { stopRequest } from "../../records/stop.js";
import type { RunStatus } from "../../runs/run-status.js";
import type { State } from "../../runs/state.js";
import { hasCheckpoint } from "../../runs/view.js";
import { isLiving, type JobState, jobStates } from "./queue.js";

/** The job has no nodes now, and will get some. */
const QUEUED = new Set(["PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "CONFIGURING"]);

/** A run as its folder has it. */
export interface RecordedStatus {
	readonly folder: string;
	readonly state: State;
	readonly runStatus: RunStatus;
}

/** The present status of each run; that of its folder where Slurm does not answer. One request for all. */
export async function currentStatuses(runs: readonly RecordedStatus[]): Promise<RunStatus[]> {
	const ids = runs.flatMap((run) => jobToAsk(run) ?? []);
	const jobs = ids.length === 0 ? undefined : await jobStates(ids);
	return runs.map((run) => {
		const id = jobToAsk(run);
		return id === undefined || jobs === undefined ? run.runStatus : combined(run, id, jobs.get(id));
	});
}

export async function currentStatus(run: RecordedStatus): Promise<RunStatus> {
	const [status] = await currentStatuses([run]);
	return status!;
}

function jobToAsk({ folder, state: { job }, runStatus: { status } }: RecordedStatus): string | undefined {
	if (job?.scheduler !== "slurm") return undefined;
	if (status === "waiting" || status === "lost") return job.id;
	return status === "stopped" && stopRequest(folder) === undefined ? job.id : undefined;
}

function combined({ folder, runStatus }: RecordedStatus, id: string, job: JobState | undefined): RunStatus {
	const { status } = runStatus;
	if (status === "waiting") {
		if (job !== undefined && isLiving(job)) return { status, why: `job ${id} is ${described(job)}` };
		const why = `Slurm has ended job ${id}${job === undefined ? "" : ` (${described(job)})`}`;
		if (job !== undefined && job.state !== "CANCELLED") return { status: "lost", why };
		return { status: hasCheckpoint(folder) ? "stopped" : "cancelled", why };
	}
	// A stopped run has released its nodes, even if Slurm is still cleaning them up.
	const isQueued = job !== undefined && (status === "stopped" ? isLiving(job) : QUEUED.has(job.state));
	return isQueued ? { status: "waiting", why: `job ${id} is queued again: ${described(job)}` } : runStatus;
}

function described({ state, reason }: JobState): string {
	return reason === "" || reason === "None" ? state : `${state}, ${reason}`;
}
