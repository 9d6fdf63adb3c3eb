/**
 * Supervises a run: starts its line in a process of its own, forwards signals, and restarts it from its last checkpoint after a loss while restarts
 * are left. The line's process ends with its supervisor, however that ends.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "@stickslip/core";
import { counted } from "../base/format.js";
import { describeFailure, onFailure } from "../base/last-resort.js";
import { programFile } from "../base/own.js";
import { handleSignals, holdSignals } from "../base/signals.js";
import { startProcess } from "../base/start-process.js";
import type { ExitCode } from "../cli/command.js";
import { type Claim, claim } from "../records/claim.js";
import { readRun } from "../records/facts.js";
import { FILES, METRICS_VARIABLE, RESTARTS_VARIABLE, RUN_VARIABLE } from "../records/files.js";
import { RunLog } from "../records/log.js";
import { stopRequest } from "../records/stop.js";
import { removeSecret } from "../runs/folder.js";
import { provesUnsolved } from "../runs/kept.js";
import { changeState, endState, readState } from "../runs/state.js";
import { leaveOutHosts } from "./survivors.js";

/** Given the folder of a run, it does what the run was made for. */
export const runProgram = programFile("supervised");

/** The delay of the first restart; each further one is twice as long, up to the maximum. */
const BACK_OFF_MS = 250;
const BACK_OFF_MS_MAX = 8000;
/** How long the line may take to end after a second request. */
const LAST_MS = 2000;
const INTERRUPTED_CODE = 130;

export interface Supervision {
	/** How often the line may be started again. Default: as recorded when the run was created. */
	readonly restarts?: number;
	/** After so many seconds the run is asked to stop, which leaves a checkpoint. */
	readonly seconds?: number;
	/** HOST:PORT to serve the run's metrics at. */
	readonly metrics?: string;
	/** Aborted if the run turns out to be impossible, after the reason was printed: it ends as refused. */
	readonly refusal?: AbortSignal;
}

/** Runs the line of a run to its end, and writes how it ended. */
export async function supervise(folder: string, supervision: Supervision = {}): Promise<ExitCode> {
	const supervisor = new Supervisor(folder, supervision);
	// From before the first step that takes time until after the last, so that no signal is lost or replaces the exit code.
	holdSignals();
	const leave = handleSignals(supervisor.requestStop);
	try {
		const own = await claim(folder);
		try {
			return await supervisor.run(own);
		} finally {
			own.release();
		}
	} finally {
		leave();
	}
}

interface End {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

class Supervisor {
	readonly #folder: string;
	readonly #cwd: string;
	readonly #seconds: number | undefined;
	readonly #metrics: string | undefined;
	readonly #refusal: AbortSignal | undefined;
	readonly #log: RunLog;
	#left: number;
	#child: ChildProcess | undefined;
	/** Requests to end the run, by signals. */
	#stopRequests = 0;
	#wake: () => void = () => {};
	#isTakenOver = false;
	/** What failed here. */
	#reason: string | undefined;

	constructor(folder: string, { restarts, seconds, metrics, refusal }: Supervision) {
		const facts = readRun(folder);
		this.#folder = folder;
		this.#cwd = facts.folder;
		this.#seconds = seconds;
		this.#metrics = metrics;
		this.#refusal = refusal;
		this.#left = restarts ?? facts.restarts;
		this.#log = new RunLog(folder);
	}

