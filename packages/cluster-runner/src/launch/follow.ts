/**
 * Follows a run of a scheduler on the terminal that launched it: its output, its progress line and its exit code, read from the run's folder; and its
 * status in the scheduler while it waits, or when it has ended.
 */

import { oneLine } from "../base/format.js";
import { onFailure } from "../base/last-resort.js";
import { handleSignals, holdSignals } from "../base/signals.js";
import type { ExitCode, Terminal } from "../cli/command.js";
import { progressFileText, readProgress } from "../records/progress.js";
import { askToStop, stopRequest } from "../records/stop.js";
import type { Run } from "../runs/folder.js";
import { hasEnded } from "../runs/run-status.js";
import { endState, readState, type State } from "../runs/state.js";
import { hasCheckpoint } from "../runs/view.js";
import { reportEnd } from "./here.js";
import { StateMonitor } from "./state-monitor.js";

/** The status of a job in its scheduler. */
export interface JobStatus {
	/** active: it runs or will run; ended: it does not and will not; unknown: the scheduler does not answer. */
	readonly job: "active" | "ended" | "unknown";
	/** In the scheduler's words. */
	readonly text: string;
}

export interface Job {
	/** What people call the scheduler. */
	readonly scheduler: string;
	/** What the scheduler calls the job. */
	readonly id: string;
	poll(): Promise<JobStatus>;
	/** Cancels the job; it may not have begun. */
	cancel(): Promise<void>;
	/** Copies output, and progress, that is new since the last call. */
	pump(): void;
	/** Whether this text was part of the output. */
	hasPrinted?(text: string): boolean;
	/** The run's folder is elsewhere, and the one here is a copy: a request to stop reaches the run through the scheduler only. */
	readonly isElsewhere?: boolean;
	/** Called when it is not followed any more. */
	leave?(): Promise<void>;
	/** The exit code that the scheduler knows, if the run's folder has none. */
	exitCode?(): Promise<number | undefined>;
}

const STEP_MS = 300;
const POLL_MS = 3000;
/** A job that the scheduler no longer knows may have written its last state to a slow file system. */
const GRACE_MS = 5000;
const DETACHED_CODE = 0;

export async function follow(run: Run, job: Job, terminal: Terminal): Promise<ExitCode> {
	return await new Follower(run, job, terminal).toEnd();
}

class Follower {
	readonly #run: Run;
	readonly #job: Job;
	readonly #terminal: Terminal;
	#status: JobStatus = { job: "active", text: "" };
	#polledAt = -Infinity;
	#endedSince: number | undefined;
	#stopRequests = 0;
	#isDetached = false;
	readonly #monitor: StateMonitor;

	constructor(run: Run, job: Job, terminal: Terminal) {
		this.#run = run;
		this.#monitor = new StateMonitor(run.folder);
		this.#job = job;
		this.#terminal = terminal;
	}

