/**
 * Waits of an MPI rank, all of them bounded. The library is only ever asked whether something has come, never told to block: so
 * a wait can end with a named error, and more ranks than cores get along.
 *
 * A few looks come first, since most messages take less than a microsecond. Then patience spins where each rank has a core;
 * afterwards the core is offered to others between looks, and at last this thread sleeps for growing moments. Nothing can wake it
 * sooner: MPI has no bell.
 */
import koffi from "koffi";
import { Patience, sleep } from "../patience.js";
import type { Alarm } from "./alarm.js";
import { block, type Mpi, STATUS_BYTES } from "./bindings.js";
import type { Blame } from "./blame.js";

/** Some 5 us of looking before anything is set up for a longer wait. */
const LOOKS = 64;
/** How long the core is offered to others before the first sleep, and after how many offers the alarm is looked at. */
const YIELD_MS = 2;
const YIELDS_PER_ALARM = 16;
/** Sleeps are a share of what was waited already, between these. */
const SLEEP_SHARE = 0.02;
const SLEEP_MS_MIN = 0.05;
const SLEEP_MS_MAX = 1;

export class Waiter {
	readonly #mpi: Mpi;
	readonly #given: Patience;
	readonly #patience: Patience;
	readonly #alarm: Alarm;
	readonly #blame: Blame;
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
	constructor(mpi: Mpi, given: Patience, spins: number, signals: { readonly alarm: Alarm; readonly blame: Blame }) {
		const { alarm, blame } = signals;
		this.#mpi = mpi;
		this.#given = given;
		this.#patience = new Patience({ control: given.control, seconds: given.seconds, spins });
		this.#alarm = alarm;
		this.#blame = blame;
		this.#test = mpi.call.MPI_Test;
		this.#testAll = mpi.call.MPI_Testall;
		this.#statuses = mpi.constants.statusesIgnore;
		this.#yield = koffi.load(null).func("sched_yield", "int", []);
	}

	/** Throws where a rank has failed, and makes sure that the others hear of it. */
	check(): void {
		try {
			this.#patience.control.check();
		} catch (error) {
			this.#alarm.ring();
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
		for (let look = 0; look < LOOKS; look += 1) {
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

	/** Until a request is complete, with its status; `peer` is the rank to ask after when it takes too long. */
	one(requestAt: number, statusAt: number, peer: number, what: string): void {
		const done = this.#done;
		const at = this.#flag.at;
		for (let look = 0; look < LOOKS; look += 1) {
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
		for (let look = 0; look < LOOKS; look += 1) {
			if (isDone()) return;
		}
		const late = [rank];
		this.#long(isDone, () => late, what);
	}

	/** What those who wait in another way do now and then: hear of failures, and tell whom they wait for. */
	serve(waitingFor: number): void {
		this.#alarm.look();
		this.#blame.serve([waitingFor]);
	}

	#long(look: () => boolean, late: () => readonly number[], what: string): void {
		const begin = performance.now();
		const { control } = this.#patience;
		// A look may take what it finds, so after one that was good there is no other.
		let hasCome = false;
		const isDone = () => {
			hasCome ||= look();
			return hasCome;
		};
		const isOver = () => {
			this.#alarm.look();
			return control.failure() !== undefined;
		};
		let yields = 0;
		const nap = (milliseconds: number) => {
			const end = performance.now() + milliseconds;
			for (let now = end - milliseconds; now < end; now = performance.now()) {
				const isYielding = now - begin < YIELD_MS;
				if (isYielding) this.#yield();
				else sleep(Math.min(SLEEP_MS_MAX, Math.max(SLEEP_MS_MIN, SLEEP_SHARE * (now - begin))));
				yields += 1;
				if (isDone()) return;
				if (isYielding && yields % YIELDS_PER_ALARM !== 0) continue;
				if (isOver()) return;
				this.#blame.serve(late());
			}
		};
		const describe = () => ({ rank: this.#blame.find(late(), isOver), what });
		this.#patience.seconds = this.#given.seconds;
		try {
			this.#patience.waitUntil(isDone, describe, nap);
		} catch (error) {
			this.#alarm.ring();
			throw error;
		} finally {
			this.longSeconds += (performance.now() - begin) / 1000;
		}
	}

	/** Who is at the other ends of requests that are not complete. */
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
