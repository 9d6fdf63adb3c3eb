/**
 * Numbers on their way between any two ranks, over the exchanges that every communicator has. They go in rounds of limited size, so that
 * neither side holds more than it has to: who sends makes its records round by round, and who receives puts them away.
 */
import type { Communicator, Exchange, HaloPlan } from "./communicator.js";
import { emptyPlan } from "./halo-plans.js";

/** Numbers that a rank sends in a round, but for a last record that is longer. */
const ROUND_NUMBERS = 2 ** 15;

/** The records of one round by target: lists of numbers that grow. */
export class Outbox {
	/** Numbers of all records. */
	length = 0;
	readonly #lists: Float64Array[];
	readonly #lengths: Int32Array;

	constructor(ranks: number) {
		this.#lists = Array.from({ length: ranks }, () => new Float64Array(0));
		this.#lengths = new Int32Array(ranks);
	}

	get isFull(): boolean {
		return this.length >= ROUND_NUMBERS;
	}

	/** Room for a record of so many numbers to a rank: the caller writes all of them, before it asks for more room. */
	record(to: number, numbers: number): Float64Array {
		const from = this.#lengths[to]!;
		if (this.#lists[to]!.length < from + numbers) {
			const longer = new Float64Array(Math.max(from + numbers, 2 * this.#lists[to]!.length, 1024));
			longer.set(this.#lists[to]!.subarray(0, from));
			this.#lists[to] = longer;
		}
		this.#lengths[to] = from + numbers;
		this.length += numbers;
		return this.#lists[to]!.subarray(from, from + numbers);
	}

	of(to: number): Float64Array {
		return this.#lists[to]!.subarray(0, this.#lengths[to]!);
	}

	clear(): void {
		this.length = 0;
		this.#lengths.fill(0);
	}
}

/** Writes records until the outbox is full; false when there are no more. */
export type Producer = (outbox: Outbox) => boolean;

/** Takes all records of one round that came from one rank; they are overwritten after that. */
export type Consumer = (records: Float64Array, from: number) => void;

/** Collective. Moves what all ranks produce to those that it is for, in the order of their ranks in each round; this rank's own included. */
export function moveRecords(communicator: Communicator, produce: Producer, consume: Consumer): void {
	const { rank, size } = communicator;
	const outbox = new Outbox(size);
	const lengths = new RoundLengths(communicator);
	const rounds = new Rounds(communicator);
	for (let isMore = true; isMore; ) {
		outbox.clear();
		const hasMore = produce(outbox);
		isMore = lengths.tell(outbox, hasMore);
		const { values, starts } = rounds.exchange(outbox, lengths);
		for (let from = 0; from < size; from += 1) {
			const records =
				from === rank ? outbox.of(rank) : values.subarray(starts[from]!, starts[from]! + lengths.of(from));
			if (records.length > 0) consume(records, from);
		}
	}
	lengths.close();
}

/** How much comes from whom in a round, and whether anybody has more. */
class RoundLengths {
	readonly #size: number;
	readonly #rank: number;
	readonly #exchange: Exchange;
	/** To each rank, and behind that from each: twice the length, and one more where there is more. */
	readonly #numbers: Float64Array;

	constructor(communicator: Communicator) {
		this.#size = communicator.size;
		this.#rank = communicator.rank;
		const others = Int32Array.from({ length: this.#size }, (_, rank) => rank).filter((rank) => rank !== this.#rank);
		const start = Int32Array.from({ length: others.length + 1 }, (_, i) => i);
		const back = others.map((rank) => this.#size + rank);
		const sides = { targets: others, sendStart: start, send: others };
		const plan = { width: 1, ...sides, sources: others, receiveStart: start, receive: back };
		this.#exchange = communicator.open(plan);
		this.#numbers = new Float64Array(2 * this.#size);
	}

	/** Collective. */
	tell(outbox: Outbox, hasMore: boolean): boolean {
		const numbers = this.#numbers;
		for (let to = 0; to < this.#size; to += 1) numbers[to] = 2 * outbox.of(to).length + (hasMore ? 1 : 0);
		numbers[this.#size + this.#rank] = hasMore ? 1 : 0;
		this.#exchange.begin(numbers);
		this.#exchange.finish(numbers);
		return numbers.subarray(this.#size).some((each) => each % 2 === 1);
	}

	/** From another rank. */
	of(from: number): number {
		return Math.floor(this.#numbers[this.#size + from]! / 2);
	}

	close(): void {
		this.#exchange.close();
	}
}

/** The exchange of each round, which has a plan of its own. */
class Rounds {
	readonly #communicator: Communicator;
	#values = new Float64Array(0);
	/** 0, 1, 2, ...: what is sent and received stands side by side. */
	#places = new Int32Array(0);

	constructor(communicator: Communicator) {
		this.#communicator = communicator;
	}

	/** Collective. Where the records of each rank start in `values`. */
	exchange(outbox: Outbox, lengths: RoundLengths) {
		const { rank, size } = this.#communicator;
		const others = Array.from({ length: size }, (_, other) => other).filter((other) => other !== rank);
		const targets = others.filter((to) => outbox.of(to).length > 0);
		const sources = others.filter((from) => lengths.of(from) > 0);
		const sent = startsOf(targets.map((to) => outbox.of(to).length));
		const received = startsOf(sources.map((from) => lengths.of(from)));
		const end = sent.at(-1)! + received.at(-1)!;
		this.#makeRoom(end);
		const values = this.#values;
		for (const [i, to] of targets.entries()) values.set(outbox.of(to), sent[i]!);
		const places = this.#places;
		const plan: HaloPlan = {
			...emptyPlan(1),
			targets: Int32Array.from(targets),
			sendStart: sent,
			send: places.subarray(0, sent.at(-1)!),
			sources: Int32Array.from(sources),
			receiveStart: received,
			receive: places.subarray(sent.at(-1)!, end),
		};
		const exchange = this.#communicator.open(plan);
		exchange.begin(values);
		exchange.finish(values);
		exchange.close();
		const starts = new Int32Array(size);
		for (const [i, from] of sources.entries()) starts[from] = sent.at(-1)! + received[i]!;
		return { values, starts };
	}

	#makeRoom(numbers: number): void {
		if (this.#values.length >= numbers) return;
		const room = Math.max(numbers, 2 * this.#values.length, 1024);
		this.#values = new Float64Array(room);
		this.#places = new Int32Array(room);
		for (let i = 0; i < room; i += 1) this.#places[i] = i;
	}
}

function startsOf(lengths: readonly number[]): Int32Array {
	const starts = new Int32Array(lengths.length + 1);
	for (const [i, length] of lengths.entries()) starts[i + 1] = starts[i]! + length;
	return starts;
}
