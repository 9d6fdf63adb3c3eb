/**
 * Ranks as threads of one process that communicate through shared memory alone: a message is written where the other rank reads it, and
 * a counter announces it. See threads/shared.ts for the layout, rounds.ts for collective calls, links.ts for halos, wakeups.ts
 * for sleeping.
 *
 * A reduction counts one message: the slot that the rank writes once for all.
 */
import {
	assert,
	type Communicator,
	type Exchange,
	type HaloPlan,
	type Merge,
	REDUCE_MAX,
	type Traffic,
} from "@stickslip/core/parallel";
import type { Control } from "../base/control.js";
import { Counters } from "../base/counters.js";
import type { Patience } from "../base/patience.js";
import { checkPlan } from "../base/plan-check.js";
import { type Common, type Side, STAGED_MIN, ThreadsExchange } from "./exchange.js";
import { Link } from "./links.js";
import { BARRIER, BROADCAST, GATHER, OPENING, REDUCTION, Rounds } from "./rounds.js";
import { ANNOUNCED_BLOCKS, layoutOf, type ThreadsShared } from "./shared.js";
import { Wakeups } from "./wakeups.js";

export { shareThreads, type ThreadsOptions, type ThreadsShared } from "./shared.js";

/** Bytes that travel in one round. */
const CHUNK_BYTES = 8 * REDUCE_MAX;
const BYTES_MAX = 2 ** 32 - 1;
/** Views of slots are kept for so many lengths of reductions; a solver has two or three. */
const VIEWS_MAX = 64;

export interface ThreadsCommunicatorOptions {
	readonly shared: ThreadsShared;
	readonly rank: number;
	readonly control: Control;
	readonly patience: Patience;
	/** What rank 0 is called in errors, where these threads are some of a larger run's ranks. */
	readonly firstRank?: number;
}

export class ThreadsCommunicator implements Communicator {
	readonly rank: number;
	readonly size: number;
	readonly transport = "threads";
	readonly #words: Int32Array;
	readonly #bytes: Uint8Array;
	readonly #control: Control;
	readonly #rounds: Rounds;
	readonly #common: Common;
	readonly #counters = new Counters();
	readonly #nameOf: (rank: number) => number;
	readonly #outgoing: readonly Link[];
	readonly #incoming: readonly Link[];
	/** By length: the slots of both parities and all ranks. */
	readonly #views = new Map<number, readonly Float64Array[]>();
	#openings = 0;
	#isClosed = false;

	constructor({ shared, rank, control, patience, firstRank = 0 }: ThreadsCommunicatorOptions) {
		const { size } = shared;
		assert(Number.isInteger(rank) && rank >= 0 && rank < size, `a rank is below ${size}`);
		this.rank = rank;
		this.size = size;
		this.#control = control;
		this.#nameOf = (other) => (other < 0 ? other : firstRank + other);
		this.#words = new Int32Array(shared.words);
		this.#bytes = new Uint8Array(shared.slots);
		const layout = layoutOf(size);
		const wakeups = new Wakeups(this.#words, layout, size, rank);
		this.#rounds = new Rounds({ shared, words: this.#words, rank, wakeups, patience, nameOf: this.#nameOf });
		const ranks = Array.from({ length: size }, (_, other) => other);
		this.#outgoing = ranks.map((other) => new Link(other, shared, this.#words, layout.pair(rank, other)));
		this.#incoming = ranks.map((other) => new Link(other, shared, this.#words, layout.pair(other, rank)));
		const { strict } = shared;
		const check = () => this.#check();
		this.#common = {
			counters: this.#counters,
			wakeups,
			patience,
			strict,
			nameOf: this.#nameOf,
			check,
			underWay: undefined,
		};
	}

	get traffic(): Traffic {
		return this.#counters.traffic();
	}

