/**
 * Sums and extremes over all ranks. A sum travels as four numbers, its top bin and three bins (assembly/bins.ts), which merge exactly:
 * neither the split of contacts among ranks nor the order of messages changes a bit. In front travels one number more, a request
 * to stop: ranks that ask for it and ranks that do not all learn of it in the same reduction.
 */
import { BINS } from "../kernels/bin-table.js";
import type { Communicator, Merge } from "../parallel/communicator.js";
import { TrafficCount } from "../parallel/traffic.js";

/** Numbers of a sum in memory: top bin, the one of the last sum here, two lanes of each bin. */
export const SUM_NUMBERS = 8;
/** Numbers of a sum on its way. */
const TRAVELLING = 4;

/** Takes the larger request, and aligns and adds the bins. */
const mergeSums: Merge = (into, from) => {
	into[0] = Math.max(into[0]!, from[0]!);
	for (let at = 1; at < into.length; at += TRAVELLING) {
		const other = from[at]!;
		const steps = other - into[at]!;
		if (steps > 0) {
			// Bins that leave the window at its lower end are dropped, as they would have been had the terms come together.
			into[at + 3] = steps === 1 ? into[at + 2]! : steps === 2 ? into[at + 1]! : 0;
			into[at + 2] = steps === 1 ? into[at + 1]! : 0;
			into[at + 1] = 0;
			into[at] = other;
		}
		const lower = into[at]! - other;
		for (let bin = lower; bin < 3; bin += 1) into[at + 1 + bin]! += from[at + 1 + bin - lower]!;
	}
};

const mergeLargest: Merge = (into, from) => {
	for (let i = 0; i < into.length; i += 1) into[i] = Math.max(into[i]!, from[i]!);
};

export class Reducer {
	/** What this rank asks of all: 0 for nothing; the largest request is what happens. */
	request = 0;
	/** The request that all ranks have learnt of. */
	stop = 0;
	readonly communicator: Communicator;
	/** What was exchanged over it since a solve began. */
	readonly counter: TrafficCount;
	/** Messages by their number of sums. */
	readonly #messages: Float64Array[] = [];
	#count = 0;

	constructor(communicator: Communicator) {
		this.communicator = communicator;
		this.counter = new TrafficCount(communicator);
	}

	/** Reductions done so far. */
	get count(): number {
		return this.#count;
	}

	/** Totals of `used` sums over all ranks; what no finite number can hold is not a number. */
	sum(sums: Float64Array, used: number, totals: Float64Array): void {
		this.#count += 1;
		const message = this.#messages[used] ?? this.#makeMessage(used);
		message[0] = this.request;
		for (let j = 0, from = 0, to = 1; j < used; j += 1, from += SUM_NUMBERS, to += TRAVELLING) {
			message[to] = sums[from]!;
			message[to + 1] = sums[from + 2]! + sums[from + 3]!;
			message[to + 2] = sums[from + 4]! + sums[from + 5]!;
			message[to + 3] = sums[from + 6]! + sums[from + 7]!;
		}
		this.communicator.reduce(message, mergeSums);
		this.stop = message[0];
		for (let j = 0, at = 1; j < used; j += 1, at += TRAVELLING) {
			totals[j] = message[at]! < BINS ? message[at + 1]! + (message[at + 2]! + message[at + 3]!) : Number.NaN;
		}
	}

	#makeMessage(used: number): Float64Array {
		const message = new Float64Array(1 + TRAVELLING * used);
		this.#messages[used] = message;
		return message;
	}

	/** The largest of each number over all ranks. */
	largest(values: Float64Array): void {
		this.#count += 1;
		this.communicator.reduce(values, mergeLargest);
	}
}
