/**
 * Makes the checkpoints of a program: finds the state to continue from, decides when the next checkpoint is due, collects the states that ranks send
 * or write, and makes them a checkpoint when all parts are there. It never fails a run: a checkpoint that cannot be written is lost and reported,
 * and the one before it stays.
 */
import { InputError, type Report } from "@stickslip/core";
import type { RunState } from "@stickslip/core/parallel";
import type { Saved } from "../protocol/messages.js";
import type { Log, LogFields } from "../records/log.js";
import { type CheckpointDirectory, nameOf, openCheckpointDirectory, removeLeftovers } from "./folder.js";
import type { Identity } from "./identity.js";
import { readNewest } from "./read.js";
import { type Checkpoint, Store } from "./store.js";
import { whyUnwritten } from "./write.js";

export type { Checkpoint } from "./store.js";

export interface CheckpointerOptions {
	/** The folder of this run's checkpoints; created if missing. */
	readonly folder: string;
	/** Seconds from one checkpoint to the next; 0: only on request. */
	readonly interval: number;
	/** What the state belongs to: a checkpoint of anything else is refused. */
	readonly identity: Identity;
	readonly log?: Log | undefined;
}

/** The parts of an incomplete checkpoint, by rank; undefined if a part was lost. */
interface PendingCheckpoint {
	readonly parts: Map<number, Saved | undefined>;
	readonly since: number;
	reason?: string;
}

/**
 * Reads the newest sound checkpoint in the folder, if there is one. Throws an InputError for one of another program or problem, of other options or another
 * version; a damaged one is logged, and the one before it is used.
 */
export async function openCheckpointer(options: CheckpointerOptions): Promise<Checkpointer> {
	const { folder, interval, identity, log } = options;
	if (!(interval >= 0 && interval < Number.POSITIVE_INFINITY)) {
		throw new InputError("options", "checkpoint", `${interval} is not a number of seconds`, "give one, or 0 for none");
	}
	const damaged = (path: string, reason: string) => {
		log?.write("run", "warn", "checkpoint-damaged", { folder: path, reason });
	};
	const found = await readNewest(folder, identity, damaged);
	await removeLeftovers(folder);
	const directory = await openCheckpointDirectory(folder).catch((error: unknown) => {
		log?.write("run", "warn", "checkpoint-folder", { folder, reason: whyUnwritten(error) });
		return undefined;
	});
	if (found) log?.write("run", "info", "resumed", { iteration: found.state.iteration, folder: found.folder });
	const last = found && { iteration: found.state.iteration, folder: found.folder, bytes: found.bytes };
	return new Checkpointer(options, new Store(folder, identity, last, directory), found?.state);
}

export class Checkpointer {
	/** Whether the solve was stopped with a checkpoint of its last iteration: it can be resumed. */
	suspended = false;
	readonly #options: CheckpointerOptions;
	readonly #store: Store;
	#from: RunState | undefined;
	#lost: string | undefined;
	#ranks = 1;
	readonly #pending = new Map<number, PendingCheckpoint>();
	/** Requested, and no part of it has arrived yet. */
	#isRequested = false;
	#isWanted = false;
	#isSuspending = false;
	#since = performance.now();
	/** The completions in progress, one after another. */
	#work: Promise<void> = Promise.resolve();
	readonly #writes = new Set<Promise<void>>();

	constructor(options: CheckpointerOptions, store: Store, from: RunState | undefined) {
		this.#options = options;
		this.#store = store;
		this.#from = from;
	}

	/** The state to continue from, of the whole problem; undefined if there is none, and after `releaseStart`. */
	get from(): RunState | undefined {
		return this.#from;
	}

	/** The newest checkpoint. */
	get last(): Checkpoint | undefined {
		return this.#store.last;
	}

	/** Why the previous checkpoint was lost; undefined after a complete one. */
	get lost(): string | undefined {
		return this.#lost;
	}

	/** Where processes with access to the folder write their parts. */
	get directory(): CheckpointDirectory | undefined {
		return this.#store.directory;
	}

	/** Whether the next request to stop saves the state. */
	get isSuspending(): boolean {
		return this.#isSuspending;
	}

	/** `from` has been divided among ranks, and its memory can be released. */
	releaseStart(): void {
		this.#from = undefined;
	}

