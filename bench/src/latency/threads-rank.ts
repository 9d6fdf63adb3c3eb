/** One of the threads that bench/src/latency/threads.ts measures: sleeps, obeys an order, and rank 0 tells how long it took. */
import type { MessagePort } from "node:worker_threads";
import { Control, Patience, pin, spinsFor, ThreadsCommunicator, type ThreadsShared } from "@stickslip/comm";
import type { Exchange, HaloPlan } from "@stickslip/core/parallel";

export const kinds = ["reduction", "exchange", "barrier"] as const;
export type Kind = (typeof kinds)[number];

/** Words that the main thread writes: how many orders there were, then the present one. */
export const ORDERS = 0;
export const KIND = 1;
export const NUMBERS = 2;
/** 0 ends the ranks. */
export const COUNT = 3;

export interface RankTask {
	readonly rank: number;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
	readonly orders: SharedArrayBuffer;
	/** How many cores there are before pinning. */
	readonly cores: number;
	/** Where to stay; -1 for anywhere. */
	readonly core: number;
	/** Rank 0's: takes nanoseconds. */
	readonly answers?: MessagePort;
}

const add = (into: Float64Array, from: Float64Array): void => {
	for (let i = 0; i < into.length; i += 1) into[i] = into[i]! + from[i]!;
};

export default ({ rank, shared, control: buffer, orders: memory, cores, core, answers }: RankTask): boolean => {
	const control = new Control(buffer);
	const patience = new Patience({ control, spins: spinsFor(shared.size, cores) });
	const communicator = new ThreadsCommunicator({ shared, rank, control, patience });
	const isPinned = core >= 0 && pin(core);
	const orders = new Int32Array(memory);
	const exchanges = new Map<number, Exchange>();
	for (let order = 1; ; order += 1) {
		while (Atomics.load(orders, ORDERS) < order) {
			control.check();
			Atomics.wait(orders, ORDERS, order - 1, 50);
		}
		const [, kind = 0, numbers = 0, count = 0] = orders;
		if (count === 0) return isPinned;
		const values = new Float64Array(2 * numbers);
		const some = values.subarray(0, numbers);
		let exchange: Exchange | undefined;
		if (kinds[kind] === "exchange") {
			exchange = exchanges.get(numbers) ?? communicator.open(swap(rank, numbers));
			exchanges.set(numbers, exchange);
		}
		communicator.barrier();
		const start = performance.now();
		for (let i = 0; i < count; i += 1) {
			if (exchange !== undefined) {
				exchange.begin(values);
				exchange.finish(values);
			} else if (kinds[kind] === "barrier") communicator.barrier();
			else {
				for (let k = 0; k < numbers; k += 1) some[k] = i + k;
				communicator.reduce(some, add);
			}
		}
		const nanoseconds = 1e6 * (performance.now() - start);
		if (kinds[kind] === "reduction") check(some, count, shared.size);
		answers?.postMessage(nanoseconds);
	}
};

function check(sum: Float64Array, count: number, size: number): void {
	for (const [k, value] of sum.entries()) {
		if (value !== size * (count - 1 + k)) throw new Error(`a wrong sum: ${value}`);
	}
}

/** Two ranks give each other so many numbers, as blocks of one; further ranks stand by. */
function swap(rank: number, numbers: number): HaloPlan {
	const list = (first: number) => Int32Array.from({ length: rank < 2 ? numbers : 0 }, (_, i) => first + i);
	const other = Int32Array.from(rank < 2 ? [1 - rank] : []);
	const start = Int32Array.from(rank < 2 ? [0, numbers] : [0]);
	return {
		width: 1,
		targets: other,
		sendStart: start,
		send: list(0),
		sources: other,
		receiveStart: start,
		receive: list(numbers),
	};
}
