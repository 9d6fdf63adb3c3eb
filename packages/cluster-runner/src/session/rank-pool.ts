/**
 * Assigns work to ranks: tasks for single ranks go to the rank with the least to do; work for all ranks waits until earlier tasks have ended, and later
 * ones wait for it. First come, first served, so that nothing waits for ever.
 */
import type { Ranks, StopSignal, Task } from "../ranks/ranks.js";
import { StopSource } from "./stop-source.js";

/** Tasks that a rank has at a time, so that it never waits for the next one: two, or more if they are small, whose results are sent together. */
const UNDER_WAY_MIN = 2;
const UNDER_WAY_MAX = 32;
const SIZE_UNDER_WAY_MAX = 4000;
/** A task that waits behind another for this long is also given to an idle rank: both answers have the same bits, and the first one counts. */
const LATE_MS = 50;

type PoolTask<Result> = Omit<Task<Result>, "alone" | "signal">;

/** A task for one rank, waiting or in progress. */
export interface Place<Result> {
	readonly result: Promise<Result>;
	/** Withdraws the task; false if a rank has begun it. A withdrawn task has no result. */
	leave(): boolean;
	/** Asks for an orderly stop, with this reason (ranks.ts). */
	stop(reason?: unknown): void;
}

interface Entry {
	/** The only rank that can do it; undefined for any rank. */
	readonly rank: number | undefined;
	readonly size: number;
	run(rank: number, signal: StopSignal): Promise<void>;
	/** The ranks that have it, with what stops it there. */
	copies: readonly Copy[];
	stopped: { readonly reason: unknown } | undefined;
}

interface Copy {
	readonly rank: number;
	readonly source: StopSource;
}

const NO_COPIES: readonly Copy[] = [];

/** Work of all ranks. */
interface Whole {
	run(): Promise<void>;
}

export class RankPool {
	readonly #ranks: Ranks;
	readonly #waiting = new Set<Entry | Whole>();
	/** What each rank has: the first is what it works on. */
	readonly #lists: readonly Entry[][];
	/** When each began that. */
	readonly #since: Float64Array;
	/** Of all that it has. */
	readonly #sizes: Float64Array;
	/** Whether no rank has room for the first waiting task that any of them could do. */
	#isFull = false;
	#isWhole = false;
	#timer: NodeJS.Timeout | undefined;

	constructor(ranks: Ranks) {
		this.#ranks = ranks;
		this.#lists = Array.from({ length: ranks.ranks }, () => []);
		this.#since = new Float64Array(ranks.ranks);
		this.#sizes = new Float64Array(ranks.ranks);
	}

	get ranks(): number {
		return this.#ranks.ranks;
	}

	/** A task of all ranks or of one, in its turn. */
	async run<Result>(task: Task<Result>): Promise<Result[]> {
		const { alone, signal, ...own } = task;
		if (alone === undefined) return await this.all((ranks) => ranks.run(task));
		const place = this.one(0, () => own, alone);
		signal?.addEventListener("abort", () => place.stop(signal.reason));
		return [await place.result];
	}

	/** Work for all ranks, which do nothing else meanwhile. */
	all<Result>(work: (ranks: Ranks) => Promise<Result>): Promise<Result> {
		return new Promise<Result>((resolve, reject) => {
			this.#waiting.add({ run: () => work(this.#ranks).then(resolve, reject) });
			this.#serve();
		});
	}

