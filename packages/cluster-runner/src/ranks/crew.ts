/** The ranks of one process: started as threads, introduced to each other and to those of other processes, and watched until they end. */

import { MessageChannel } from "node:worker_threads";
import { type Control, runWorkers, shareThreads } from "@stickslip/comm";
import type { Outcome, RunOptions, RunState, Share } from "@stickslip/core/parallel";
import { requireAddresses, reservation } from "../address-space.js";
import { programFile } from "../own.js";
import type { Answer, Link, Told } from "./link.js";
import type { Ended, RankTask, Said } from "./rank.js";
import { reasonOf } from "./refusal.js";

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

/** What a crew tells of its ranks while they work. */
export interface CrewWatch {
	/** This rank begins to iterate. */
	ready(rank: number): void;
	/** So many frames of strangers came to it, and were dropped. */
	dropped?(rank: number, frames: number): void;
	/** Its state, which is the callee's; the promise resolves when it is written, passed on, or lost. */
	save(rank: number, state: RunState): Promise<void>;
}

export interface CrewOptions {
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
	readonly watch?: CrewWatch | undefined;
}

export interface Crew {
	/** Of its ranks, where they talk over addresses; otherwise it never resolves. */
	readonly endpoints: Promise<string[]>;
	/** Hands over the addresses of all ranks. */
	connect(endpoints: readonly string[]): void;
	/** By thread, after all that ranks have saved is dealt with. Rejects with a RankError; no thread outlives it. */
	readonly outcomes: Promise<Outcome[]>;
}

export function startCrew(options: CrewOptions): Crew {
	const { ranks, firstRank, threads, control, link, cores } = options;
	requireAddresses(threads === 1 ? "a rank" : `a process of ${threads} ranks`, threads, threads);
	const reserveBytes = reservation(threads, threads);
	const channels = Array.from({ length: threads }, () => new MessageChannel());
	const shared = shareThreads(threads);
	const tell = (answer: Answer) => {
		for (const { port1 } of channels) port1.postMessage(answer);
	};
	const states = new States(options.watch);
	const endpoints = new Promise<string[]>((resolve) => {
		const heard = new Map<number, string>();
		for (const [thread, { port1 }] of channels.entries()) {
			const hear = (told: Told | Said) => {
				if ("state" in told) return states.take(firstRank + thread, told.state);
				if ("dropped" in told) return options.watch?.dropped?.(firstRank + thread, told.dropped);
				if ("ready" in told) return options.watch?.ready(firstRank + thread);
				if ("mpi" in told) return tell(told);
				heard.set(thread, told.endpoint);
				if (heard.size === threads) resolve(channels.map((_, each) => heard.get(each) ?? ""));
			};
			port1.on("message", (told: Told | Said) => {
				try {
					hear(told);
				} catch (error) {
					// A mishap here is the run's, and not this process's.
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
		place: {
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
	const ends = runWorkers<Ended>({
		ranks: threads,
		file,
		transfer: (thread) => {
			const { share, buffers, from } = options.share(thread);
			const task = taskOf(thread, share, from);
			tasks.set(thread, task);
			return [...buffers, task.place.port];
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
			await states.written(all.reduce((sum, { states: said }) => sum + said, 0));
			return all.map(({ outcome }) => outcome);
		})
		.finally(() => {
			unwatch();
			for (const { port1 } of channels) port1.close();
		});
	return { endpoints, connect: (all) => tell({ endpoints: all }), outcomes };
}

/** States of ranks on their way to the disk: they come over another way than the ends of the ranks, and may come after them. */
class States {
	readonly #watch: CrewWatch | undefined;
	readonly #saves: Promise<void>[] = [];
	#awaited = Number.POSITIVE_INFINITY;
	#allCame: () => void = () => {};

	constructor(watch: CrewWatch | undefined) {
		this.#watch = watch;
	}

	take(rank: number, state: RunState): void {
		this.#saves.push(this.#watch?.save(rank, state) ?? Promise.resolve());
		if (this.#saves.length === this.#awaited) this.#allCame();
	}

	/** The run has failed, and nothing more comes. */
	giveUp(): void {
		this.#awaited = 0;
		this.#allCame();
	}

	/** Resolves when so many have come and been dealt with. */
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

/** A rank that waits for an answer sleeps in its event loop, and does not see control: when a run fails, its port has to be closed. */
function onFailure(control: Control, close: () => void): () => void {
	const timer = setInterval(() => {
		if (control.failure() === undefined) return;
		clearInterval(timer);
		close();
	}, 50);
	return () => clearInterval(timer);
}
