/** The ranks of one process: started as threads, connected to each other and to those of other processes, and watched until they end. */

import { MessageChannel } from "node:worker_threads";
import { type Control, runWorkers, shareThreads } from "@stickslip/comm";
import type { Outcome, RunOptions, RunState, Share } from "@stickslip/core/parallel";
import { requireAddresses, reservation } from "../base/address-space.js";
import { programFile } from "../base/own.js";
import { reasonOf } from "../protocol/refusal.js";
import type { ConnectionOffer, ConnectionReply, Link } from "./link.js";
import type { RankMessage, RankResult, RankTask } from "./rank.js";

/** Threads run what the build made, also where this file is run from its source. */
const file = programFile("rank");

/** How long the others may take to end when one rank has failed, before they are ended. */
const GRACE_SECONDS = 2;

export interface Cut {
	readonly share: Share;
	readonly buffers: readonly ArrayBuffer[];
	/** What it goes on from. */
	readonly from?: RunState | undefined;
}

/** Events of the local ranks while they run. */
export interface LocalRanksWatch {
	/** This rank begins to iterate. */
	ready(rank: number): void;
	/** It has received and dropped this many foreign frames. */
	dropped?(rank: number, frames: number): void;
	/** Its state, which is the callee's; the promise resolves when it is written, passed on, or lost. */
	save(rank: number, state: RunState): Promise<void>;
}

export interface LocalRanksOptions {
	/** Of all processes. */
	readonly ranks: number;
	readonly firstRank: number;
	readonly threads: number;
	/** The share of a thread, cut when it is asked for, and the memory of it that moves to the thread. */
	readonly share: (thread: number) => Cut;
	readonly options: RunOptions;
	readonly link: Link;
	readonly ranksHere: number;
	/** A core for each thread; empty where they are not pinned. */
	readonly cores: readonly number[];
	readonly patienceSeconds: number;
	readonly control: Control;
	readonly watch?: LocalRanksWatch | undefined;
}

export interface LocalRanks {
	/** The addresses of its ranks; never resolves if they have none. */
	readonly endpoints: Promise<string[]>;
	/** Passes on the addresses of all ranks. */
	connect(endpoints: readonly string[]): void;
	/** By thread, after all saved states have been handled. Rejects with a RankError; no thread outlives it. */
	readonly outcomes: Promise<Outcome[]>;
}

export function startLocalRanks(options: LocalRanksOptions): LocalRanks {
	const { ranks, firstRank, threads, control, link, cores } = options;
	requireAddresses(threads === 1 ? "a rank" : `a process of ${threads} ranks`, threads, threads);
	const reserveBytes = reservation(threads, threads);
	const channels = Array.from({ length: threads }, () => new MessageChannel());
	const shared = shareThreads(threads);
	const sendAll = (answer: ConnectionReply) => {
		for (const { port1 } of channels) port1.postMessage(answer);
	};
	const states = new States(options.watch);
	const endpoints = new Promise<string[]>((resolve) => {
		const endpointOf = new Map<number, string>();
		for (const [thread, { port1 }] of channels.entries()) {
			const handle = (message: ConnectionOffer | RankMessage) => {
				if ("state" in message) return states.take(firstRank + thread, message.state);
				if ("dropped" in message) return options.watch?.dropped?.(firstRank + thread, message.dropped);
				if ("ready" in message) return options.watch?.ready(firstRank + thread);
				if ("mpi" in message) return sendAll(message);
				endpointOf.set(thread, message.endpoint);
				if (endpointOf.size === threads) resolve(channels.map((_, each) => endpointOf.get(each) ?? ""));
			};
			port1.on("message", (message: ConnectionOffer | RankMessage) => {
				try {
					handle(message);
				} catch (error) {
					// An error here fails the run, not this process.
					control.abort(firstRank + thread, reasonOf(error));
				}
			});
		}
	});
	const tasks = new Map<number, RankTask>();
	const taskOf = (thread: number, share: Share, from: RunState | undefined): RankTask => ({
		share,
		options: options.options,
		from,
		control: control.buffer,
		link,
		reserveBytes,
		context: {
			rank: firstRank + thread,
			ranks,
			thread,
			shared,
			ranksHere: options.ranksHere,
			core: cores[thread],
			patienceSeconds: options.patienceSeconds,
			port: channels[thread]!.port2,
		},
	});
	const ends = runWorkers<RankResult>({
		ranks: threads,
		file,
		transfer: (thread) => {
			const { share, buffers, from } = options.share(thread);
			const task = taskOf(thread, share, from);
			tasks.set(thread, task);
			return [...buffers, task.context.port];
		},
		task: (thread) => {
			const task = tasks.get(thread);
			tasks.delete(thread);
			return task;
		},
		control,
		firstRank,
		graceSeconds: GRACE_SECONDS,
	});
	const unwatch = onFailure(control, () => {
		for (const { port1 } of channels) port1.close();
		states.giveUp();
	});
	const outcomes = ends
		.then(async (all) => {
			await states.written(all.reduce((sum, { states: count }) => sum + count, 0));
			return all.map(({ outcome }) => outcome);
		})
		.finally(() => {
			unwatch();
			for (const { port1 } of channels) port1.close();
		});
	return { endpoints, connect: (all) => sendAll({ endpoints: all }), outcomes };
}

/** States of ranks to be written: they arrive on another channel than the results of the ranks, and may arrive later. */
class States {
	readonly #watch: LocalRanksWatch | undefined;
	readonly #saves: Promise<void>[] = [];
	#awaited = Number.POSITIVE_INFINITY;
	#allCame: () => void = () => {};

	constructor(watch: LocalRanksWatch | undefined) {
		this.#watch = watch;
	}

	take(rank: number, state: RunState): void {
		this.#saves.push(this.#watch?.save(rank, state) ?? Promise.resolve());
		if (this.#saves.length === this.#awaited) this.#allCame();
	}

	/** The run has failed, and no more states arrive. */
	giveUp(): void {
		this.#awaited = 0;
		this.#allCame();
	}

	/** Resolves when this many have arrived and been handled. */
	async written(count: number): Promise<void> {
		if (this.#saves.length < count && this.#awaited > 0) {
			this.#awaited = count;
			await new Promise<void>((resolve) => {
				this.#allCame = resolve;
			});
		}
		await Promise.allSettled(this.#saves);
	}
}

/** A rank that waits for a reply sleeps in its event loop and does not poll control: if a run fails, its port has to be closed. */
function onFailure(control: Control, close: () => void): () => void {
	const timer = setInterval(() => {
		if (control.failure() === undefined) return;
		clearInterval(timer);
		close();
	}, 50);
	return () => clearInterval(timer);
}
