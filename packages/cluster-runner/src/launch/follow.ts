/**
 * A run elsewhere, on the terminal that launched it: its output, its progress line and its exit code, read from the run's folder; and what the
 * scheduler says of it while it waits, or when it is gone.
 */
import type { ExitCode, Terminal } from "../command.js";
import { onFailure } from "../last-resort.js";
import { oneLine } from "../output/format.js";
import { progressText } from "../output/progress.js";
import type { Run } from "../runs/folder.js";
import { readProgress } from "../runs/progress.js";
import { hasEnded } from "../runs/run-status.js";
import { endState, readState, type State } from "../runs/state.js";
import { askToStop, stopRequest } from "../runs/stop.js";
import { handleSignals, holdSignals } from "../signals.js";
import { tellEnd } from "./here.js";
import { SignOfLife } from "./sign-of-life.js";

/** What a scheduler says of a job. */
export interface Look {
	/** living: it runs or will; gone: it does not and will not; unknown: the scheduler does not answer. */
	readonly job: "living" | "gone" | "unknown";
	/** In the scheduler's words. */
	readonly said: string;
}

export interface Job {
	/** What people call the scheduler. */
	readonly scheduler: string;
	/** What the scheduler calls the job. */
	readonly id: string;
	look(): Promise<Look>;
	/** Takes it from the queue, where it has not begun. */
	cancel(): Promise<void>;
	/** Hands on output, and what else was heard, that has come since the last time. */
	pump(): void;
	/** Whether this was among what was handed on. */
	hasSaid?(text: string): boolean;
	/** The run's folder is elsewhere, and the one here tells what was heard of it: a request to stop reaches it by the scheduler alone. */
	readonly isElsewhere?: boolean;
	/** Nobody follows it any more. */
	leave?(): Promise<void>;
	/** How it ended as the scheduler knows, where the run's folder does not tell. */
	exitCode?(): Promise<number | undefined>;
}

const POLL_MS = 300;
const LOOK_MS = 3000;
/** A job that the scheduler has forgotten may have written its last state to a file system that is late. */
const GRACE_MS = 5000;
const DETACHED_CODE = 0;

export async function follow(run: Run, job: Job, terminal: Terminal): Promise<ExitCode> {
	return await new Follower(run, job, terminal).toEnd();
}

class Follower {
	readonly #run: Run;
	readonly #job: Job;
	readonly #terminal: Terminal;
	#look: Look = { job: "living", said: "" };
	#looked = -Infinity;
	#goneSince: number | undefined;
	#asked = 0;
	#isLeft = false;
	readonly #sign: SignOfLife;

	constructor(run: Run, job: Job, terminal: Terminal) {
		this.#run = run;
		this.#sign = new SignOfLife(run.folder);
		this.#job = job;
		this.#terminal = terminal;
	}

