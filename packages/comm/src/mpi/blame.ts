/**
 * Who is to blame when a wait is over its limit: the rank that is waited for may itself be waiting for another, so it is asked, then
 * that one, until one does not answer. A rank that waits answers within milliseconds; one that is gone, stuck or computes does
 * not, and is the late one.
 */
import { sleep } from "../patience.js";
import { type Block, block, type Mpi } from "./bindings.js";
import { Probe } from "./probe.js";
import { ANSWER, ASK } from "./tags.js";

/** How long a rank that waits may take to answer, with many ranks to a core. */
const ANSWER_MS = 400;
const LOOK_MS = 0.2;

export interface BlamePlace {
	/** This rank, and how many threads of each process are ranks. */
	readonly rank: number;
	readonly threads: number;
}

export class Blame {
	readonly #mpi: Mpi;
	readonly #comm: number;
	readonly #rank: number;
	readonly #threads: number;
	readonly #probe: Probe;
	/** Questions and answers on their way; there is one of either per wait that failed. */
	readonly #sent: Block[] = [];

	constructor(mpi: Mpi, comm: number, { rank, threads }: BlamePlace) {
		this.#mpi = mpi;
		this.#comm = comm;
		this.#rank = rank;
		this.#threads = threads;
		this.#probe = new Probe(mpi, comm);
	}

	/** Tells those who ask for whom this rank waits. */
	serve(waitingFor: readonly number[]): void {
		while (this.#probe.look(this.#mpi.constants.anySource, ASK + (this.#rank % this.#threads))) {
			const asker = numbers(this.#probe.take())[0] ?? -1;
			this.#tell(asker, ANSWER, [this.#rank, ...waitingFor]);
		}
	}

	/**
	 * A rank that does not answer, among those that are waited for, those that these wait for, and so on; `isOver` ends the search
	 * early. Where all answer they wait in a ring, which is nobody's delay: the first is as good as the others.
	 */
	find(first: readonly number[], isOver: () => boolean): number {
		const asked = new Set([this.#rank]);
		const suspects = [...first];
		for (let suspect = suspects.shift(); suspect !== undefined; suspect = suspects.shift()) {
			if (suspect < 0 || asked.has(suspect)) continue;
			asked.add(suspect);
			const further = this.#ask(suspect, first, isOver);
			if (further === undefined) return suspect;
			suspects.push(...further);
		}
		return first[0] ?? -1;
	}

	#ask(suspect: number, waitingFor: readonly number[], isOver: () => boolean): readonly number[] | undefined {
		this.#tell(suspect, ASK, [this.#rank]);
		const end = performance.now() + ANSWER_MS;
		const tag = ANSWER + (this.#rank % this.#threads);
		while (performance.now() < end && !isOver()) {
			this.serve(waitingFor);
			if (this.#probe.look(Math.floor(suspect / this.#threads), tag)) {
				const [from, ...further] = numbers(this.#probe.take());
				if (from === suspect) return further;
			}
			sleep(LOOK_MS);
		}
		return undefined;
	}

	#tell(to: number, tag: number, what: readonly number[]): void {
		const { call, constants } = this.#mpi;
		const message = block(4 * what.length);
		const request = this.#mpi.requests(1);
		new Int32Array(message.buffer, 0, what.length).set(what);
		this.#sent.push(message, request);
		const process = Math.floor(to / this.#threads);
		const threadTag = tag + (to % this.#threads);
		const code = call.MPI_Isend(
			message.at,
			4 * what.length,
			constants.byte,
			process,
			threadTag,
			this.#comm,
			request.at,
		);
		this.#mpi.must(code, "MPI_Isend");
	}
}

/** A copy, since the bytes of a probe do not last. */
function numbers(bytes: Uint8Array): Int32Array {
	return new Int32Array(bytes.slice().buffer);
}
