/**
 * Sums and extremes over all ranks. A sum travels as four numbers, its top bin and three bins (assembly/bins.ts), which merge exactly:
 * neither the split of contacts among ranks nor the order of messages changes a bit. Two numbers travel in front: a request to stop, which
 * all ranks learn of in the same reduction, and one number of which all ranks get the largest.
 */
import { BINS } from "../kernels/bin-table.js";
import { type Communicator, type Merge, REDUCE_MAX } from "../parallel/communicator.js";
import { TrafficCount } from "../parallel/traffic.js";

/** Numbers of a sum in memory: top bin, the one of the last sum here, two lanes of each bin. */
export const SUM_NUMBERS = 8;
/** Numbers of a sum on its way. */
const TRAVELLING = 4;

/** Numbers in front of the sums. */
const HEADER = 2;
/** The most sums of one reduction. */
const SUMS_MAX = Math.floor((REDUCE_MAX - HEADER) / TRAVELLING);

/** Keeps the larger numbers of the header, aligns and adds the bins. */
const mergeSums: Merge = (into, from) => {
	for (let i = 0; i < HEADER; i += 1) into[i] = Math.max(into[i]!, from[i]!);
	for (let at = HEADER; at < into.length; at += TRAVELLING) {
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

	/** Totals of `used` sums over all ranks; NaN where no finite number can hold one. Returns the largest of all ranks' `own`. */
	sum(sums: Float64Array, used: number, totals: Float64Array, own = 0): number {
		let largest = own;
		for (let from = 0; from === 0 || from < used; from += SUMS_MAX) {
			largest = this.#sumPart(sums, from, Math.min(used - from, SUMS_MAX), totals, largest);
		}
		return largest;
	}

	#sumPart(sums: Float64Array, first: number, used: number, totals: Float64Array, own: number): number {
		this.#count += 1;
		const message = this.#messages[used] ?? this.#makeMessage(used);
		message[0] = this.request;
		message[1] = own;
		for (let j = 0, from = SUM_NUMBERS * first, to = HEADER; j < used; j += 1, from += SUM_NUMBERS, to += TRAVELLING) {
			message[to] = sums[from]!;
			message[to + 1] = sums[from + 2]! + sums[from + 3]!;
			message[to + 2] = sums[from + 4]! + sums[from + 5]!;
			message[to + 3] = sums[from + 6]! + sums[from + 7]!;
		}
		this.communicator.reduce(message, mergeSums);
		this.stop = message[0];
		for (let j = first, at = HEADER; j < first + used; j += 1, at += TRAVELLING) {
			totals[j] = message[at]! < BINS ? message[at + 1]! + (message[at + 2]! + message[at + 3]!) : Number.NaN;
		}
		return message[1];
	}

	#makeMessage(used: number): Float64Array {
		const message = new Float64Array(HEADER + TRAVELLING * used);
		this.#messages[used] = message;
		return message;
	}

	/** The largest of each number over all ranks. */
	largest(values: Float64Array): void {
		this.#count += 1;
		this.communicator.reduce(values, mergeLargest);
	}
}
