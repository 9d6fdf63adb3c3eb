/**
 * How a failure travels: the rank that fails, or that gives another one up, sends every other rank its name and reason, and
 * whoever waits looks for such a message now and then. So a failed rank is an ordinary error on all ranks, which they can report;
 * MPI_Abort, which ends processes where they stand, is kept for ranks that do not come to say farewell.
 */
import type { Control } from "../control.js";
import { sleep } from "../patience.js";
import { type Block, block, type Mpi } from "./bindings.js";
import { Probe } from "./probe.js";
import { ALARM, FAREWELL } from "./tags.js";

const REASON_BYTES_MAX = 2000;
/** A look every millisecond is enough for those who only wait to leave. */
const LOOK_MS = 1;
/** The same in both libraries. */
const ANY_TAG = -1;

export class Alarm {
	readonly #mpi: Mpi;
	readonly #comm: number;
	readonly #rank: number;
	readonly #size: number;
	readonly #control: Control;
	readonly #probe: Probe;
	/** What was sent stays where it is as long as the alarm. */
	readonly #sent: Block[] = [];

	constructor(mpi: Mpi, comm: number, place: { rank: number; size: number; control: Control }) {
		this.#mpi = mpi;
		this.#comm = comm;
		this.#rank = place.rank;
		this.#size = place.size;
		this.#control = place.control;
		this.#probe = new Probe(mpi, comm);
	}

	/** Passes this process's failure on, if it has one, the first time it is called. */
	ring(): void {
		const failure = this.#control.failure();
		if (failure === undefined || this.#sent.length > 0) return;
		const text = new TextEncoder().encode(failure.reason).subarray(0, REASON_BYTES_MAX);
		const message = block(4 + text.length);
		new Int32Array(message.buffer, 0, 1)[0] = failure.rank;
		new Uint8Array(message.buffer, 4).set(text);
		this.#sendAll(message, 4 + text.length, ALARM);
	}

	/** Takes the failure that another rank has told of, if one has. */
	look(): void {
		if (!this.#probe.look(this.#mpi.constants.anySource, ALARM)) return;
		const bytes = this.#probe.take().slice();
		const rank = new Int32Array(bytes.buffer, 0, 1)[0] ?? -1;
		this.#control.abort(rank, new TextDecoder().decode(bytes.subarray(4)));
	}

	/** After a failure: true once all ranks have come here, so that none is still to report it; false when time is up. */
	farewell(seconds: number): boolean {
		this.ring();
		this.#sendAll(block(8), 0, FAREWELL);
		const end = performance.now() + 1000 * seconds;
		for (let missing = this.#size - 1; missing > 0; ) {
			this.look();
			if (this.#probe.look(this.#mpi.constants.anySource, FAREWELL)) {
				this.#probe.take();
				missing -= 1;
			} else {
				if (performance.now() > end) return false;
				sleep(LOOK_MS);
			}
		}
		// What nobody will ask for any more is taken, or libraries complain of it when they shut down.
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
			// A rank that cannot be reached any more is no reason to leave the others without the news.
			call.MPI_Isend(message.at, bytes, constants.byte, to, tag, this.#comm, request);
		}
	}
}
