/** The tasks of the threads of a process: one for all of them, or tasks for single threads, in order. */
import type { Control } from "@stickslip/comm";
import { assert, type RankError } from "@stickslip/core/parallel";
import type { LocalRanksWatch } from "./local-ranks.js";
import { PendingSaves } from "./pending-saves.js";
import type { FromRank } from "./rank.js";

export interface ThreadTask {
	readonly number: number;
	/** Those that work on it. */
	readonly threads: readonly number[];
	readonly watch: LocalRanksWatch;
	readonly states: PendingSaves;
	/** In the order of its threads. */
	readonly results: Promise<unknown[]>;
}

interface UnderWay extends ThreadTask {
	readonly isAlone: boolean;
	readonly byThread: Map<number, unknown>;
	/** Of the states that the threads have sent. */
	sent: number;
	/** The code of the stop that was requested; 0 for none. */
	stop: number;
	readonly resolve: (results: unknown[]) => void;
	readonly reject: (error: RankError) => void;
}

export class ThreadTasks {
	readonly #control: Control;
	/** What each thread works on and has still to do. */
	readonly #byThread: readonly UnderWay[][];
	/** All whose promise is not settled. */
	readonly #open = new Set<UnderWay>();
	/** Of the task that was added last. */
	#number = 0;

	constructor(threads: number, control: Control) {
		this.#control = control;
		this.#byThread = Array.from({ length: threads }, () => []);
	}

	/** Without `alone` of all threads. */
	add(watch: LocalRanksWatch, alone?: number): ThreadTask {
		const isAlone = alone !== undefined;
		const fits = [...this.#open].every((other) => isAlone && other.isAlone);
		assert(fits, "ranks run one task at a time, or each its own ones");
		this.#number += 1;
		let settle: Pick<UnderWay, "resolve" | "reject"> | undefined;
		const results = new Promise<unknown[]>((resolve, reject) => {
			settle = { resolve, reject };
		});
		const task: UnderWay = {
			number: this.#number,
			isAlone,
			threads: isAlone ? [alone] : [...this.#byThread.keys()],
			watch,
			states: new PendingSaves(watch),
			results,
			byThread: new Map(),
			sent: 0,
			stop: 0,
			...settle!,
		};
		this.#open.add(task);
		for (const thread of task.threads) this.#byThread[thread]!.push(task);
		return task;
	}

	/** What a thread works on, unless it has failed. */
	of(thread: number): ThreadTask | undefined {
		const [now] = this.#byThread[thread]!;
		return now !== undefined && this.#open.has(now) ? now : undefined;
	}

	/** A thread has done its part. */
	take(thread: number, { result, states }: Extract<FromRank, { result: unknown }>): void {
		const task = this.#byThread[thread]!.shift();
		assert(task !== undefined, "a result is one of a task");
		this.#passStop(thread);
		task.byThread.set(thread, result);
		task.sent += states;
		if (task.byThread.size === task.threads.length) void this.#finish(task);
	}

	async #finish(task: UnderWay): Promise<void> {
		await task.states.written(task.sent);
		// It may have failed meanwhile, and is rejected then.
		if (!this.#open.delete(task)) return;
		if (!task.isAlone) this.#control.withdrawStop();
		task.resolve(task.threads.map((thread) => task.byThread.get(thread)));
	}

	stop({ number }: ThreadTask, code: number): void {
		for (const task of this.#open) {
			if (task.number !== number) continue;
			task.stop = code;
			if (task.isAlone) this.#passStop(task.threads[0]!);
			else this.#control.requestStop(code);
		}
	}

	/** A thread is asked to stop its present task; for later tasks it gets the request when they begin. */
	#passStop(thread: number): void {
		const [now] = this.#byThread[thread]!;
		if (now?.isAlone && now.stop > 0) this.#control.requestStopOf(thread, now.number, now.stop);
	}

	/** There will be no more states. */
	giveUp(): void {
		for (const { states } of this.#open) states.giveUp();
	}

	/** All fail, once the states that have arrived are written. */
	async reject(failure: RankError): Promise<void> {
		const open = [...this.#open];
		this.#open.clear();
		await Promise.all(open.map(({ states }) => states.written(0)));
		for (const { reject } of open) reject(failure);
	}
}
