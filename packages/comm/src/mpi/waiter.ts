/**
 * Waits of an MPI rank, all of them bounded. The library is only polled and never blocks: so a wait can end with an error that names
 * the late rank, and there may be more ranks than cores.
 *
 * A few polls come first, since most messages take less than a microsecond. Then the thread spins if each rank has a core; afterwards it
 * yields the core between polls, and at last it sleeps for growing intervals. Nothing can end a sleep sooner: MPI has no notification.
 */
import koffi from "koffi";
import { Patience, sleep } from "../base/patience.js";
import { block, type Mpi, STATUS_BYTES } from "./bindings.js";
import type { FailureBroadcast } from "./failure-broadcast.js";
import type { LateRankFinder } from "./late-rank.js";

/** About 5 us of polling before a longer wait is set up. */
const CHECKS = 64;
/** How long the thread yields before its first sleep, and how many yields there are per poll for failures. */
const YIELD_MS = 2;
const YIELDS_PER_POLL = 16;
/** A sleep is this share of the time waited so far, within the limits below. */
const SLEEP_SHARE = 0.02;
const SLEEP_MS_MIN = 0.05;
const SLEEP_MS_MAX = 1;

export class Waiter {
	readonly #mpi: Mpi;
	readonly #given: Patience;
	readonly #patience: Patience;
	readonly #failures: FailureBroadcast;
	readonly #lateRanks: LateRankFinder;
	readonly #flag = block(8);
	readonly #done = new Int32Array(this.#flag.buffer);
	readonly #test: Mpi["call"]["MPI_Test"];
	readonly #testAll: Mpi["call"]["MPI_Testall"];
	readonly #statuses: number;
	readonly #yield: () => number;
	readonly #scratch = block(STATUS_BYTES);
	/** Seconds of waits that went beyond the first looks. */
	longSeconds = 0;

	/** Waits as long as the given patience lasts, and spins as often as said: only MPI knows how many ranks share this host. */
	constructor(
		mpi: Mpi,
		given: Patience,
		spins: number,
		signals: { readonly failures: FailureBroadcast; readonly lateRanks: LateRankFinder },
	) {
		const { failures, lateRanks } = signals;
		this.#mpi = mpi;
		this.#given = given;
		this.#patience = new Patience({ control: given.control, seconds: given.seconds, spins });
		this.#failures = failures;
		this.#lateRanks = lateRanks;
		this.#test = mpi.call.MPI_Test;
		this.#testAll = mpi.call.MPI_Testall;
		this.#statuses = mpi.constants.statusesIgnore;
		this.#yield = koffi.load(null).func("sched_yield", "int", []);
	}

	/** Throws if a rank has failed, after notifying the other ranks. */
	check(): void {
		try {
			this.#patience.control.check();
		} catch (error) {
			this.#failures.broadcast();
			throw error;
		}
	}

	/** Until all requests are complete; `peers[i]` is at the other end of request i. */
	all(count: number, requestsAt: number, peers: Int32Array, what: string): void {
		if (count === 1) {
			this.one(requestsAt, this.#statuses, peers[0]!, what);
			return;
		}
		const done = this.#done;
		const at = this.#flag.at;
		for (let check = 0; check < CHECKS; check += 1) {
			const code = this.#testAll(count, requestsAt, at, this.#statuses);
			if (code !== 0) this.#mpi.must(code, "MPI_Testall");
			if (done[0] !== 0) return;
		}
		const isDone = () => {
			this.#mpi.must(this.#testAll(count, requestsAt, at, this.#statuses), "MPI_Testall");
			return done[0] !== 0;
		};
		this.#long(isDone, () => this.#late(count, requestsAt, peers), what);
	}

	/** Until a request is complete, with its status; `peer` is the rank that is late if it takes too long. */
	one(requestAt: number, statusAt: number, peer: number, what: string): void {
		const done = this.#done;
		const at = this.#flag.at;
		for (let check = 0; check < CHECKS; check += 1) {
			const code = this.#test(requestAt, at, statusAt);
			if (code !== 0) this.#mpi.must(code, "MPI_Test");
			if (done[0] !== 0) return;
		}
		const isDone = () => {
			this.#mpi.must(this.#test(requestAt, at, statusAt), "MPI_Test");
			return done[0] !== 0;
		};
		const late = [peer];
		this.#long(isDone, () => late, what);
	}

	until(isDone: () => boolean, rank: number, what: string): void {
		for (let check = 0; check < CHECKS; check += 1) {
			if (isDone()) return;
		}
		const late = [rank];
		this.#long(isDone, () => late, what);
	}

	/**
	 * For ranks that wait by other means, to be called now and then: notices failures, and replies to queries for whom this rank waits. A rank that does
	 * not wait (-1) does not reply: it is the late one.
	 */
	serve(waitingFor: number): void {
		this.#failures.poll();
		if (waitingFor >= 0) this.#lateRanks.serve([waitingFor]);
	}

	#long(look: () => boolean, late: () => readonly number[], what: string): void {
		const begin = performance.now();
		const { control } = this.#patience;
		// A successful look may consume the message, so it is not repeated.
		let hasCome = false;
		const isDone = () => {
			hasCome ||= look();
			return hasCome;
		};
		const hasFailed = () => {
			this.#failures.poll();
			return control.failure() !== undefined;
		};
		let yields = 0;
		const rest = (milliseconds: number) => {
			const end = performance.now() + milliseconds;
			for (let now = end - milliseconds; now < end; now = performance.now()) {
				const isYielding = now - begin < YIELD_MS;
				if (isYielding) this.#yield();
				else sleep(Math.min(SLEEP_MS_MAX, Math.max(SLEEP_MS_MIN, SLEEP_SHARE * (now - begin))));
				yields += 1;
				if (isDone()) return;
				if (isYielding && yields % YIELDS_PER_POLL !== 0) continue;
				if (hasFailed()) return;
				this.#lateRanks.serve(late());
			}
		};
		const describe = () => ({ rank: this.#lateRanks.find(late(), hasFailed), what });
		this.#patience.seconds = this.#given.seconds;
		try {
			this.#patience.waitUntil(isDone, describe, rest);
		} catch (error) {
			this.#failures.broadcast();
			throw error;
		} finally {
			this.longSeconds += (performance.now() - begin) / 1000;
		}
	}

	/** The peers of requests that are not complete. */
	#late(count: number, requestsAt: number, peers: Int32Array): number[] {
		const late: number[] = [];
		for (let i = 0; i < count; i += 1) {
			const request = requestsAt + i * this.#mpi.constants.handleBytes;
			this.#mpi.must(this.#test(request, this.#flag.at, this.#scratch.at), "MPI_Test");
			if (this.#done[0] === 0) late.push(peers[i] ?? -1);
		}
		return late;
	}
}
