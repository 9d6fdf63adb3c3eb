/** The ranks of one process: started as threads, connected to each other and to those of other processes, given tasks, and watched until they end. */

import { MessageChannel, type MessagePort } from "node:worker_threads";
import { type Control, runWorkers, shareThreads } from "@stickslip/comm";
import { assert, RankError, type RunState } from "@stickslip/core/parallel";
import { requireAddresses, reservation } from "../base/address-space.js";
import { programFile } from "../base/own.js";
import { reasonOf } from "../protocol/refusal.js";
import type { ConnectionOffer, Link } from "./link.js";
import { PendingSaves } from "./pending-saves.js";
import type { FromRank, LogLine, RankSetup, ToRank } from "./rank.js";
import type { TaskPart } from "./ranks.js";

/** Threads run what the build made, also where this file is run from its source. */
const file = programFile("rank");

/** How long the others may take to end when one rank has failed, before they are ended. */
const GRACE_SECONDS = 2;

/** Events of the local ranks while they work on a task. */
export interface LocalRanksWatch {
	/** This rank begins to iterate. */
	ready(rank: number): void;
	/** A log line of the rank. */
	log(rank: number, line: LogLine): void;
	/** Its state, which is the callee's; the promise resolves when it is written, passed on, or lost. */
	save(rank: number, state: RunState): Promise<void>;
}

export interface LocalRanksOptions {
	/** See programs.ts. */
	readonly program: string;
	/** Of all processes. */
	readonly ranks: number;
	readonly firstRank: number;
	readonly threads: number;
	readonly link: Link;
	readonly ranksHere: number;
	/** A core for each thread; empty where they are not pinned. */
	readonly cores: readonly number[];
	readonly patienceSeconds: number;
	readonly control: Control;
}

export interface LocalTask {
	/** Number of threads that work on it, counted from the first. */
	readonly workers: number;
	/** Creates the part of a rank. */
	readonly part: (rank: number) => TaskPart;
	readonly watch: LocalRanksWatch;
}

export interface LocalRanks {
	/** The addresses of its ranks; never resolves if they have none. */
	readonly endpoints: Promise<string[]>;
	readonly failure: RankError | undefined;
	/** Passes on the addresses of all ranks. */
	connect(endpoints: readonly string[]): void;
	/** The results by thread, after all saved states have been handled. Rejects with a RankError when all threads have ended. */
	run(task: LocalTask): Promise<unknown[]>;
	/** There are no more tasks. Resolves when all threads have ended. */
	close(): Promise<void>;
	/** Resolves when they have ended; rejects with a RankError where one has failed. */
	readonly ended: Promise<void>;
}

/** A task under way. */
interface Work {
	readonly watch: LocalRanksWatch;
	readonly results: unknown[];
	readonly states: PendingSaves;
	left: number;
	sent: number;
	readonly resolve: (results: unknown[]) => void;
	readonly reject: (error: unknown) => void;
}

export function startLocalRanks(options: LocalRanksOptions): LocalRanks {
	return new ThreadedRanks(options);
}

class ThreadedRanks implements LocalRanks {
	readonly endpoints: Promise<string[]>;
	readonly ended: Promise<void>;
	readonly #options: LocalRanksOptions;
	readonly #ports: readonly MessagePort[];
	readonly #endpointOf = new Map<number, string>();
	#work: Work | undefined;
	#failure: RankError | undefined;
	#haveEndpoints: (endpoints: string[]) => void = () => {};

