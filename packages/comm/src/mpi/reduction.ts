/**
 * Reductions by recursive doubling. In step k ranks that differ in bit k trade what they have and merge it; a merge is exact, so
 * both hold the same bits afterwards. Ranks beyond the largest power of two hand their numbers to one below it first and get the
 * result in the end. MPI's own reductions take only functions in C, and gathering all numbers everywhere costs size times the bytes.
 *
 * What a step posts is made once per number of numbers: starting a persistent request passes one argument where posting a new one
 * passes seven, which is 30 to 70 ns. Only Open MPI's persistent sends are dearer than its short MPI_Isend, by 100 ns.
 */
import { type Merge, REDUCE_MAX } from "@stickslip/core/parallel";
import { type Block, block, type Mpi } from "./bindings.js";
import { Ring } from "./ring.js";
import type { Waiter } from "./waiter.js";

/** Numbers of numbers whose requests are kept; a solver has a handful. */
const LANES_MAX = 64;

interface Step {
	readonly other: number;
	readonly sends: boolean;
	readonly receives: boolean;
	/** The received message is the result, not a part of it. */
	readonly isResult: boolean;
}

/** A step with its requests, the receive first: they begin at `first` of the lane's; `peers` are at their other ends. */
interface PostedStep extends Step {
	readonly first: number;
	readonly at: number;
	readonly count: number;
	readonly peers: Int32Array;
}

/** Reductions of so many numbers. */
interface Lane {
	readonly steps: readonly PostedStep[];
	readonly requests: Block;
	readonly received: Float64Array;
	readonly isShort: boolean;
}

export class Reduction {
	readonly #mpi: Mpi;
	readonly #startAll: Mpi["call"]["MPI_Startall"];
	readonly #comm: number;
	readonly #waiter: Waiter;
	readonly #plan: readonly Step[];
	readonly #outgoing = block(8 * REDUCE_MAX);
	readonly #incoming = block(8 * REDUCE_MAX);
	readonly #sent = new Float64Array(this.#outgoing.buffer);
	readonly #ring: Ring;
	readonly #ringNumbers: number;
	readonly #lanes = new Map<number, Lane>();
	#tag = -1;
	#lane: Lane | undefined;
	/** How many requests of which step may still be under way, when a wait has failed. */
	#active = 0;
	#step: PostedStep | undefined;
	/** Messages sent so far. */
	messages = 0;

	constructor(mpi: Mpi, comm: number, place: { rank: number; size: number; waiter: Waiter }) {
		this.#mpi = mpi;
		this.#startAll = mpi.call.MPI_Startall;
		this.#comm = comm;
		this.#waiter = place.waiter;
		this.#plan = stepsOf(place.rank, place.size);
		const shortBytes = Math.max(8, mpi.constants.isendBytes);
		this.#ring = new Ring(mpi, comm, shortBytes);
		this.#ringNumbers = shortBytes / 8;
	}

	/** Collective; calls with the same tag have the same number of numbers. */
	run(values: Float64Array, merge: Merge, tag: number, what: string): void {
		const lane = this.#tag === tag && this.#lane !== undefined ? this.#lane : this.#choose(tag, values.length);
		for (let i = 0; i < lane.steps.length; i += 1) {
			const step = lane.steps[i]!;
			this.#trade(values, step, lane, tag, what);
			if (step.isResult) values.set(lane.received);
			else if (step.receives) merge(values, lane.received);
		}
	}

	/** Waits until all sent messages have left. */
	flush(): void {
		this.#waiter.until(() => this.#ring.isSettled(), this.#ring.to, "its receipt of a part of a reduction");
	}

	/** Releases all requests; after a failure some may be active. */
	release(): void {
		if (this.#active > 0 && this.#lane !== undefined && this.#step !== undefined) {
			this.#mpi.withdraw(this.#lane.requests, this.#active, this.#step.first);
		}
		for (const lane of this.#lanes.values()) this.#free(lane);
		this.#lanes.clear();
	}

	#trade(values: Float64Array, step: PostedStep, lane: Lane, tag: number, what: string): void {
		const { length } = values;
		const mpi = this.#mpi;
		let { count } = step;
		if (step.sends) {
			this.messages += 1;
			const slot = lane.isShort ? this.#ring.take() : -1;
			if (slot >= 0) {
				const { numbers } = this.#ring;
				for (let i = 0, to = slot * this.#ringNumbers; i < length; i += 1) numbers[to + i] = values[i]!;
				this.#ring.post(slot, length, mpi.constants.double, step.other, tag);
				if (!step.receives) return;
				count = 1;
			} else {
				const sent = this.#sent;
				for (let i = 0; i < length; i += 1) sent[i] = values[i]!;
			}
		}
		this.#step = step;
		this.#active = count;
		const code = this.#startAll(count, step.at);
		if (code !== 0) mpi.must(code, "MPI_Startall");
		this.#waiter.all(count, step.at, step.peers, what);
		this.#active = 0;
	}

	#choose(tag: number, length: number): Lane {
		let lane = this.#lanes.get(tag);
		if (lane === undefined) {
			if (this.#lanes.size >= LANES_MAX) this.#dropOldest();
			lane = this.#makeLane(tag, length);
			this.#lanes.set(tag, lane);
		}
		this.#tag = tag;
		this.#lane = lane;
		return lane;
	}

	#makeLane(tag: number, length: number): Lane {
		const mpi = this.#mpi;
		const { handleBytes, double, isendBytes } = mpi.constants;
		const requests = mpi.requests(2 * this.#plan.length);
		const steps = this.#plan.map((step, index): PostedStep => {
			const first = 2 * index;
			const at = requests.at + first * handleBytes;
			let count = 0;
			const make = (name: "MPI_Recv_init" | "MPI_Send_init", memory: Block) => {
				const request = at + count * handleBytes;
				mpi.must(mpi.call[name](memory.at, length, double, step.other, tag, this.#comm, request), name);
				count += 1;
			};
			if (step.receives) make("MPI_Recv_init", this.#incoming);
			if (step.sends) make("MPI_Send_init", this.#outgoing);
			return { ...step, first, at, count, peers: Int32Array.of(step.other, step.other) };
		});
		const received = new Float64Array(this.#incoming.buffer, 0, length);
		return { steps, requests, received, isShort: 8 * length <= isendBytes };
	}

	#dropOldest(): void {
		const [oldest] = this.#lanes;
		if (oldest === undefined) return;
		this.#lanes.delete(oldest[0]);
		this.#free(oldest[1]);
	}

	#free({ requests }: Lane): void {
		this.#mpi.free(requests, 2 * this.#plan.length);
	}
}

/** What this rank does in each reduction. */
function stepsOf(rank: number, size: number): Step[] {
	const power = 2 ** Math.floor(Math.log2(size));
	const both = { sends: true, receives: true, isResult: false };
	if (rank >= power) return [{ ...both, other: rank - power, isResult: true }];
	const steps: Step[] = [];
	for (let bit = 1; bit < power; bit *= 2) steps.push({ ...both, other: rank ^ bit });
	if (rank + power >= size) return steps;
	const extra = { other: rank + power, isResult: false };
	return [{ ...extra, sends: false, receives: true }, ...steps, { ...extra, sends: true, receives: false }];
}
