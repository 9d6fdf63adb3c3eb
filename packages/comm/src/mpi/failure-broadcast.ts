/**
 * How a failure travels: the rank that fails, or that gives another one up, sends its rank and reason to all others, and
 * whoever waits polls for such a message now and then. So a failed rank is an ordinary error on all ranks, which they can report;
 * MPI_Abort, which ends processes where they stand, is kept for ranks that do not confirm within the limit.
 */
import type { Control } from "../base/control.js";
import { sleep } from "../base/patience.js";
import { type Block, block, type Mpi } from "./bindings.js";
import { Probe } from "./probe.js";
import { FAILURE_TAG, LEAVING_TAG } from "./tags.js";

const REASON_BYTES_MAX = 2000;
/** One poll per millisecond is enough for ranks that only wait to leave. */
const POLL_MS = 1;
/** The same in both libraries. */
const ANY_TAG = -1;

export class FailureBroadcast {
	readonly #mpi: Mpi;
	readonly #comm: number;
	readonly #rank: number;
	readonly #size: number;
	readonly #control: Control;
	readonly #probe: Probe;
	/** Sent messages stay in memory as long as this object lives. */
	readonly #sent: Block[] = [];

	constructor(mpi: Mpi, comm: number, options: { rank: number; size: number; control: Control }) {
		this.#mpi = mpi;
		this.#comm = comm;
		this.#rank = options.rank;
		this.#size = options.size;
		this.#control = options.control;
		this.#probe = new Probe(mpi, comm);
	}

	/** Sends this process's failure, if it has one, to all other ranks, once. */
	broadcast(): void {
		const failure = this.#control.failure();
		if (failure === undefined || this.#sent.length > 0) return;
		const text = new TextEncoder().encode(failure.reason).subarray(0, REASON_BYTES_MAX);
		const message = block(4 + text.length);
		new Int32Array(message.buffer, 0, 1)[0] = failure.rank;
		new Uint8Array(message.buffer, 4).set(text);
		this.#sendAll(message, 4 + text.length, FAILURE_TAG);
	}

	/** Records the failure that another rank has sent, if one has. */
	poll(): void {
		if (!this.#probe.look(this.#mpi.constants.anySource, FAILURE_TAG)) return;
		const bytes = this.#probe.take().slice();
		const rank = new Int32Array(bytes.buffer, 0, 1)[0] ?? -1;
		this.#control.abort(rank, new TextDecoder().decode(bytes.subarray(4)));
	}

	/** After a failure: true once all ranks have called this, so that each has reported it; false when the time is up. */
	waitForAll(seconds: number): boolean {
		this.broadcast();
		this.#sendAll(block(8), 0, LEAVING_TAG);
		const end = performance.now() + 1000 * seconds;
		for (let missing = this.#size - 1; missing > 0; ) {
			this.poll();
			if (this.#probe.look(this.#mpi.constants.anySource, LEAVING_TAG)) {
				this.#probe.take();
				missing -= 1;
			} else {
				if (performance.now() > end) return false;
				sleep(POLL_MS);
			}
		}
		// Messages that nobody will receive are drained: libraries complain of them at shutdown.
		while (this.#probe.look(this.#mpi.constants.anySource, ANY_TAG)) this.#probe.take();
		return true;
	}

	#sendAll(message: Block, bytes: number, tag: number): void {
		const { call, constants } = this.#mpi;
		const requests = this.#mpi.requests(this.#size);
		this.#sent.push(message, requests);
		for (let to = 0; to < this.#size; to += 1) {
			if (to === this.#rank) continue;
			const request = requests.at + to * constants.handleBytes;
			// A rank that cannot be reached must not keep the others from being notified.
			call.MPI_Isend(message.at, bytes, constants.byte, to, tag, this.#comm, request);
		}
	}
}