	/** A task of one rank: this one, or any. `prepare` makes it when it is sent, which may be more than once. */
	one<Result>(size: number, prepare: () => PoolTask<Result>, rank?: number): Place<Result> {
		let entry: Entry | undefined;
		const result = new Promise<Result>((resolve, reject) => {
			const run = async (alone: number, signal: StopSignal) => {
				try {
					const [own] = await this.#ranks.run({ ...prepare(), alone, signal });
					resolve(own!);
				} catch (error) {
					reject(error);
				}
			};
			entry = { rank, size, run, copies: NO_COPIES, stopped: undefined };
		});
		const own = entry!;
		const isBehind = this.#isFull;
		this.#waiting.add(own);
		// Behind a task that waits for any rank, no rank is free.
		if (!isBehind || rank !== undefined) this.#serve();
		return { result, leave: () => this.#leave(own), stop: (reason) => stop(own, reason) };
	}

	#leave(entry: Entry): boolean {
		if (this.#waiting.delete(entry)) return true;
		for (const { rank } of entry.copies) if (this.#lists[rank]![0] === entry) return false;
		stop(entry);
		return entry.copies.length > 0;
	}

	/** Begins whatever can begin. */
	#serve(): void {
		this.#isFull = false;
		for (const next of this.#waiting) {
			if (this.#isWhole) return;
			if (!("size" in next)) {
				if (this.#lists.every(({ length }) => length === 0)) this.#beginWhole(next);
				break;
			}
			const rank = next.rank ?? this.#leastBusy();
			if (this.#hasRoom(rank, next.size)) {
				this.#waiting.delete(next);
				this.#begin(next, rank);
			} else if (next.rank === undefined) {
				this.#isFull = true;
				return;
			}
			// Behind a task that waits for a certain rank there may be others whose rank is free.
		}
		this.#relieve();
	}

	#leastBusy(): number {
		let least = 0;
		for (let rank = 1; rank < this.#lists.length; rank += 1) {
			if (this.#lists[rank]!.length < this.#lists[least]!.length) least = rank;
		}
		return least;
	}

	#hasRoom(rank: number, size: number): boolean {
		const list = this.#lists[rank]!;
		if (list.length < UNDER_WAY_MIN) return true;
		return list.length < UNDER_WAY_MAX && this.#sizes[rank]! + size <= SIZE_UNDER_WAY_MAX;
	}

	#begin(entry: Entry, rank: number): void {
		const list = this.#lists[rank]!;
		const source = new StopSource();
		if (list.length === 0) this.#since[rank] = performance.now();
		list.push(entry);
		this.#sizes[rank]! += entry.size;
		entry.copies = [...entry.copies, { rank, source }];
		if (entry.stopped) source.abort(entry.stopped.reason);
		void entry.run(rank, source).then(() => {
			list.splice(list.indexOf(entry), 1);
			this.#sizes[rank]! -= entry.size;
			this.#since[rank] = performance.now();
			entry.copies = entry.copies.length === 1 ? NO_COPIES : entry.copies.filter((each) => each.rank !== rank);
			// The copies on other ranks are no longer needed.
			if (entry.copies.length > 0) stop(entry);
			this.#serve();
		});
	}

	#beginWhole(work: Whole): void {
		this.#waiting.delete(work);
		this.#isWhole = true;
		void work.run().then(() => {
			this.#isWhole = false;
			this.#serve();
		});
	}

	/** Gives idle ranks the tasks that wait behind a long one. */
	#relieve(): void {
		if (this.#timer !== undefined) return;
		const idle = this.#lists.findIndex(({ length }) => length === 0);
		if (idle < 0) return;
		const late = performance.now() - LATE_MS;
		let isSoonLate = false;
		for (const [rank, [, ...behind]] of this.#lists.entries()) {
			const entry = behind.find(
				({ rank: own, copies, stopped }) => own === undefined && copies.length === 1 && !stopped,
			);
			if (entry === undefined) continue;
			if (this.#since[rank]! <= late) {
				this.#begin(entry, idle);
				this.#relieve();
				return;
			}
			isSoonLate = true;
		}
		if (!isSoonLate) return;
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			this.#relieve();
		}, LATE_MS);
	}
}

function stop(entry: Entry, reason?: unknown): void {
	entry.stopped = { reason };
	for (const { source } of entry.copies) source.abort(reason);
}
