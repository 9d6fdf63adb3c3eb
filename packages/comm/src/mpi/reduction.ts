/**
 * Reductions by recursive doubling. In step k ranks that differ in bit k trade what they have and merge it; a merge is exact, so
 * both hold the same bits afterwards. Ranks beyond the largest power of two hand their numbers to one below it first and get the
 * result in the end. MPI's own reductions take only functions in C, and gathering all numbers everywhere costs size times the bytes.
 */
import { type Merge, REDUCE_MAX } from "@stickslip/core/parallel";
import { type Block, block, type Mpi } from "./bindings.js";
import type { Waiter } from "./waiter.js";

export class Reduction {
	readonly #mpi: Mpi;
	readonly #comm: number;
	readonly #rank: number;
	readonly #waiter: Waiter;
	/** Below it are the ranks that double; the others are `extra`. */
	readonly #power: number;
	readonly #extra: number;
	readonly #outgoing = block(8 * REDUCE_MAX);
	readonly #incoming = block(8 * REDUCE_MAX);
	readonly #sent = new Float64Array(this.#outgoing.buffer);
	readonly #requests: Block;
	readonly #peers = new Int32Array(2);
	/** A view of as many numbers as the last reduction had. */
	#received = new Float64Array(this.#incoming.buffer, 0, 0);
	/** Messages sent so far. */
	messages = 0;

	constructor(mpi: Mpi, comm: number, place: { rank: number; size: number; waiter: Waiter }) {
		this.#mpi = mpi;
		this.#comm = comm;
		this.#rank = place.rank;
		this.#waiter = place.waiter;
		this.#power = 2 ** Math.floor(Math.log2(place.size));
		this.#extra = place.size - this.#power;
		this.#requests = mpi.requests(2);
	}

	run(values: Float64Array, merge: Merge, tag: number, what: string): void {
		const rank = this.#rank;
		const power = this.#power;
		const length = values.length;
		if (this.#received.length !== length) this.#received = new Float64Array(this.#incoming.buffer, 0, length);
		if (rank >= power) {
			this.#trade(values, rank - power, true, true, tag, what);
			values.set(this.#received);
			return;
		}
		if (rank < this.#extra) {
			this.#trade(values, rank + power, false, true, tag, what);
			merge(values, this.#received);
		}
		for (let bit = 1; bit < power; bit *= 2) {
			this.#trade(values, rank ^ bit, true, true, tag, what);
			merge(values, this.#received);
		}
		if (rank < this.#extra) this.#trade(values, rank + power, true, false, tag, what);
	}

	/** Sends our numbers, receives the other's, or both. */
	#trade(values: Float64Array, other: number, sends: boolean, receives: boolean, tag: number, what: string): void {
		const { call, constants } = this.#mpi;
		const { length } = values;
		const first = this.#requests.at;
		let count = 0;
		if (receives) {
			const code = call.MPI_Irecv(this.#incoming.at, length, constants.double, other, tag, this.#comm, first);
			if (code !== 0) this.#mpi.must(code, "MPI_Irecv");
			count = 1;
		}
		if (sends) {
			const sent = this.#sent;
			for (let i = 0; i < length; i += 1) sent[i] = values[i]!;
			const request = first + count * constants.handleBytes;
			const code = call.MPI_Isend(this.#outgoing.at, length, constants.double, other, tag, this.#comm, request);
			if (code !== 0) this.#mpi.must(code, "MPI_Isend");
			count += 1;
			this.messages += 1;
		}
		this.#peers[0] = other;
		this.#peers[1] = other;
		this.#waiter.all(count, first, this.#peers, what);
	}

	/** After a failure: what was posted is withdrawn. */
	withdraw(): void {
		this.#mpi.withdraw(this.#requests, 2);
	}
}
