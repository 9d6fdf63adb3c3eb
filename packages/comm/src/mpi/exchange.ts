/**
 * A halo plan on MPI: one message to and from each neighbour, by persistent requests, so that an exchange is one call to begin and
 * one call (or some looks) to finish, however many neighbours there are.
 */
import { assert, type Exchange, type HaloPlan } from "@stickslip/core/parallel";
import { pack, packRun, runOf, unpack } from "../base/blocks.js";
import { type Block, block, type Mpi } from "./bindings.js";
import { isSample } from "./sample.js";
import { HALO } from "./tags.js";
import type { Waiter } from "./waiter.js";

/**
 * Memory whose address C keeps, for all plans of a communicator: only one exchange is in progress at a time, and it ends when the library has sent
 * everything. A library with a fast network pins such memory when it is first used.
 */
export class PinnedMemory {
	#block = block(0);

	/** At least this many bytes; plans that were opened before a longer one keep the smaller memory. */
	room(bytes: number): Block {
		const { byteLength } = this.#block.buffer;
		if (byteLength < bytes) this.#block = block(Math.max(bytes, 2 * byteLength));
		return this.#block;
	}
}

/** What an exchange needs from its communicator, which allows one at a time and counts them. */
export interface ExchangeHost {
	readonly mpi: Mpi;
	readonly comm: number;
	readonly waiter: Waiter;
	readonly incoming: PinnedMemory;
	readonly outgoing: PinnedMemory;
	onBegin(exchange: Exchange, messages: number, bytes: number): void;
	onFinish(exchange: Exchange): void;
	/** Releases it, unless that was done before. */
	onClose(exchange: MpiExchange): void;
	/** Adds milliseconds to the times of packing and of waiting. */
	addTimes(pack: number, wait: number): void;
}

/** Beyond it reading the clock twice does not matter. */
const SHORT_BYTES = 16_384;

export class MpiExchange implements Exchange {
	readonly #host: ExchangeHost;
	readonly #startAll: Mpi["call"]["MPI_Startall"];
	readonly #plan: HaloPlan;
	readonly #outgoing: Float64Array;
	readonly #incoming: Float64Array;
	/** Receives first, then sends; neighbours without blocks are left out. */
	readonly #requests: Block;
	readonly #peers: Int32Array;
	readonly #count: number;
	readonly #messages: number;
	/** Where leaving and arriving blocks begin, if they follow one another. */
	readonly #sendRun: number;
	readonly #receiveRun: number;
	readonly #sentBytes: number;
	readonly #isLong: boolean;
	/** The time of the last timed exchange, in milliseconds, without long waits. */
	#packMs = 0;
	#waitMs = 0;
	#index = 0;
	#isClosed = false;
	#isTimed = false;
	/** The least length of a vector. */
	readonly #valuesMin: number;
	#values: Float64Array | undefined;

	constructor(host: ExchangeHost, plan: HaloPlan, valuesMin: number) {
		this.#valuesMin = valuesMin;
		this.#host = host;
		this.#startAll = host.mpi.call.MPI_Startall;
		this.#plan = plan;
		const { mpi, comm } = host;
		const { call, constants } = mpi;
		const incoming = host.incoming.room(8 * plan.width * plan.receive.length);
		const outgoing = host.outgoing.room(8 * plan.width * plan.send.length);
		this.#incoming = new Float64Array(incoming.buffer, 0, plan.width * plan.receive.length);
		this.#outgoing = new Float64Array(outgoing.buffer, 0, plan.width * plan.send.length);
		this.#sendRun = runOf(plan.send);
		this.#receiveRun = runOf(plan.receive);
		this.#sentBytes = this.#outgoing.byteLength;
		this.#isLong = this.#incoming.byteLength + this.#outgoing.byteLength > SHORT_BYTES;
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
		assert(!this.#isClosed, "a closed exchange is not used");
		assert(values.length >= this.#valuesMin, "a vector has the places of its plan");
		this.#host.onBegin(this, this.#messages, this.#sentBytes);
		this.#isTimed = this.#isLong || isSample(this.#index);
		this.#index += 1;
		const before = this.#isTimed ? performance.now() : 0;
		this.#values = values;
		const { send, width } = this.#plan;
		if (this.#sendRun < 0) pack(values, send, 0, send.length, width, this.#outgoing);
		else packRun(values, this.#outgoing, this.#sendRun, width);
		const { mpi } = this.#host;
		if (this.#count > 0) {
			const code = this.#startAll(this.#count, this.#requests.at);
			if (code !== 0) mpi.must(code, "MPI_Startall");
		}
		if (this.#isTimed) this.#packMs = performance.now() - before;
	}

	finish(values: Float64Array): void {
		assert(this.#values === values, "an exchange is finished on the vector that it was begun with");
		const { waiter } = this.#host;
		const isTimed = this.#isTimed;
		const before = isTimed ? performance.now() : 0;
		const longBefore = waiter.longSeconds;
		if (this.#count > 0) waiter.all(this.#count, this.#requests.at, this.#peers, "its blocks of the halo");
		const arrived = isTimed ? performance.now() : 0;
		const { width, receive } = this.#plan;
		if (this.#receiveRun < 0) unpack(values, receive, 0, receive.length, width, this.#incoming);
		else values.set(this.#incoming, width * this.#receiveRun);
		this.#values = undefined;
		this.#host.onFinish(this);
		const longMs = 1000 * (waiter.longSeconds - longBefore);
		if (isTimed) {
			this.#packMs += performance.now() - arrived;
			this.#waitMs = Math.max(0, arrived - before - longMs);
		}
		this.#host.addTimes(this.#packMs, this.#waitMs + longMs);
	}

	close(): void {
		this.#host.onClose(this);
		this.#isClosed = true;
	}

	/** Releases the requests, which may still be active after a failure. */
	release(): void {
		const { mpi } = this.#host;
		if (this.#values !== undefined) mpi.withdraw(this.#requests, this.#count);
		else mpi.free(this.#requests, this.#count);
	}
}
