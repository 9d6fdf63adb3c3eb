/** Follows the jobs of an array on the terminal that launched it: how many have ended and how, until all have, or Ctrl-C stops them. */
import { count, oneLine } from "../../base/format.js";
import { handleSignals, holdSignals } from "../../base/signals.js";
import type { Terminal } from "../../cli/command.js";
import { runTool } from "../../processes/tool.js";
import { askToStop } from "../../records/stop.js";
import type { Run } from "../../runs/folder.js";
import { hasEnded } from "../../runs/run-status.js";
import { changeState, endState, readState, type State } from "../../runs/state.js";
import { arrayStates, isLiving, type JobState } from "./queue.js";

const STEP_MS = 300;
const POLL_MS = 3000;
/** A job that has ended may have written its last state to a slow file system. */
const GRACE_MS = 5000;

export type ArrayEnd = "ended" | "stopped" | "detached";

export async function followArray(runs: readonly Run[], id: string, terminal: Terminal): Promise<ArrayEnd> {
	return await new ArrayFollower(runs, id, terminal).toEnd();
}

class ArrayFollower {
	readonly #runs: readonly Run[];
	readonly #id: string;
	readonly #terminal: Terminal;
	/** By number; undefined while Slurm does not answer. */
	#jobs: ReadonlyMap<number, JobState> | undefined;
	#polledAt = -Infinity;
	/** By number: since when Slurm does not know of a job that has not recorded its end. */
	readonly #lostSince = new Map<number, number>();
	readonly #reported = new Set<number>();
	#stopRequests = 0;
	#isDetached = false;

	constructor(runs: readonly Run[], id: string, terminal: Terminal) {
		this.#runs = runs;
		this.#id = id;
		this.#terminal = terminal;
	}

	async toEnd(): Promise<ArrayEnd> {
		holdSignals();
		const leave = () => {
			this.#isDetached = true;
		};
		const release = handleSignals((signal) => (signal === "SIGHUP" ? leave() : this.#requestStop()));
		process.on("SIGQUIT", leave);
		this.#terminal.err("stickslip: Ctrl-C stops all parts, with what is measured kept; Ctrl-\\ leaves them running");
		try {
			for (;;) {
				if (performance.now() - this.#polledAt > POLL_MS) await this.#poll();
				const isOver = this.#runs.map((run, part) => this.#look(run, part)).every(Boolean);
				if (isOver) return this.#stopRequests > 0 ? "stopped" : "ended";
				if (this.#isDetached) return "detached";
				await new Promise((resolve) => setTimeout(resolve, STEP_MS));
			}
		} finally {
			release();
			process.off("SIGQUIT", leave);
			this.#terminal.passing("");
		}
	}

	async #poll(): Promise<void> {
		this.#jobs = await arrayStates(this.#id);
		this.#polledAt = performance.now();
		const states = this.#runs.map(({ folder }) => readState(folder).status);
		const ended = states.filter(hasEnded).length;
		const running = states.filter((status) => status === "running").length;
		const waiting = [...(this.#jobs?.values() ?? [])].find(({ state }) => state === "PENDING");
		const why = waiting === undefined ? "" : `  waiting: ${waiting.reason}`;
		this.#terminal.passing(
			`${count(ended)} of ${count(this.#runs.length)} parts have ended, ${count(running)} are measured${why}`,
		);
	}

	/** Whether the part has ended; says so once. */
	#look({ id, folder }: Run, part: number): boolean {
		const state = readState(folder);
		const job = this.#jobs?.get(part);
		const isRequeued = state.status === "stopped" && this.#stopRequests === 0 && job !== undefined && isLiving(job);
		if (hasEnded(state.status) && !isRequeued) {
			if (!this.#reported.has(part)) this.#report(part, id, state);
			this.#reported.add(part);
			return true;
		}
		if (this.#jobs !== undefined && (job === undefined || !isLiving(job))) this.#lose(folder, part, job);
		else this.#lostSince.delete(part);
		return false;
	}

	/** Slurm has ended the job, and the run has not recorded how. */
	#lose(folder: string, part: number, job: JobState | undefined): void {
		const since = this.#lostSince.get(part) ?? performance.now();
		this.#lostSince.set(part, since);
		if (performance.now() - since < GRACE_MS) return;
		if (this.#stopRequests > 0) changeState(folder, { status: "cancelled" });
		else endState(folder, 3, undefined, `Slurm has ended the job${job === undefined ? "" : `: ${job.state}`}`);
	}

	#report(part: number, id: string, { status, reason }: State): void {
		this.#terminal.passing("");
		const how = status === "solved" ? "done" : `${status}${reason === undefined ? "" : ` (${oneLine(reason)})`}`;
		this.#terminal.err(`stickslip: part ${part} of ${this.#runs.length}: ${how}${how === "done" ? "" : `; run ${id}`}`);
	}

	/** The first Ctrl-C or SIGTERM requests a stop, the second does not wait for it. */
	#requestStop(): void {
		this.#stopRequests += 1;
		if (this.#stopRequests > 1) {
			this.#isDetached = true;
			return;
		}
		for (const [part, { folder }] of this.#runs.entries()) {
			const { status } = readState(folder);
			if (hasEnded(status)) continue;
			askToStop(folder, { isNow: false });
			if (status !== "waiting") continue;
			changeState(folder, { status: "cancelled" });
			void runTool("scancel", [`${this.#id}_${part}`]);
		}
		this.#terminal.err("stickslip: all parts are requested to stop; press Ctrl-C again to exit without waiting");
	}
}
