/**
 * Messages between threads of different processes over MPI, for threads+mpi: world rank r is thread r mod T of process r div T, each
 * thread has a wire of its own, and the tag says which thread of one process speaks to which of the other. Needs a library with
 * MPI_THREAD_MULTIPLE; one process opens MPI (openMpi with `threads`) and hands `shared` to its threads.
 */
import { InputError } from "@stickslip/core";
import { assert } from "@stickslip/core/parallel";
import { Control } from "../base/control.js";
import { Patience } from "../base/patience.js";
import { TAGS, type Wire } from "../base/wire.js";
import { Mpi } from "./bindings.js";
import { FailureBroadcast } from "./failure-broadcast.js";
import { LateRankFinder } from "./late-rank.js";
import type { MpiLibrary } from "./library.js";
import { Mail, POLL_MS_MAX } from "./mail.js";
import type { Session } from "./session.js";
import { THREADS_MAX, WIRE } from "./tags.js";
import { Waiter } from "./waiter.js";

/** Made once: a text per message would take a tenth of the time of a short message. */
const whats = Array.from({ length: TAGS }, (_, tag) => `its message ${tag}`);

/** Plain data that can be posted to a worker. */
export interface MpiShared {
	readonly library: MpiLibrary;
	/** In each process. */
	readonly threads: number;
	readonly session: Session;
	readonly seconds: number;
	readonly spins: number;
	/** Of the process's Control. */
	readonly control: SharedArrayBuffer;
}

export class MpiWire implements Wire {
	readonly rank: number;
	readonly size: number;
	readonly #threads: number;
	readonly #thread: number;
	readonly #control: Control;
	readonly #failures: FailureBroadcast;
	readonly #waiter: Waiter;
	readonly #mail: Mail;

	/** `given` is the patience of this thread, if it differs from the process's. */
	constructor(shared: MpiShared, thread: number, given?: Patience) {
		const { library, threads, session, seconds, spins } = shared;
		assert(Number.isInteger(thread) && thread >= 0 && thread < threads, "a thread is one of its process");
		checkTags(threads, session.tagMax, library);
		this.rank = session.rank * threads + thread;
		this.size = session.size * threads;
		this.#threads = threads;
		this.#thread = thread;
		this.#control = new Control(shared.control);
		const mpi = new Mpi(library.kind, library.path, this.#control);
		mpi.rank = this.rank;
		// Alarms go from process to process, and the thread that finds one tells the others through control.
		const place = { rank: session.rank, size: session.size, control: this.#control };
		this.#failures = new FailureBroadcast(mpi, session.wireComm, place);
		const lateRanks = new LateRankFinder(mpi, session.wireComm, { rank: this.rank, threads });
		const patience = given ?? new Patience({ control: this.#control, seconds, spins });
		this.#waiter = new Waiter(mpi, patience, spins, { failures: this.#failures, lateRanks });
		this.#mail = new Mail(mpi, session.wireComm, this.#waiter);
	}

	send(to: number, tag: number, bytes: Uint8Array): void {
		this.#waiter.check();
		this.#mail.send(this.#process(to), this.#tag(tag, this.#thread, to % this.#threads), bytes);
	}

	receive(from: number, tag: number): Uint8Array {
		this.#waiter.check();
		const between = this.#tag(tag, from % this.#threads, this.#thread);
		return this.#mail.receive(this.#process(from), between, from, whats[tag]!);
	}

	abort(rank: number, reason: string): void {
		this.#control.abort(rank, reason);
		this.#failures.broadcast();
	}

	serve(waitingFor: number): void {
		this.#waiter.serve(waitingFor);
		this.#mail.moveOn(POLL_MS_MAX);
	}

	/** Waits for what was sent, unless all is lost already. */
	close(): void {
		try {
			if (this.#control.failure() === undefined) this.#mail.flush();
		} finally {
			this.#mail.release();
		}
	}

	#process(rank: number): number {
		assert(rank >= 0 && rank < this.size, "a rank is in the world");
		return Math.floor(rank / this.#threads);
	}

	#tag(tag: number, from: number, to: number): number {
		assert(Number.isInteger(tag) && tag >= 0 && tag < TAGS, `a tag is below ${TAGS}`);
		return WIRE + (tag * this.#threads + from) * this.#threads + to;
	}
}

/** Libraries differ in how many tags they have. */
function checkTags(threads: number, tagMax: number, { kind, version }: MpiLibrary): void {
	const needed = WIRE + TAGS * threads * threads;
	if (needed <= tagMax && threads <= THREADS_MAX) return;
	const most = Math.min(THREADS_MAX, Math.floor(Math.sqrt((tagMax - WIRE) / TAGS)));
	const problem = `${kind} ${version} has tags up to ${tagMax}, and ${threads} threads per process need ${needed}`;
	throw new InputError("transport threads+mpi", "threads", problem, `use at most ${most} threads per process`);
}
