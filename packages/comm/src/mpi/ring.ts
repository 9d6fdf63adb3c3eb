/**
 * Short messages on their way. Each is copied to a slot of its own and posted by MPI_Isend; whether they have left is only asked once
 * for all slots, when they have all been used: that saves a call per message, and a short message has nearly always left by then.
 */
import { type Block, block, type Mpi } from "./bindings.js";

const SLOTS = 32;

export class Ring {
	/** The slots' memory: slot i begins at byte `slotBytes * i`. */
	readonly bytes: Uint8Array;
	readonly numbers: Float64Array;
	readonly #mpi: Mpi;
	/** Kept here, since looking a function up by name takes as long as a cheap call. */
	readonly #isend: Mpi["call"]["MPI_Isend"];
	readonly #comm: number;
	readonly #slotBytes: number;
	readonly #memory: Block;
	readonly #requests: Block;
	readonly #flag = block(8);
	readonly #done = new Int32Array(this.#flag.buffer);
	#next = 0;
	/** The receiver of the last message. */
	to = -1;

	constructor(mpi: Mpi, comm: number, slotBytes: number) {
		this.#mpi = mpi;
		this.#isend = mpi.call.MPI_Isend;
		this.#comm = comm;
		this.#slotBytes = slotBytes;
		this.#memory = block(SLOTS * slotBytes);
		this.bytes = new Uint8Array(this.#memory.buffer);
		this.numbers = new Float64Array(this.#memory.buffer);
		this.#requests = mpi.requests(SLOTS);
	}

	/** A slot to fill and to post, or -1 as long as none is free. */
	take(): number {
		if (this.#next === SLOTS) {
			if (!this.isSettled()) return -1;
			this.#next = 0;
		}
		const slot = this.#next;
		this.#next = slot + 1;
		return slot;
	}

	post(slot: number, count: number, type: number, to: number, tag: number): void {
		const at = this.#memory.at + slot * this.#slotBytes;
		const request = this.#requests.at + slot * this.#mpi.constants.handleBytes;
		this.to = to;
		const code = this.#isend(at, count, type, to, tag, this.#comm, request);
		if (code !== 0) this.#mpi.must(code, "MPI_Isend");
	}

	/** Whether all posted messages have left. */
	isSettled(): boolean {
		const { call, constants } = this.#mpi;
		this.#mpi.must(call.MPI_Testall(SLOTS, this.#requests.at, this.#flag.at, constants.statusesIgnore), "MPI_Testall");
		return this.#done[0] !== 0;
	}
}
