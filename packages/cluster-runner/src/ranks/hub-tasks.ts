/** The tasks in progress at the hub: one for all ranks, or tasks for single ranks, which each rank takes in order. */
import { assert, type RankError } from "@stickslip/core/parallel";
import { HubTask } from "./hub-task.js";
import type { Task } from "./ranks.js";

export class HubTasks implements Iterable<HubTask> {
	readonly #ranks: number;
	readonly #perProcess: number;
	/** By number, in the order in which they were given. */
	readonly #tasks = new Map<number, HubTask>();
	/** The number of the latest task. */
	#number = 0;

	constructor(ranks: number, perProcess: number) {
		this.#ranks = ranks;
		this.#perProcess = perProcess;
	}

	[Symbol.iterator](): Iterator<HubTask> {
		return this.#tasks.values();
	}

	add(task: Task<unknown>): HubTask {
		const isOne = [...this].every(({ isAlone }) => isAlone && task.alone !== undefined);
		assert(isOne, "ranks run one task at a time, or each its own ones");
		this.#number += 1;
		const own = new HubTask(task, this.#number, this.#ranks, this.#perProcess);
		this.#tasks.set(this.#number, own);
		return own;
	}

	/** The task of all ranks. */
	get shared(): HubTask | undefined {
		for (const task of this) return task.isAlone ? undefined : task;
		return undefined;
	}

	/** What this rank works on. */
	of(rank: number): HubTask | undefined {
		for (const task of this) if (task.hasRank(rank)) return task;
		return undefined;
	}

	withNumber(number: number): HubTask | undefined {
		return this.#tasks.get(number);
	}

	/** All of them fail. */
	reject(failure: RankError): void {
		for (const task of this) task.reject(failure);
		this.#tasks.clear();
	}

	remove({ number }: HubTask): void {
		this.#tasks.delete(number);
	}
}
