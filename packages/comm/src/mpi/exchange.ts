/**
 * A halo plan on MPI: one message to and from each neighbour, by persistent requests, so that an exchange is one call to begin and
 * one call (or some looks) to finish, however many neighbours there are.
 */
import { assert, type Exchange, type HaloPlan } from "@stickslip/core/parallel";
import { type Block, block, type Mpi } from "./bindings.js";
import { HALO } from "./tags.js";
import type { Waiter } from "./waiter.js";

/** What an exchange needs of its communicator, which allows one at a time and counts. */
export interface ExchangeHost {
	readonly mpi: Mpi;
	readonly comm: number;
	readonly waiter: Waiter;
	begun(exchange: Exchange, messages: number, bytes: number): void;
	finished(exchange: Exchange): void;
	/** Adds seconds to the times of packing and of waiting. */
	spent(pack: number, wait: number): void;
}

export class MpiExchange implements Exchange {
	readonly #host: ExchangeHost;
	readonly #plan: HaloPlan;
	readonly #outgoing: Float64Array;
	readonly #incoming: Float64Array;
	/** Receives first, then sends; neighbours without blocks are left out. */
	readonly #requests: Block;
	readonly #peers: Int32Array;
	readonly #count: number;
	readonly #messages: number;
	/** Numbers that a vector has at least. */
	readonly #valuesMin: number;
	#values: Float64Array | undefined;

	constructor(host: ExchangeHost, plan: HaloPlan, valuesMin: number) {
		this.#valuesMin = valuesMin;
		this.#host = host;
		this.#plan = plan;
		const { mpi, comm } = host;
		const { call, constants } = mpi;
		const incoming = block(8 * plan.width * plan.receive.length);
		const outgoing = block(8 * plan.width * plan.send.length);
		this.#incoming = new Float64Array(incoming.buffer, 0, plan.width * plan.receive.length);
		this.#outgoing = new Float64Array(outgoing.buffer, 0, plan.width * plan.send.length);
		this.#requests = mpi.requests(plan.sources.length + plan.targets.length);
		const peers: number[] = [];
		const set = (name: "MPI_Recv_init" | "MPI_Send_init", memory: Block, ranks: Int32Array, starts: Int32Array) => {
			for (const [index, rank] of ranks.entries()) {
				const start = plan.width * (starts[index] ?? 0);
				const length = plan.width * (starts[index + 1] ?? 0) - start;
				if (length === 0) continue;
				const request = this.#requests.at + peers.length * constants.handleBytes;
				mpi.must(call[name](memory.at + 8 * start, length, constants.double, rank, HALO, comm, request), name);
				peers.push(rank);
			}
		};
		set("MPI_Recv_init", incoming, plan.sources, plan.receiveStart);
		const receives = peers.length;
		set("MPI_Send_init", outgoing, plan.targets, plan.sendStart);
		this.#peers = Int32Array.from(peers);
		this.#count = peers.length;
		this.#messages = peers.length - receives;
	}

	begin(values: Float64Array): void {
		const before = performance.now();
		assert(values.length >= this.#valuesMin, "a vector has the places of its plan");
		this.#host.begun(this, this.#messages, this.#outgoing.byteLength);
		this.#values = values;
		const { width, send } = this.#plan;
		const outgoing = this.#outgoing;
		for (let i = 0, to = 0; i < send.length; i += 1) {
			const from = width * send[i]!;
			for (let k = 0; k < width; k += 1) outgoing[to++] = values[from + k]!;
		}
		const { mpi } = this.#host;
		if (this.#count > 0) mpi.must(mpi.call.MPI_Startall(this.#count, this.#requests.at), "MPI_Startall");
		this.#host.spent(performance.now() - before, 0);
	}

	finish(values: Float64Array): void {
		assert(this.#values === values, "an exchange is finished on the vector that it was begun with");
		const before = performance.now();
		if (this.#count > 0) this.#host.waiter.all(this.#count, this.#requests.at, this.#peers, "its blocks of the halo");
		const arrived = performance.now();
		const { width, receive } = this.#plan;
		const incoming = this.#incoming;
		for (let i = 0, from = 0; i < receive.length; i += 1) {
			const to = width * receive[i]!;
			for (let k = 0; k < width; k += 1) values[to + k] = incoming[from++]!;
		}
		this.#values = undefined;
		this.#host.finished(this);
		this.#host.spent(performance.now() - arrived, arrived - before);
	}

	/** Lets go of the requests, which a failure may have left under way. */
	release(): void {
		const { mpi } = this.#host;
		if (this.#values !== undefined) mpi.withdraw(this.#requests, this.#count);
		else this.#free();
	}

	#free(): void {
		const { mpi } = this.#host;
		for (let i = 0; i < this.#count; i += 1) {
			const request = this.#requests.at + i * mpi.constants.handleBytes;
			mpi.must(mpi.call.MPI_Request_free(request), "MPI_Request_free");
		}
	}
}
