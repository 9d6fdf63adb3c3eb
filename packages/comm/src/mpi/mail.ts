/**
 * Messages of any length that need no matching receive to be sent: what goes out is copied into memory of our own, and let go when
 * MPI is done with it. Long ones travel in pieces, since MPI counts bytes with an int.
 */
import { assert } from "@stickslip/core/parallel";
import { type Block, block, type Mpi, STATUS_BYTES } from "./bindings.js";
import { Probe } from "./probe.js";
import type { Waiter } from "./waiter.js";

/** A piece that is shorter than this is the last of its message. */
const PIECE_BYTES = 2 ** 30;
/** Messages on their way before the next one waits for the oldest. */
const PENDING_MAX = 256;

interface Slot {
	readonly memory: Block;
	readonly request: Block;
	to: number;
}

export class Mail {
	readonly #mpi: Mpi;
	readonly #comm: number;
	readonly #waiter: Waiter;
	readonly #probe: Probe;
	readonly #pieceBytes: number;
	readonly #pending: Slot[] = [];
	readonly #free: Slot[] = [];
	readonly #flag = block(8);
	readonly #status = block(STATUS_BYTES);

	constructor(mpi: Mpi, comm: number, waiter: Waiter, pieceBytes = PIECE_BYTES) {
		this.#mpi = mpi;
		this.#comm = comm;
		this.#waiter = waiter;
		this.#probe = new Probe(mpi, comm);
		this.#pieceBytes = pieceBytes;
	}

	send(to: number, tag: number, bytes: Uint8Array): void {
		let offset = 0;
		for (;;) {
			const piece = bytes.subarray(offset, offset + this.#pieceBytes);
			this.#post(to, tag, piece);
			offset += piece.length;
			if (piece.length < this.#pieceBytes) return;
		}
	}

	/** Blocks; the bytes are good until the next call. `rank` and `what` tell who is late with what, should that be so. */
	receive(from: number, tag: number, rank: number, what: string): Uint8Array {
		const first = this.#piece(from, tag, rank, what);
		if (first.length < this.#pieceBytes) return first;
		const pieces = [first.slice()];
		for (let last = first.length; last === this.#pieceBytes; ) {
			const piece = this.#piece(from, tag, rank, what).slice();
			pieces.push(piece);
			last = piece.length;
		}
		const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
		let offset = 0;
		for (const piece of pieces) {
			whole.set(piece, offset);
			offset += piece.length;
		}
		return whole;
	}

	/** Waits until everything sent is out of our hands. */
	flush(): void {
		while (this.#pending.length > 0) this.#settleOldest();
	}

	#piece(from: number, tag: number, rank: number, what: string): Uint8Array {
		this.#waiter.until(() => this.#probe.look(from, tag), rank, what);
		return this.#probe.take();
	}

	#post(to: number, tag: number, piece: Uint8Array): void {
		while (this.#pending.length > 0 && this.#isSettled(this.#pending[0])) this.#retire();
		if (this.#pending.length >= PENDING_MAX) this.#settleOldest();
		const slot = this.#slot(piece.length);
		slot.to = to;
		new Uint8Array(slot.memory.buffer).set(piece);
		const { call, constants } = this.#mpi;
		const code = call.MPI_Isend(slot.memory.at, piece.length, constants.byte, to, tag, this.#comm, slot.request.at);
		this.#mpi.must(code, "MPI_Isend");
		this.#pending.push(slot);
	}

	#slot(bytes: number): Slot {
		const index = this.#free.findIndex(({ memory }) => memory.buffer.byteLength >= bytes);
		const [slot] = index < 0 ? [] : this.#free.splice(index, 1);
		return slot ?? { memory: block(Math.max(256, bytes)), request: this.#mpi.requests(1), to: -1 };
	}

	#settleOldest(): void {
		const slot = this.#pending[0];
		assert(slot !== undefined, "something is pending");
		this.#waiter.until(() => this.#isSettled(slot), slot.to, "the taking of a message");
		this.#retire();
	}

	#isSettled(slot: Slot | undefined): boolean {
		assert(slot !== undefined, "a message is pending");
		this.#mpi.must(this.#mpi.call.MPI_Test(slot.request.at, this.#flag.at, this.#status.at), "MPI_Test");
		return this.#mpi.int(this.#flag) !== 0;
	}

	/** Small slots serve again; large ones are let go. */
	#retire(): void {
		const slot = this.#pending.shift();
		if (slot !== undefined && slot.memory.buffer.byteLength <= 2 ** 20) this.#free.push(slot);
	}
}