	async toEnd(): Promise<ExitCode> {
		const { id } = this.#run;
		const settled = onFailure({
			remedy: `the run continues: see stickslip status ${id}`,
			record: () => {},
		});
		const leave = () => {
			this.#isDetached = true;
		};
		holdSignals();
		const release = handleSignals((signal) => (signal === "SIGHUP" ? leave() : this.#requestStop()));
		process.on("SIGQUIT", leave);
		this.#terminal.err("stickslip: Ctrl-C stops the run with a checkpoint; Ctrl-\\ leaves it running");
		try {
			for (;;) {
				const code = await this.#step();
				if (code !== undefined) return code;
				if (this.#isDetached) {
					await this.#job.leave?.();
					this.#terminal.passing("");
					this.#terminal.err(`stickslip: detached; stickslip status ${id} shows the run`);
					return DETACHED_CODE;
				}
				await new Promise((resolve) => setTimeout(resolve, STEP_MS));
			}
		} finally {
			settled();
			release();
			process.off("SIGQUIT", leave);
		}
	}

	/** The exit code when it is over. */
	async #step(): Promise<ExitCode | undefined> {
		if (performance.now() - this.#polledAt > POLL_MS) await this.#poll();
		const state = readState(this.#run.folder);
		this.#job.pump();
		if (hasEnded(state.status) && !(await this.#isRequeued(state))) {
			this.#job.pump();
			this.#terminal.passing("");
			const code = codeIn(state);
			this.#explain(state);
			reportEnd(code, this.#run, this.#terminal);
			return code;
		}
		if (this.#status.job === "ended") return await this.#endOfJob();
		this.#endedSince = undefined;
		if (this.#job.isElsewhere !== true) this.#reportSilence(state);
		this.#show(state);
		return undefined;
	}

	/** Prints why the run failed, if its own messages did not get through: on a full disk, for example. */
	#explain({ reason }: State): void {
		if (reason === undefined || this.#job.hasPrinted?.(reason) === true) return;
		this.#terminal.err(`stickslip: ${oneLine(reason)}`);
	}

	/** Reports a run whose state is no longer renewed, with its host: the scheduler may take minutes to notice that it is lost. */
	#reportSilence(state: State): void {
		const news = this.#monitor.poll(state);
		if (news === undefined) return;
		const { scheduler, id } = this.#job;
		const job = `job ${id} of ${scheduler}`;
		const status = this.#status.text === "" ? "" : `, which reports ${this.#status.text},`;
		this.#terminal.passing("");
		this.#terminal.err(
			news === "renewed"
				? `stickslip: ${job} is running again, on ${state.host}`
				: `stickslip: no heartbeat of ${job} for ${this.#monitor.seconds} s: its node ${state.host} may be lost; waiting until ${scheduler}${status} starts it again or ends it`,
		);
	}

	/** A run that the scheduler interrupted continues by itself: its job is queued again. */
	async #isRequeued({ status }: State): Promise<boolean> {
		if (status !== "stopped" || stopRequest(this.#run.folder) !== undefined) return false;
		await this.#poll();
		return this.#status.job === "active";
	}

	async #poll(): Promise<void> {
		const status = await this.#job.poll();
		if (status.job !== "unknown") this.#status = status;
		this.#polledAt = performance.now();
	}

	async #endOfJob(): Promise<ExitCode | undefined> {
		this.#endedSince ??= performance.now();
		const known = await this.#job.exitCode?.();
		if (known === undefined && performance.now() - this.#endedSince < GRACE_MS) return undefined;
		const { folder } = this.#run;
		const isWaiting = readState(folder).status === "waiting";
		const stopped = hasCheckpoint(folder) ? 75 : 1;
		const unknown = stopRequest(folder) === undefined ? 3 : stopped;
		const code = known === undefined ? unknown : codeIn({ ...readState(folder), exitCode: known });
		// For a run elsewhere its own supervisor has checked the reports.
		endState(folder, code, known === undefined ? undefined : true);
		this.#terminal.passing("");
		if (known === undefined && (code === 3 || !isWaiting)) {
			const status = this.#status.text === "" ? "" : ` (${this.#status.text})`;
			this.#terminal.err(
				`stickslip: ${this.#job.scheduler} has ended the job${status}, and the run has not recorded how`,
			);
		}
		reportEnd(code, this.#run, this.#terminal);
		return code;
	}

	#show({ status }: State): void {
		if (!this.#terminal.interactive) return;
		const progress = status === "running" ? readProgress(this.#run.folder) : undefined;
		const waiting = `waiting for ${this.#job.scheduler}${this.#status.text === "" ? "" : `: ${this.#status.text}`}`;
		this.#terminal.passing(progress === undefined ? waiting : progressFileText(progress, this.#terminal.columns - 1));
	}

	/** The first Ctrl-C or SIGTERM requests a stop, the second does not wait for it. */
	readonly #requestStop = (): void => {
		this.#stopRequests += 1;
		if (this.#stopRequests > 1) {
			this.#isDetached = true;
			return;
		}
		askToStop(this.#run.folder, { isNow: false });
		const { status } = readState(this.#run.folder);
		// A job that was preempted is in the queue again, and its run has recorded that it stopped.
		const isWaiting = status === "waiting" || status === "stopped";
		if (isWaiting || this.#job.isElsewhere === true) void this.#job.cancel();
		const what = isWaiting ? "removed from the queue" : "requested to stop with a checkpoint";
		this.#terminal.err(`stickslip: ${what}; press Ctrl-C again to exit without waiting`);
	};
}

function codeIn({ status, exitCode = status === "cancelled" ? 1 : 3 }: State): ExitCode {
	return exitCode === 0 || exitCode === 1 || exitCode === 2 || exitCode === 75 ? exitCode : 3;
}