	async run(own: Claim): Promise<ExitCode> {
		if (!existsSync(this.#cwd)) {
			throw new InputError(this.#folder, "folder", `${this.#cwd} does not exist`, "resume where its files are");
		}
		this.#refusal?.addEventListener("abort", this.#refuse);
		own.onLost = () => this.#leave();
		const limit = this.#seconds === undefined ? undefined : this.#stopAfter(this.#seconds);
		const remedy = `stickslip resume ${basename(this.#folder)} continues it`;
		const settled = onFailure({ remedy, record: (reason) => this.#failed(reason) });
		try {
			const code = await this.#attempts().catch((error: unknown) => this.#broken(error));
			await this.#log.flush();
			if (this.#isTakenOver) return code;
			endState(this.#folder, code, undefined, this.#reason);
			// A run that was stopped is resumed with the same secret.
			if (code !== 75) removeSecret(this.#folder);
			return code;
		} finally {
			settled();
			clearInterval(limit);
			this.#refusal?.removeEventListener("abort", this.#refuse);
		}
	}

	/** A failure of the supervisor ends the run, but loses nothing of it. */
	#broken(error: unknown): ExitCode {
		const reason = describeFailure(error);
		this.#reason = reason;
		report(reason);
		this.#log.write("run", "error", "failed", { reason });
		if (this.#child) kill(this.#child, "SIGKILL");
		return 3;
	}

	/** This process ends at once, and the line with it. */
	#failed(reason: string): void {
		this.#log.write("run", "error", "failed", { reason });
		if (!this.#isTakenOver) endState(this.#folder, 3, undefined, reason);
	}

	async #attempts(): Promise<ExitCode> {
		let wait = BACK_OFF_MS;
		if (this.#isStopRequested() || this.#refusal?.aborted) return this.#stoppedCode();
		for (let attempt = readState(this.#folder).attempt + 1; ; attempt += 1) {
			changeState(this.#folder, { status: "running", attempt });
			const end = await this.#once();
			const code = this.#codeOf(end);
			const how = end.signal === null ? { code } : { code, signal: end.signal };
			// A line that is killed prints nothing itself.
			const killed = code === 3 && end.signal !== null ? `the run's process was killed by ${end.signal}` : undefined;
			if (killed !== undefined) report(killed);
			this.#reason = killed;
			if (this.#isTakenOver) return 3;
			if (code !== 3 || this.#isStopRequested() || this.#left === 0) {
				this.#log.write("run", code === 3 ? "error" : "info", "attempt ended", { attempt, ...how });
				return code;
			}
			this.#left -= 1;
			report(`starting again from the last checkpoint; ${counted(this.#left, "restart")} left`);
			this.#log.write("run", "warn", "restart", { attempt, ...how, left: this.#left, milliseconds: wait });
			await Promise.all([this.#pause(wait), this.#leaveOut()]);
			if (this.#isTakenOver) return 3;
			if (this.#isStopRequested() || this.#refusal?.aborted) return this.#stoppedCode();
			wait = Math.min(2 * wait, BACK_OFF_MS_MAX);
		}
	}

	async #leaveOut(): Promise<void> {
		const unreachableHosts = await leaveOutHosts(this.#folder);
		if (unreachableHosts.length === 0) return;
		report(`continuing without ${unreachableHosts.join(", ")}, which cannot be reached`);
		this.#log.write("run", "warn", "left out", { hosts: unreachableHosts.join(",") });
	}

	#once(): Promise<End> {
		return new Promise((resolve) => {
			const child = startProcess(process.execPath, [runProgram, this.#folder], {
				cwd: this.#cwd,
				env: this.#environment(),
				// A session of its own: the terminal's Ctrl-C reaches this process only, which forwards it once. The channel ends with this process.
				detached: true,
				stdio: ["ignore", "inherit", "inherit", "ipc"],
			});
			this.#child = child;
			const leave = () => kill(child, "SIGKILL");
			process.on("exit", leave);
			const onEnd = (end: End) => {
				process.off("exit", leave);
				this.#child = undefined;
				resolve(end);
			};
			child.on("error", (error) => {
				const reason = describeFailure(error);
				report(`the run's process cannot be started (${reason})`);
				this.#log.write("run", "error", "cannot be started", { reason });
				onEnd({ code: 3, signal: null });
			});
			child.on("exit", (code, signal) => onEnd({ code, signal }));
		});
	}

	#environment(): NodeJS.ProcessEnv {
		const metrics = this.#metrics === undefined ? {} : { [METRICS_VARIABLE]: this.#metrics };
		return { ...process.env, ...metrics, [RUN_VARIABLE]: this.#folder, [RESTARTS_VARIABLE]: String(this.#left) };
	}

	/** The meaning of a line that was ended by a signal depends on who sent it. */
	#codeOf({ code, signal }: End): ExitCode {
		if (this.#refusal?.aborted) return 2;
		if (code === 0 || code === 2 || code === 75) return code;
		if (code === 1) return this.#unsolvedCode();
		const isEnded = signal === "SIGTERM" || signal === "SIGINT" || code === INTERRUPTED_CODE;
		return isEnded && this.#stopRequests > 0 ? this.#stoppedCode() : 3;
	}

	/** A crash ends with 1 as well: without a report 1 counts as a failure, unless a stop was requested. */
	#unsolvedCode(): ExitCode {
		if (readState(this.#folder).status === "cancelled" || provesUnsolved(this.#folder)) return 1;
		if (this.#isStopRequested()) return this.#stoppedCode();
		report("the run's process ended with exit code 1 and without a report that says why");
		return 3;
	}

	/** Another supervisor has taken over the run: this one did not renew its claim for too long. */
	#leave(): void {
		this.#isTakenOver = true;
		this.#left = 0;
		report("another supervisor has taken over this run; this one exits");
		this.#wake();
		if (this.#child) kill(this.#child, "SIGKILL");
	}

	/** By a signal, or by `stickslip stop`. */
	#isStopRequested(): boolean {
		return this.#stopRequests > 0 || stopRequest(this.#folder) !== undefined;
	}

	/** A stop was requested while no line could write a checkpoint: an earlier one counts. */
	#stoppedCode(): ExitCode {
		if (this.#refusal?.aborted) return 2;
		if (existsSync(join(this.#folder, FILES.checkpoints))) return 75;
		const hasBegun = existsSync(join(this.#folder, FILES.progress));
		report(hasBegun ? "stopped without a checkpoint" : "stopped before it began");
		// Nothing was reported as unsolved: it can be resumed.
		changeState(this.#folder, { status: "cancelled" });
		return 1;
	}

	/** The first request is forwarded, the second kills the line. */
	readonly requestStop = (signal: NodeJS.Signals): void => {
		// A terminal is closed once, even if several processes report it.
		if (signal === "SIGHUP" && this.#stopRequests > 0) return;
		this.#stopRequests += 1;
		this.#wake();
		const child = this.#child;
		if (child === undefined) return;
		// Its terminal is closed; the line need not know why it is to end.
		kill(child, signal === "SIGHUP" ? "SIGTERM" : signal);
		if (this.#stopRequests === 2) setTimeout(() => kill(child, "SIGKILL"), LAST_MS).unref();
	};

	/** The line exits at once, and its members with it. */
	readonly #refuse = (): void => {
		this.#wake();
		const child = this.#child;
		if (child === undefined) return;
		if (child.connected) child.disconnect();
		setTimeout(() => kill(child, "SIGKILL"), LAST_MS).unref();
	};

	/** A timer is limited to some weeks; polling a clock is not. */
	#stopAfter(seconds: number): NodeJS.Timeout {
		const end = performance.now() + 1000 * seconds;
		return setInterval(() => {
			if (performance.now() < end || this.#stopRequests > 0) return;
			this.#log.write("run", "info", "time is over", { seconds });
			this.requestStop("SIGTERM");
		}, 500);
	}

	/** Ends early on a request. */
	#pause(milliseconds: number): Promise<void> {
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, milliseconds);
			this.#wake = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}
}

function report(what: string): void {
	process.stderr.write(`stickslip: ${what}\n`);
}

/** Only a process that is not known to have ended: its id may have been reused. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}