	/** Sets the number of ranks of a checkpoint, and starts the interval; called again when all of them iterate. */
	begin(ranks: number): void {
		this.#ranks = ranks;
		this.#since = performance.now();
	}

	/** Requests a checkpoint as soon as possible, also without an interval. */
	request(): void {
		this.#isWanted = true;
	}

	/** The run is to be stopped: with a checkpoint. */
	suspend(): void {
		this.#isSuspending = true;
	}

	/** Whether to request the states of ranks now; returning true counts as the request. */
	isDue(now = performance.now()): boolean {
		const { interval } = this.#options;
		if (this.#isRequested || this.#pending.size > 0 || this.#isSuspending) return false;
		if (!this.#isWanted && !(interval > 0 && now - this.#since >= 1000 * interval)) return false;
		this.#isWanted = false;
		this.#isRequested = true;
		this.#since = now;
		return true;
	}

	/** A rank's state, to be written here. */
	take(rank: number, state: RunState): Promise<void> {
		// The request counts as answered at once, before anything is awaited.
		this.#pendingAt(state.iteration);
		const written = this.#written(rank, state);
		this.#writes.add(written);
		return written.finally(() => this.#writes.delete(written));
	}

	async #written(rank: number, state: RunState): Promise<void> {
		try {
			const saved = await this.#store.write(rank, state);
			this.#options.log?.write(rank, "info", "saved", { iteration: saved.iteration, bytes: saved.bytes });
			this.#note(rank, state.iteration, saved);
		} catch (error) {
			this.unsaved(rank, state.iteration, whyUnwritten(error));
		}
	}

	/** A rank's process has written its part itself. */
	saved(rank: number, saved: Saved): void {
		this.#note(rank, saved.iteration, saved);
	}

	unsaved(rank: number, iteration: number, reason: string): void {
		this.#options.log?.write(rank, "warn", "unsaved", { iteration, reason });
		this.#pendingAt(iteration).reason ??= reason;
		this.#note(rank, iteration, undefined);
	}

	/** Resolves when all states that have arrived are a checkpoint, or lost. */
	async settle(): Promise<void> {
		while (this.#writes.size > 0) await Promise.allSettled(this.#writes);
		await this.#work;
	}

	/** The solve has ended with this report. Resolves when its last checkpoint is complete, or lost. */
	async end(report: Pick<Report, "status" | "iterations">): Promise<void> {
		await this.settle();
		this.suspended = this.#isSuspending && report.status === "cancelled" && this.last?.iteration === report.iterations;
	}

	/** Stops writing; what is complete stays. */
	async close(): Promise<void> {
		await this.settle();
		this.#from = undefined;
		await this.#store.close();
	}

	/** The answer has been saved: no checkpoint is needed any more. */
	async remove(): Promise<void> {
		await this.close();
		await this.#store.removeAll();
	}

	#pendingAt(iteration: number): PendingCheckpoint {
		let pending = this.#pending.get(iteration);
		if (pending === undefined) {
			pending = { parts: new Map(), since: performance.now() };
			this.#pending.set(iteration, pending);
			this.#isRequested = false;
		}
		return pending;
	}

	#note(rank: number, iteration: number, saved: Saved | undefined): void {
		const pending = this.#pendingAt(iteration);
		pending.parts.set(rank, saved);
		if (pending.parts.size < this.#ranks) return;
		this.#work = this.#work.then(() => this.#complete(iteration, pending));
	}

	/** All ranks have saved their part, or lost it. */
	async #complete(iteration: number, { parts: byRank, reason, since }: PendingCheckpoint): Promise<void> {
		const { log } = this.#options;
		try {
			const parts = Array.from({ length: this.#ranks }, (_, rank) => byRank.get(rank)).filter(
				(part) => part !== undefined,
			);
			if (reason !== undefined || parts.length < this.#ranks) throw new Error(reason ?? "a part is missing");
			const { bytes } = await this.#store.complete(iteration, parts);
			this.#lost = undefined;
			const seconds = (performance.now() - since) / 1000;
			const facts: LogFields = { iteration, bytes, parts: parts.length, seconds, folder: nameOf(iteration) };
			log?.write("run", "info", "checkpoint", facts);
		} catch (error) {
			this.#lost = whyUnwritten(error);
			log?.write("run", "warn", "checkpoint-lost", { iteration, reason: this.#lost });
		}
		await this.#store.clear(iteration);
		this.#pending.delete(iteration);
	}
}