	async toEnd(): Promise<ExitCode> {
		const { id } = this.#run;
		const settled = onFailure({
			remedy: `the run goes on: stickslip status ${id} tells how it stands`,
			record: () => {},
		});
		const leave = () => {
			this.#isLeft = true;
		};
		holdSignals();
		const release = handleSignals((signal) => (signal === "SIGINT" ? this.#ask() : leave()));
		process.on("SIGQUIT", leave);
		this.#terminal.err("stickslip: Ctrl-C stops the run with a checkpoint; Ctrl-\\ leaves it running");
		try {
			for (;;) {
				const code = await this.#step();
				if (code !== undefined) return code;
				if (this.#isLeft) {
					await this.#job.leave?.();
					this.#terminal.passing("");
					this.#terminal.err(`stickslip: left alone; stickslip status ${id} tells how it stands`);
					return DETACHED_CODE;
				}
				await new Promise((resolve) => setTimeout(resolve, POLL_MS));
			}
		} finally {
			settled();
			release();
			process.off("SIGQUIT", leave);
		}
	}

	/** The exit code when it is over. */
	async #step(): Promise<ExitCode | undefined> {
		if (performance.now() - this.#looked > LOOK_MS) await this.#lookAgain();
		const state = readState(this.#run.folder);
		this.#job.pump();
		if (hasEnded(state.status) && !(await this.#comesAgain(state))) {
			this.#job.pump();
			this.#terminal.passing("");
			const code = codeIn(state);
			this.#explain(state);
			tellEnd(code, this.#run, this.#terminal);
			return code;
		}
		if (this.#look.job === "gone") return await this.#gone();
		this.#goneSince = undefined;
		if (this.#job.isElsewhere !== true) this.#listen(state);
		this.#show(state);
		return undefined;
	}

	/** What the run could not say where its messages go: on a full disk, say. */
	#explain({ reason }: State): void {
		if (reason === undefined || this.#job.hasSaid?.(reason) === true) return;
		this.#terminal.err(`stickslip: ${oneLine(reason)}`);
	}

	/** Names the host of a run that is not heard of any more: the scheduler may take minutes to see that it is lost. */
	#listen(state: State): void {
		const news = this.#sign.news(state);
		if (news === undefined) return;
		const { scheduler, id } = this.#job;
		const job = `job ${id} of ${scheduler}`;
		const said = this.#look.said === "" ? "" : `, which says ${this.#look.said},`;
		this.#terminal.passing("");
		this.#terminal.err(
			news === "heard"
				? `stickslip: ${job} is heard of again, on ${state.host}`
				: `stickslip: nothing was heard of ${job} for ${this.#sign.seconds} s: its node ${state.host} may be lost; waiting until ${scheduler}${said} starts it again or ends it`,
		);
	}

	/** A run that the scheduler interrupted goes on by itself: its job is in the queue again. */
	async #comesAgain({ status }: State): Promise<boolean> {
		if (status !== "stopped" || stopRequest(this.#run.folder) !== undefined) return false;
		await this.#lookAgain();
		return this.#look.job === "living";
	}

	async #lookAgain(): Promise<void> {
		const look = await this.#job.look();
		if (look.job !== "unknown") this.#look = look;
		this.#looked = performance.now();
	}

	async #gone(): Promise<ExitCode | undefined> {
		this.#goneSince ??= performance.now();
		const known = await this.#job.exitCode?.();
		if (known === undefined && performance.now() - this.#goneSince < GRACE_MS) return undefined;
		const { folder } = this.#run;
		const stopped = stopRequest(folder) === undefined ? 3 : 1;
		const code = known === undefined ? stopped : codeIn({ ...readState(folder), exitCode: known });
		// Of a run that is elsewhere its own supervisor has looked at the reports.
		endState(folder, code, known === undefined ? undefined : true);
		this.#terminal.passing("");
		if (known === undefined) {
			const said = this.#look.said === "" ? "" : ` (${this.#look.said})`;
			this.#terminal.err(`stickslip: ${this.#job.scheduler} has ended the job${said}, and the run has not said how`);
		}
		tellEnd(code, this.#run, this.#terminal);
		return code;
	}

	#show({ status }: State): void {
		if (!this.#terminal.interactive) return;
		const progress = status === "running" ? readProgress(this.#run.folder) : undefined;
		const waiting = `waiting for ${this.#job.scheduler}${this.#look.said === "" ? "" : `: ${this.#look.said}`}`;
		this.#terminal.passing(progress === undefined ? waiting : progressText(progress, this.#terminal.columns - 1));
	}

	/** The first Ctrl-C asks the run to stop, the second leaves it to do so. */
	readonly #ask = (): void => {
		this.#asked += 1;
		if (this.#asked > 1) {
			this.#isLeft = true;
			return;
		}
		askToStop(this.#run.folder, { isNow: false });
		const isWaiting = readState(this.#run.folder).status === "waiting";
		if (isWaiting || this.#job.isElsewhere === true) void this.#job.cancel();
		const what = isWaiting ? "taken from the queue" : "asked to stop with a checkpoint";
		this.#terminal.err(`stickslip: ${what}; Ctrl-C again does not wait for it`);
	};
}

function codeIn({ status, exitCode = status === "cancelled" ? 1 : 3 }: State): ExitCode {
	return exitCode === 0 || exitCode === 1 || exitCode === 2 || exitCode === 75 ? exitCode : 3;
}