	open(plan: HaloPlan): Exchange {
		this.#check();
		assert(this.#common.underWay === undefined, "no plan is opened during an exchange");
		const numbersMin = checkPlan(plan, this.rank, this.size);
		const targets = sidesOf(this.#outgoing, plan.targets, plan.sendStart, plan.width);
		const sources = sidesOf(this.#incoming, plan.sources, plan.receiveStart, 0);
		this.#agree(plan.width, targets, sources);
		const hasBlocks = ({ from, to }: Side) => to > from;
		return new ThreadsExchange(this.#common, plan, targets.filter(hasBlocks), sources.filter(hasBlocks), numbersMin);
	}

	reduce(values: Float64Array, merge: Merge): void {
		assert(values.length <= REDUCE_MAX, "a reduction has its limit");
		this.#check();
		const start = performance.now();
		const { rank, size } = this;
		const { length } = values;
		const parity = this.#rounds.next();
		const slots = this.#views.get(length) ?? this.#view(length);
		slots[parity * size + rank]!.set(values);
		this.#rounds.meet(REDUCTION, length, length);
		for (let other = 0; other < size; other += 1) {
			if (other !== rank) merge(values, slots[parity * size + other]!);
		}
		const counters = this.#counters;
		counters.reductions += 1;
		if (size > 1) {
			counters.messages += 1;
			counters.bytes += 8 * length;
		}
		counters.reduce += performance.now() - start;
	}

	broadcast(bytes: Uint8Array | undefined, root: number): Uint8Array {
		this.#check();
		assert(Number.isInteger(root) && root >= 0 && root < this.size, `root is below ${this.size}`);
		const isRoot = this.rank === root;
		assert(!isRoot || (bytes !== undefined && bytes.length <= BYTES_MAX), "root has less than 4 GiB to send");
		let received = isRoot ? bytes?.slice() : undefined;
		let offset = 0;
		do {
			const parity = this.#rounds.next();
			if (isRoot && received !== undefined) this.#write(parity, received, offset);
			this.#rounds.meet(BROADCAST, root, received?.length ?? 0);
			received ??= new Uint8Array(this.#rounds.length(root));
			if (!isRoot) this.#read(parity, root, received, offset);
			offset += CHUNK_BYTES;
		} while (offset < received.length);
		return received;
	}

	gather(bytes: Uint8Array, root: number): Uint8Array[] | undefined {
		this.#check();
		assert(Number.isInteger(root) && root >= 0 && root < this.size, `root is below ${this.size}`);
		assert(bytes.length <= BYTES_MAX, "a rank has less than 4 GiB to send");
		const gathered: Uint8Array[] = [];
		let longest = 0;
		let offset = 0;
		do {
			const parity = this.#rounds.next();
			this.#write(parity, bytes, offset);
			this.#rounds.meet(GATHER, root, bytes.length);
			for (let other = 0; other < this.size; other += 1) {
				const length = this.#rounds.length(other);
				longest = Math.max(longest, length);
				if (this.rank !== root) continue;
				const received = gathered[other] ?? new Uint8Array(length);
				gathered[other] = received;
				this.#read(parity, other, received, offset);
			}
			offset += CHUNK_BYTES;
		} while (offset < longest);
		return this.rank === root ? gathered : undefined;
	}

	barrier(): void {
		this.#check();
		this.#rounds.next();
		this.#rounds.meet(BARRIER, 0, 0);
	}

	poll(): void {
		this.#check();
	}

	abort(reason: string): void {
		this.#control.abort(this.#nameOf(this.rank), reason);
	}

	close(): void {
		assert(this.#common.underWay === undefined, "an exchange was begun and not finished");
		this.#isClosed = true;
		this.#views.clear();
	}

	#check(): void {
		assert(!this.#isClosed, "the communicator is closed");
		this.#control.check();
	}

	/** Senders provide rooms and say how much they will send; receivers find the rooms, and find that it is what they expect. */
	#agree(width: number, targets: readonly Side[], sources: readonly Side[]): void {
		const { announced } = layoutOf(this.size);
		const parity = this.#openings & 1;
		this.#openings += 1;
		const words = this.#words;
		for (let other = 0; other < this.size; other += 1) {
			words[announced(parity, this.rank, other) + ANNOUNCED_BLOCKS] = 0;
		}
		for (const { link, from, to } of targets) {
			link.announce(announced(parity, this.rank, link.other), to - from, width);
		}
		this.#rounds.next();
		this.#rounds.meet(OPENING, width, 0);
		const expected = new Int32Array(this.size);
		for (const { link, from, to } of sources) {
			link.find(announced(parity, link.other, this.rank));
			expected[link.other] = to - from;
		}
		for (const [other, blocks] of expected.entries()) {
			const sent = words[announced(parity, other, this.rank) + ANNOUNCED_BLOCKS];
			assert(sent === blocks, `rank ${other} sends ${sent} blocks to rank ${this.rank}, which expects ${blocks}`);
		}
	}

	#view(length: number): readonly Float64Array[] {
		if (this.#views.size >= VIEWS_MAX) this.#views.clear();
		const { size } = this;
		const slots = Array.from({ length: 2 * size }, (_, i) =>
			this.#rounds.numbers(Math.floor(i / size), i % size, length),
		);
		this.#views.set(length, slots);
		return slots;
	}

	#write(parity: number, bytes: Uint8Array, offset: number): void {
		this.#bytes.set(bytes.subarray(offset, offset + CHUNK_BYTES), this.#rounds.start(parity, this.rank));
	}

	#read(parity: number, rank: number, bytes: Uint8Array, offset: number): void {
		const length = Math.min(CHUNK_BYTES, bytes.length - offset);
		const start = this.#rounds.start(parity, rank);
		if (length > 0) bytes.set(this.#bytes.subarray(start, start + length), offset);
	}
}

/** `width` is that of blocks that are sent; 0 for those that are received, which are not staged. */
function sidesOf(links: readonly Link[], ranks: Int32Array, start: Int32Array, width: number): Side[] {
	const sides: Side[] = [];
	for (let i = 0; i < ranks.length; i += 1) {
		const [from, to] = [start[i]!, start[i + 1]!];
		const numbers = width * (to - from);
		const staging = numbers < STAGED_MIN ? undefined : new Float64Array(numbers);
		sides.push({ link: links[ranks[i]!]!, from, to, staging });
	}
	return sides;
}
