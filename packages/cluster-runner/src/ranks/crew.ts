/** The ranks of one process: started as threads, introduced to each other and to those of other processes, and watched until they end. */

import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { type Control, runGang, shareThreads } from "@stickslip/comm";
import type { Outcome, RunOptions, Share } from "@stickslip/core/parallel";
import type { Answer, Link, Told } from "./link.js";
import type { RankTask } from "./rank.js";

/** Threads run what the build made, also where this file is run from its source. */
const file = fileURLToPath(new URL("../../dist/ranks/rank.js", import.meta.url));

/** How long the others may take to end when one rank has failed, before they are ended. */
const GRACE_SECONDS = 2;

export interface Cut {
	readonly share: Share;
	readonly buffers: readonly ArrayBuffer[];
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
}

export interface Crew {
	/** Of its ranks, where they talk over addresses; otherwise it never resolves. */
	readonly endpoints: Promise<string[]>;
	/** Hands over the addresses of all ranks. */
	connect(endpoints: readonly string[]): void;
	/** By thread. Rejects with a RankError; no thread outlives it. */
	readonly outcomes: Promise<Outcome[]>;
}

export function startCrew(options: CrewOptions): Crew {
	const { ranks, firstRank, threads, control, link, cores } = options;
	const channels = Array.from({ length: threads }, () => new MessageChannel());
	const shared = shareThreads(threads);
	const tell = (answer: Answer) => {
		for (const { port1 } of channels) port1.postMessage(answer);
	};
	const endpoints = new Promise<string[]>((resolve) => {
		const heard = new Map<number, string>();
		for (const [thread, { port1 }] of channels.entries()) {
			port1.on("message", (told: Told) => {
				if ("mpi" in told) return tell(told);
				heard.set(thread, told.endpoint);
				if (heard.size === threads) resolve(channels.map((_, each) => heard.get(each) ?? ""));
			});
		}
	});
	const tasks = new Map<number, RankTask>();
	const taskOf = (thread: number, share: Share): RankTask => ({
		share,
		options: options.options,
		control: control.buffer,
		link,
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
	const outcomes = runGang<Outcome>({
		ranks: threads,
		file,
		transfer: (thread) => {
			const { share, buffers } = options.share(thread);
			const task = taskOf(thread, share);
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
	const unwatch = endWaiting(control, channels);
	const ended = outcomes.finally(() => {
		unwatch();
		for (const { port1 } of channels) port1.close();
	});
	return { endpoints, connect: (all) => tell({ endpoints: all }), outcomes: ended };
}

/** A rank that waits for an answer sleeps in its event loop, and does not see control: when a run fails, its port is closed. */
function endWaiting(control: Control, channels: readonly MessageChannel[]): () => void {
	const timer = setInterval(() => {
		if (control.failure() === undefined) return;
		clearInterval(timer);
		for (const { port1 } of channels) port1.close();
	}, 50);
	return () => clearInterval(timer);
}
