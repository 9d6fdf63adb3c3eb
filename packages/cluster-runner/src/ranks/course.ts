/**
 * The course of a run, as whoever started its ranks sees it: when they began, what is written down of them, when they are asked for their state,
 * and what becomes of it. The same for ranks in threads and in processes.
 */
import type { Outcome, RunState } from "@stickslip/core/parallel";
import type { Keeper } from "../checkpoints/keeper.js";
import { isRunState } from "../checkpoints/plain-state.js";
import type { Facts, Level, Log, Source } from "../runs/log.js";
import type { ToHub } from "./messages.js";

export interface CourseOptions {
	readonly ranks: number;
	readonly keeper?: Keeper | undefined;
	readonly log?: Log | undefined;
	/** Milliseconds on a clock that only goes forward; default performance.now. */
	readonly now?: () => number;
}

export class Course {
	readonly keeper: Keeper | undefined;
	readonly #options: CourseOptions;
	readonly #now: () => number;
	readonly #started: number;
	readonly #ready = new Set<number>();

	constructor(options: CourseOptions) {
		this.#options = options;
		this.keeper = options.keeper;
		this.#now = options.now ?? (() => performance.now());
		this.#started = this.#now();
		// A run that is stopped before its ranks iterate has its state handed out before any of them is ready.
		this.keeper?.begin(options.ranks);
	}

	/** Since the solve began. */
	get seconds(): number {
		return (this.#now() - this.#started) / 1000;
	}

	write(source: Source, level: Level, event: string, facts?: Facts): void {
		this.#options.log?.write(source, level, event, facts);
	}

	/** A rank begins to iterate. */
	ready(rank: number): void {
		const { ranks } = this.#options;
		if (rank >= ranks || this.#ready.has(rank)) return;
		this.#ready.add(rank);
		this.write(rank, "info", "ready", { seconds: this.seconds });
		if (this.#ready.size < ranks) return;
		this.keeper?.begin(ranks);
		this.write("run", "info", "ready", { ranks, seconds: this.seconds });
	}

	/** Whether rank 0 is to be asked to save, now. */
	get isSaveDue(): boolean {
		return this.#ready.size === this.#options.ranks && this.keeper?.isDue(this.#now()) === true;
	}

	/** A rank's state, to be written here. */
	async save(rank: number, state: RunState): Promise<void> {
		await this.keeper?.take(rank, state);
	}

	/** What a rank's process says of it. */
	heard(message: Extract<ToHub, { kind: "ready" | "saved" | "unsaved" | "log" }>): void {
		const { rank } = message;
		if (message.kind === "ready") this.ready(rank);
		else if (message.kind === "log") this.write(rank, message.level, message.event, message.facts);
		else if (message.kind === "unsaved") this.keeper?.unsaved(rank, message.iteration, message.reason);
		else {
			const { kind: _kind, rank: _rank, ...saved } = message;
			this.write(rank, "info", "saved", { iteration: saved.iteration, bytes: saved.bytes });
			this.keeper?.saved(rank, saved);
		}
	}

	/** A rank's state, from a process that does not see the folder of checkpoints. Throws an Error for what is none. */
	state(rank: number, value: unknown): void {
		if (!isRunState(value)) throw new Error("a state that is none");
		void this.save(rank, value);
	}

	failed(error: unknown): void {
		const reason = error instanceof Error ? error.message : String(error);
		this.write("run", "error", "failed", { reason, seconds: this.seconds });
	}

	/** All ranks have answered. Resolves when what they saved last is a checkpoint, or lost. */
	async ended({ report }: Pick<Outcome, "report">): Promise<void> {
		await this.keeper?.end(report);
		const { status, iterations, products, reason } = report;
		this.write("run", "info", "ended", { status, iterations, products, reason, seconds: this.seconds });
	}
}
