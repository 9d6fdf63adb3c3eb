/**
 * Events of a run in the process that started its ranks: logs and reports them, decides when ranks are asked for their state, and passes that on. The same
 * for ranks in threads and in processes.
 */
import type { RankResult, RunState } from "@stickslip/core/parallel";
import { messageOf } from "../base/errors.js";
import type { Checkpointer } from "../checkpoints/checkpointer.js";
import type { ToHub } from "../protocol/messages.js";
import { isRunState } from "../protocol/plain-state.js";
import type { Log, LogFields, LogLevel, LogSource } from "../records/log.js";
import type { LogLine } from "./rank.js";

/** The fields of a report that are used; for a simulation, iterations are steps. */
type EndOfTask = Pick<RankResult["report"], "status" | "iterations" | "products" | "reason">;

export interface RunEventsOptions {
	readonly ranks: number;
	readonly checkpointer?: Checkpointer | undefined;
	readonly log?: Log | undefined;
	/** Milliseconds on a clock that only goes forward; default performance.now. */
	readonly now?: () => number;
}

export class RunEvents {
	readonly checkpointer: Checkpointer | undefined;
	readonly #options: RunEventsOptions;
	readonly #now: () => number;
	readonly #started: number;
	readonly #ready = new Set<number>();

	constructor(options: RunEventsOptions) {
		this.#options = options;
		this.checkpointer = options.checkpointer;
		this.#now = options.now ?? (() => performance.now());
		this.#started = this.#now();
		// Ranks of a run that is stopped before they iterate save their state before any of them is ready.
		this.checkpointer?.begin(options.ranks);
	}

	/** Since the start of the solve. */
	get seconds(): number {
		return (this.#now() - this.#started) / 1000;
	}

	write(source: LogSource, level: LogLevel, event: string, facts?: LogFields): void {
		this.#options.log?.write(source, level, event, facts);
	}

	/** A line of a rank's own. */
	log(rank: number, { level, event, facts }: LogLine): void {
		this.write(rank, level, event, facts);
	}

	/** A rank starts to iterate. */
	ready(rank: number): void {
		const { ranks } = this.#options;
		if (rank >= ranks || this.#ready.has(rank)) return;
		this.#ready.add(rank);
		this.write(rank, "info", "ready", { seconds: this.seconds });
		if (this.#ready.size < ranks) return;
		this.checkpointer?.begin(ranks);
		this.write("run", "info", "ready", { ranks, seconds: this.seconds });
	}

	/** Whether rank 0 is to be asked to save, now. */
	get isSaveDue(): boolean {
		return this.#ready.size === this.#options.ranks && this.checkpointer?.isDue(this.#now()) === true;
	}

	/** A rank's state, to be written here. */
	async save(rank: number, state: RunState): Promise<void> {
		await this.checkpointer?.take(rank, state);
	}

	/** Handles a message about a rank from its process. */
	handle(message: Extract<ToHub, { kind: "ready" | "saved" | "unsaved" | "log" }>): void {
		const { rank } = message;
		if (message.kind === "ready") this.ready(rank);
		else if (message.kind === "log") this.log(rank, message);
		else if (message.kind === "unsaved") this.checkpointer?.unsaved(rank, message.iteration, message.reason);
		else {
			const { kind: _kind, rank: _rank, ...saved } = message;
			this.write(rank, "info", "saved", { iteration: saved.iteration, bytes: saved.bytes });
			this.checkpointer?.saved(rank, saved);
		}
	}

	/** A rank's state, from a process without access to the folder of checkpoints. Throws an Error if it is not valid. */
	state(rank: number, value: unknown): void {
		if (!isRunState(value)) throw new Error("not a valid state");
		void this.save(rank, value);
	}

	failed(error: unknown): void {
		const reason = messageOf(error);
		this.write("run", "error", "failed", { reason, seconds: this.seconds });
	}

	/** All ranks have ended. Resolves when their last saved state is a checkpoint, or lost. */
	async ended({ report }: { readonly report: EndOfTask }): Promise<void> {
		await this.checkpointer?.end(report);
		const { status, iterations, products, reason } = report;
		this.write("run", "info", "ended", { status, iterations, products, reason, seconds: this.seconds });
	}
}
