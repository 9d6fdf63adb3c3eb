/** Probes for a message and receives it in one step: if two threads probe for the same message, one of them gets it. */
import { type Block, block, type Mpi, STATUS_BYTES } from "./bindings.js";

export class Probe {
	readonly #mpi: Mpi;
	readonly #comm: number;
	readonly #flag = block(8);
	readonly #isThere = new Int32Array(this.#flag.buffer);
	readonly #message = block(8);
	readonly #status = block(STATUS_BYTES);
	readonly #count = block(8);
	#inbox: Block = block(4096);

	constructor(mpi: Mpi, comm: number) {
		this.#mpi = mpi;
		this.#comm = comm;
	}

	/** True if a message has arrived; `take` has to follow. */
	look(from: number, tag: number): boolean {
		const { call } = this.#mpi;
		this.#isThere[0] = 0;
		const code = call.MPI_Improbe(from, tag, this.#comm, this.#flag.at, this.#message.at, this.#status.at);
		this.#mpi.must(code, "MPI_Improbe");
		return this.#isThere[0] !== 0;
	}

	/** The message that `look` found, a short one, in memory that the next one overwrites. */
	take(): Uint8Array {
		const bytes = this.count();
		if (this.#inbox.buffer.byteLength < bytes) this.#inbox = block(2 * bytes);
		const { call, constants } = this.#mpi;
		const at = this.#inbox.at;
		this.#mpi.must(call.MPI_Mrecv(at, bytes, constants.byte, this.#message.at, this.#status.at), "MPI_Mrecv");
		return new Uint8Array(this.#inbox.buffer, 0, bytes);
	}

	/** Bytes of the message that `look` found. */
	count(): number {
		const { call, constants } = this.#mpi;
		this.#mpi.must(call.MPI_Get_count(this.#status.at, constants.byte, this.#count.at), "MPI_Get_count");
		return this.#mpi.int(this.#count);
	}

	/** Begins to receive it into the caller's memory: a long message only arrives while its sender is in the library too. */
	begin(at: number, bytes: number, requestAt: number): void {
		const { call, constants } = this.#mpi;
		this.#mpi.must(call.MPI_Imrecv(at, bytes, constants.byte, this.#message.at, requestAt), "MPI_Imrecv");
	}
}
