/** All ranks as threads of this process. */
import { hostname } from "node:os";
import { Control, cores } from "@stickslip/comm";
import type { RankError } from "@stickslip/core/parallel";
import { describeFailure } from "../base/last-resort.js";
import { progressReader } from "../protocol/progress.js";
import { type LocalRanks, type LocalRanksWatch, startLocalRanks } from "./local-ranks.js";
import { onAbort, type Ranks, type Task } from "./ranks.js";
import type { StartOptions } from "./start-ranks.js";

const PROGRESS_MS = 50;

export class ThreadRanks implements Ranks {
	readonly ranks: number;
	readonly #control = Control.create();
	readonly #local: LocalRanks;

	constructor(program: string, { ranks, log }: StartOptions, patienceSeconds: number) {
		const available = cores();
		this.ranks = ranks;
		this.#local = startLocalRanks({
			program,
			ranks,
			firstRank: 0,
			threads: ranks,
			link: { kind: "threads" },
			ranksHere: ranks,
			cores: ranks <= available.length ? available : [],
			patienceSeconds,
			control: this.#control,
		});
		for (let rank = 0; rank < ranks; rank += 1) {
			log?.write(rank, "info", "started", { host: hostname(), pid: process.pid });
		}
	}

	get failure(): RankError | undefined {
		return this.#local.failure;
	}

	async run<Result>(task: Task<Result>): Promise<Result[]> {
		const { alone } = task;
		task.prepare?.();
		const run = this.#local.start({
			alone,
			part: (rank) => task.part(rank),
			watch: alone === undefined ? task.events : watchOf(task),
		});
		const unwatch = onAbort(task, (code) => run.stop(code));
		// Progress of a single rank comes in messages.
		const timer = alone === undefined ? this.#watch(task) : undefined;
		try {
			// Threads of this process are trusted: their results are not checked.
			return (await run.results) as Result[];
		} finally {
			clearInterval(timer);
			unwatch();
		}
	}

	/** Polls what the ranks write to shared memory. */
	#watch({ onProgress, events }: Task<unknown>): NodeJS.Timeout {
		const control = this.#control;
		const read = progressReader(control);
		const look = () => {
			const now = read();
			if (now) onProgress?.(now);
			if (events.isSaveDue) control.requestSave();
		};
		return setInterval(() => {
			try {
				look();
			} catch (error) {
				control.abort(-1, `the process that started the run failed: ${describeFailure(error)}`);
			}
		}, PROGRESS_MS);
	}

	async close(): Promise<void> {
		await this.#local.close();
	}
}

function watchOf({ events, onProgress }: Task<unknown>): LocalRanksWatch {
	return {
		ready: (rank) => events.ready(rank),
		log: (rank, line) => events.log(rank, line),
		save: (rank, state) => events.save(rank, state),
		progress: (_, numbers) => onProgress?.(numbers),
	};
}