	constructor(options: LocalRanksOptions) {
		this.#options = options;
		const { program, ranks, firstRank, threads, control, link, cores, ranksHere, patienceSeconds } = options;
		requireAddresses(threads === 1 ? "a rank" : `a process of ${threads} ranks`, threads, threads);
		const reserveBytes = reservation(threads, threads);
		const channels = Array.from({ length: threads }, () => new MessageChannel());
		this.#ports = channels.map(({ port1 }) => port1);
		this.endpoints = new Promise((resolve) => {
			this.#haveEndpoints = resolve;
		});
		for (const [thread, port] of this.#ports.entries()) this.#listen(thread, port);
		const shared = shareThreads(threads);
		const setupOf = (thread: number): RankSetup => ({
			program,
			control: control.buffer,
			link,
			reserveBytes,
			place: {
				rank: firstRank + thread,
				ranks,
				thread,
				shared,
				ranksHere,
				core: cores[thread],
				patienceSeconds,
				port: channels[thread]!.port2,
			},
		});
		const workers = runWorkers<void>({
			ranks: threads,
			file,
			task: setupOf,
			transfer: (thread) => [channels[thread]!.port2],
			control,
			firstRank,
			graceSeconds: GRACE_SECONDS,
		});
		const unwatch = onFailure(control, () => {
			this.#closePorts();
			this.#work?.states.giveUp();
		});
		this.ended = workers
			.then(
				() => {},
				async (error: unknown) => {
					this.#failure = error instanceof RankError ? error : new RankError(-1, reasonOf(error));
					await this.#work?.states.written(0);
					this.#work?.reject(this.#failure);
					this.#work = undefined;
					throw this.#failure;
				},
			)
			.finally(() => {
				unwatch();
				this.#closePorts();
			});
		// Not an unhandled rejection if nobody awaits it.
		this.ended.catch(() => {});
	}

	get failure(): RankError | undefined {
		return this.#failure;
	}

	connect(endpoints: readonly string[]): void {
		this.#sendAll({ endpoints });
	}

	async run({ workers, part, watch }: LocalTask): Promise<unknown[]> {
		if (this.#failure !== undefined) throw this.#failure;
		assert(this.#work === undefined, "ranks run one task at a time");
		const { firstRank, control } = this.#options;
		const results = new Promise<unknown[]>((resolve, reject) => {
			const none = Array.from({ length: workers }, () => undefined);
			this.#work = { watch, results: none, states: new PendingSaves(watch), left: workers, sent: 0, resolve, reject };
		});
		try {
			for (const [thread, port] of this.#ports.slice(0, workers).entries()) {
				const { part: own, from, buffers } = part(firstRank + thread);
				port.postMessage({ part: own, from } satisfies ToRank, [...buffers]);
			}
		} catch (error) {
			// For example a part that does not fit in memory: other ranks have theirs already and wait.
			control.abort(-1, reasonOf(error));
		}
		return await results;
	}

	async close(): Promise<void> {
		this.#sendAll({ close: true });
		await this.ended.catch(() => {});
	}

	#sendAll(message: ToRank): void {
		for (const port of this.#ports) port.postMessage(message);
	}

	#closePorts(): void {
		for (const port of this.#ports) port.close();
	}

	#listen(thread: number, port: MessagePort): void {
		const { control, firstRank } = this.#options;
		port.on("message", (message: ConnectionOffer | FromRank) => {
			try {
				this.#handle(thread, message);
			} catch (error) {
				// An error here fails the run, not this process.
				control.abort(firstRank + thread, reasonOf(error));
			}
		});
	}

	#handle(thread: number, message: ConnectionOffer | FromRank): void {
		const { firstRank, threads } = this.#options;
		const rank = firstRank + thread;
		if ("mpi" in message) {
			for (const [other, port] of this.#ports.entries()) if (other !== thread) port.postMessage(message);
			return;
		}
		if ("endpoint" in message) {
			this.#endpointOf.set(thread, message.endpoint);
			if (this.#endpointOf.size === threads) {
				this.#haveEndpoints(this.#ports.map((_, each) => this.#endpointOf.get(each) ?? ""));
			}
			return;
		}
		const work = this.#work;
		// After a failure.
		if (work === undefined) return;
		if ("state" in message) work.states.take(rank, message.state);
		else if ("event" in message) work.watch.log(rank, message);
		else if ("ready" in message) work.watch.ready(rank);
		else {
			work.results[thread] = message.result;
			work.sent += message.states;
			work.left -= 1;
			if (work.left === 0) void this.#finish(work);
		}
	}

	async #finish(work: Work): Promise<void> {
		await work.states.written(work.sent);
		// It may have failed meanwhile, and is rejected then.
		if (this.#work !== work) return;
		this.#work = undefined;
		work.resolve(work.results);
	}
}

/** A rank that waits for a message sleeps in its event loop and does not poll control: if a run fails, its port has to be closed. */
function onFailure(control: Control, close: () => void): () => void {
	const timer = setInterval(() => {
		if (control.failure() === undefined) return;
		clearInterval(timer);
		close();
	}, 50);
	return () => clearInterval(timer);
}
