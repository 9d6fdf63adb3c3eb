/** A rank that works with others until one of them fails, in a way of its choice. */
import type { HaloPlan } from "@stickslip/core/parallel";
import { Control } from "../base/control.js";
import { Patience, spinsFor } from "../base/patience.js";
import { ThreadsCommunicator, type ThreadsShared } from "../threads/communicator.js";
import { add } from "./checks.js";

export interface FailingTask {
	readonly rank: number;
	readonly shared: ThreadsShared;
	readonly control: SharedArrayBuffer;
	readonly cores: number;
	/** Who fails, in which round, and how. */
	readonly who: number;
	readonly when: number;
	readonly how:
		| "throws"
		| "aborts"
		| "exits"
		| "runs out of memory"
		| "waits to be terminated"
		| "throws while one computes"
		| "nothing";
}

const ROUNDS = 200;

export default (task: FailingTask): number => {
	const { rank, shared, control: buffer } = task;
	const control = new Control(buffer);
	const patience = new Patience({ control, spins: spinsFor(shared.size, task.cores) });
	const communicator = new ThreadsCommunicator({ shared, rank, control, patience });
	const exchange = communicator.open(ring(rank, shared.size));
	const values = new Float64Array(9);
	for (let round = 0; round < ROUNDS; round += 1) {
		control.beat(rank);
		control.progress[0] = round;
		exchange.begin(values);
		if (rank === task.who && round === task.when) fail(communicator, task.how);
		if (rank !== task.who && task.how === "throws while one computes" && round === task.when) for (;;) values[0]! += 1;
		exchange.finish(values);
		communicator.reduce(values.subarray(0, 3), add);
	}
	communicator.close();
	return rank;
};

function fail(communicator: ThreadsCommunicator, how: FailingTask["how"]): void {
	if (how.startsWith("throws")) throw new Error("no convergence of the universe");
	if (how === "aborts") communicator.abort("has had enough");
	if (how === "exits") process.exit(7);
	if (how === "runs out of memory") {
		const kept: string[][] = [];
		for (;;) kept.push(Array.from({ length: 1000 }, (_, i) => `${kept.length} ${i}`));
	}
	if (how === "waits to be terminated") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000);
}

/** Each rank sends its first block to the next, and receives one from the rank before; with two ranks these are one. */
function ring(rank: number, size: number): HaloPlan {
	const alone = size === 1;
	const neighbours = (other: number) => Int32Array.from(alone ? [] : [(other + size) % size]);
	const start = Int32Array.from(alone ? [0] : [0, 1]);
	return {
		width: 3,
		targets: neighbours(rank + 1),
		sendStart: start,
		send: Int32Array.from(alone ? [] : [0]),
		sources: neighbours(rank - 1),
		receiveStart: start,
		receive: Int32Array.from(alone ? [] : [2]),
	};
}
