/** The ranks of one process: started as threads, connected to each other and to those of other processes, given tasks, and watched until they end. */

import { MessageChannel, type MessagePort } from "node:worker_threads";
import { type Control, runWorkers, shareThreads } from "@stickslip/comm";
import { RankError, type RunState } from "@stickslip/core/parallel";
import { requireAddresses, reservation } from "../base/address-space.js";
import { allowLetGo } from "../base/let-go.js";
import { programFile } from "../base/own.js";
import { youngGenerationMegabytes } from "../programs/programs.js";
import { reasonOf } from "../protocol/refusal.js";
import type { ConnectionOffer, Link } from "./link.js";
import type { FromRank, LogLine, RankSetup, ToRank } from "./rank.js";
import type { TaskPart } from "./ranks.js";
import { ThreadTasks } from "./thread-tasks.js";

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
	/** Progress of a task that the rank works on alone. */
	progress?(rank: number, numbers: readonly number[]): void;
	/** Its state, which the callee may keep; the promise resolves when it is written, passed on, or lost. */
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
	/** The only thread that works on it. Default: all of them work on it together. */
	readonly alone?: number | undefined;
	/** Creates the part of a rank. */
	readonly part: (rank: number) => TaskPart;
	readonly watch: LocalRanksWatch;
}

export interface LocalRun {
	/** The results by thread, after all saved states have been handled. Rejects with a RankError when all threads have ended. */
	readonly results: Promise<unknown[]>;
	/** Asks for an orderly stop. */
	stop(code: number): void;
}

export interface LocalRanks {
	/** The addresses of its ranks; never resolves if they have none. */
	readonly endpoints: Promise<string[]>;
	readonly failure: RankError | undefined;
	/** Passes on the addresses of all ranks. */
	connect(endpoints: readonly string[]): void;
	/** Gives its threads a task: one for all of them at a time, or any number of tasks for single threads, which take them in order. */
	start(task: LocalTask): LocalRun;
	/** There are no more tasks. Resolves when all threads have ended. */
	close(): Promise<void>;
	/** Resolves when they have ended; rejects with a RankError where one has failed. */
	readonly ended: Promise<void>;
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
	readonly #tasks: ThreadTasks;
	#failure: RankError | undefined;
	#haveEndpoints: (endpoints: string[]) => void = () => {};

	constructor(options: LocalRanksOptions) {
		this.#options = options;
		const { program, ranks, firstRank, threads, control, link, cores, ranksHere, patienceSeconds } = options;
		requireAddresses(threads === 1 ? "a rank" : `a process of ${threads} ranks`, threads, threads);
		const reserveBytes = reservation(threads, threads);
		this.#tasks = new ThreadTasks(threads, control);
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
		allowLetGo();
		const workers = runWorkers<void>({
			ranks: threads,
			file,
			task: setupOf,
			transfer: (thread) => [channels[thread]!.port2],
			control,
			firstRank,
			graceSeconds: GRACE_SECONDS,
			youngMegabytesMax: youngGenerationMegabytes[program],
		});
		const unwatch = onFailure(control, () => {
			this.#closePorts();
			this.#tasks.giveUp();
		});
		this.ended = workers
			.then(
				() => {},
				async (error: unknown) => {
					this.#failure = error instanceof RankError ? error : new RankError(-1, reasonOf(error));
					await this.#tasks.reject(this.#failure);
					throw this.#failure;
				},
			)
			.finally(() => {
				unwatch();
				this.#closePorts();
			});
		// Not an unhandled rejection if it is never awaited.
		this.ended.catch(() => {});
	}

	get failure(): RankError | undefined {
		return this.#failure;
	}

	connect(endpoints: readonly string[]): void {
		this.#sendAll({ endpoints });
	}

	start({ alone, part, watch }: LocalTask): LocalRun {
		if (this.#failure !== undefined) return { results: Promise.reject(this.#failure), stop: () => {} };
		const task = this.#tasks.add(watch, alone);
		try {
			for (const thread of task.threads) {
				const { part: own, from, buffers } = part(this.#options.firstRank + thread);
				const message: ToRank = { number: task.number, isAlone: alone !== undefined, part: own, from };
				this.#ports[thread]!.postMessage(message, [...buffers]);
			}
		} catch (error) {
			// For example, a part does not fit in memory: other ranks have their parts already and wait.
			this.#options.control.abort(-1, reasonOf(error));
		}
		return { results: task.results, stop: (code) => this.#tasks.stop(task, code) };
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
		port.on("message", (message: ConnectionOffer | readonly FromRank[]) => {
			try {
				if (!("length" in message)) this.#connect(thread, message);
				else for (const each of message) this.#handle(thread, each);
			} catch (error) {
				// An error here fails the run, not this process.
				control.abort(firstRank + thread, reasonOf(error));
			}
		});
	}

	#connect(thread: number, message: ConnectionOffer): void {
		const { threads } = this.#options;
		if ("mpi" in message) {
			for (const [other, port] of this.#ports.entries()) if (other !== thread) port.postMessage(message);
			return;
		}
		this.#endpointOf.set(thread, message.endpoint);
		if (this.#endpointOf.size === threads) {
			this.#haveEndpoints(this.#ports.map((_, each) => this.#endpointOf.get(each) ?? ""));
		}
	}

	#handle(thread: number, message: FromRank): void {
		const rank = this.#options.firstRank + thread;
		const task = this.#tasks.of(thread);
		// After a failure.
		if (task === undefined) return;
		if ("state" in message) task.states.take(rank, message.state);
		else if ("event" in message) task.watch.log(rank, message);
		else if ("ready" in message) task.watch.ready(rank);
		else if ("progress" in message) task.watch.progress?.(rank, message.progress);
		else this.#tasks.take(thread, message);
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
