/**
 * Finds the late rank when a wait exceeds its limit. The rank that is waited for may itself be waiting for another, so it is queried,
 * then that other one, until one does not reply. A rank that waits replies within milliseconds; one that has ended, hangs or computes
 * does not, and is the late one.
 */
import { sleep } from "../base/patience.js";
import { type Block, block, type Mpi } from "./bindings.js";
import { Probe } from "./probe.js";
import { QUERY_TAG, REPLY_TAG } from "./tags.js";

/** How long a waiting rank may take to reply, with many ranks per core. */
const REPLY_MS = 400;
const POLL_MS = 0.2;

export interface FinderOptions {
	/** This rank, and how many threads of each process are ranks. */
	readonly rank: number;
	readonly threads: number;
}

export class LateRankFinder {
	readonly #mpi: Mpi;
	readonly #comm: number;
	readonly #rank: number;
	readonly #threads: number;
	readonly #probe: Probe;
	/** Queries and replies in flight: one of each per wait that exceeded its limit. */
	readonly #sent: Block[] = [];

	constructor(mpi: Mpi, comm: number, { rank, threads }: FinderOptions) {
		this.#mpi = mpi;
		this.#comm = comm;
		this.#rank = rank;
		this.#threads = threads;
		this.#probe = new Probe(mpi, comm);
	}

	/** Replies to queries with the ranks that this one waits for. */
	serve(waitingFor: readonly number[]): void {
		while (this.#probe.look(this.#mpi.constants.anySource, QUERY_TAG + (this.#rank % this.#threads))) {
			const sender = numbers(this.#probe.take())[0] ?? -1;
			this.#send(sender, REPLY_TAG, [this.#rank, ...waitingFor]);
		}
	}

	/**
	 * A rank that does not reply, among those that are waited for, those that these wait for, and so on; `isCancelled` ends the search
	 * early. If all reply they wait in a cycle, in which no rank is later than another: the first is returned.
	 */
	find(first: readonly number[], isCancelled: () => boolean): number {
		const visited = new Set([this.#rank]);
		const suspects = [...first];
		for (let suspect = suspects.shift(); suspect !== undefined; suspect = suspects.shift()) {
			if (suspect < 0 || visited.has(suspect)) continue;
			visited.add(suspect);
			const further = this.#query(suspect, first, isCancelled);
			if (further === undefined) return suspect;
			suspects.push(...further);
		}
		return first[0] ?? -1;
	}

	#query(suspect: number, waitingFor: readonly number[], isCancelled: () => boolean): readonly number[] | undefined {
		this.#send(suspect, QUERY_TAG, [this.#rank]);
		const end = performance.now() + REPLY_MS;
		const tag = REPLY_TAG + (this.#rank % this.#threads);
		while (performance.now() < end && !isCancelled()) {
			this.serve(waitingFor);
			if (this.#probe.look(Math.floor(suspect / this.#threads), tag)) {
				const [from, ...further] = numbers(this.#probe.take());
				if (from === suspect) return further;
			}
			sleep(POLL_MS);
		}
		return undefined;
	}

	#send(to: number, tag: number, content: readonly number[]): void {
		const { call, constants } = this.#mpi;
		const message = block(4 * content.length);
		const request = this.#mpi.requests(1);
		new Int32Array(message.buffer, 0, content.length).set(content);
		this.#sent.push(message, request);
		const process = Math.floor(to / this.#threads);
		const threadTag = tag + (to % this.#threads);
		const code = call.MPI_Isend(
			message.at,
			4 * content.length,
			constants.byte,
			process,
			threadTag,
			this.#comm,
			request.at,
		);
		this.#mpi.must(code, "MPI_Isend");
	}
}

/** A copy, since the bytes of a probe are overwritten. */
function numbers(bytes: Uint8Array): Int32Array {
	return new Int32Array(bytes.slice().buffer);
}
