/**
 * The communicator over the site's MPI: messages between two ranks only, posted without waiting and then polled (waiter.ts), so that every wait is limited,
 * and a failed rank is an error with its name on all ranks (failure-broadcast.ts).
 */
import {
	assert,
	type Communicator,
	type Exchange,
	type HaloPlan,
	type Merge,
	RankError,
	REDUCE_MAX,
	type Traffic,
} from "@stickslip/core/parallel";
import type { Control } from "../base/control.js";
import { Counters } from "../base/counters.js";
import type { Patience } from "../base/patience.js";
import { checkPlan } from "../base/plan-check.js";
import { Mpi } from "./bindings.js";
import { type ExchangeHost, MpiExchange, PinnedMemory } from "./exchange.js";
import { FailureBroadcast } from "./failure-broadcast.js";
import { LateRankFinder } from "./late-rank.js";
import type { MpiLibrary } from "./library.js";
import { Mail, POLL_MS_MAX } from "./mail.js";
import { Reduction } from "./reduction.js";
import { isSample } from "./sample.js";
import { finalise, initialise, type Session } from "./session.js";
import { BARRIER, BROADCAST, GATHER, OPEN } from "./tags.js";
import { Waiter } from "./waiter.js";
import type { MpiShared } from "./wire.js";

/** How long a failed run waits until all ranks have confirmed the failure, before MPI_Abort ends those that have not. */
const CONFIRM_SECONDS = 2.5;
/** How long the library may take to start and to shut down, with many ranks on few cores. */
const START_SECONDS = 60;
const FINALIZE_SECONDS = 20;
/** The same after a failure, when MPICH does not always come back; the launcher then sees this process end by SIGALRM. */
const FAILED_FINALIZE_SECONDS = 2;
/** The exit code of a failed rank, which mpirun passes on. */
const ABORT_CODE = 3;

const nothing = new Float64Array(0);
const noMerge: Merge = () => {};

export interface MpiOptions {
	readonly library: MpiLibrary;
	readonly control: Control;
	/** How long a wait may last, and how long to spin where each rank has a core. */
	readonly patience: Patience;
	/** Threads of this process that communicate through wires of their own (threads+mpi); without it only the calling thread may use MPI. */
	readonly threads?: number;
}

/** Collective: every process that the launcher started calls it, once, in the thread that will use the communicator. */
export function openMpi({ library, control, patience, threads }: MpiOptions): MpiCommunicator {
	const mpi = new Mpi(library.kind, library.path, control);
	const session = initialise(mpi, { seconds: START_SECONDS, isMultiple: threads !== undefined });
	return new MpiCommunicator(mpi, session, { library, control, patience, threads: threads ?? 1 });
}

export class MpiCommunicator implements Communicator {
	readonly rank: number;
	readonly size: number;
	readonly transport = "mpi";
	readonly #mpi: Mpi;
	readonly #session: Session;
	readonly #control: Control;
	readonly #waiter: Waiter;
	readonly #failures: FailureBroadcast;
	readonly #mail: Mail;
	readonly #reduction: Reduction;
	/** Those that are open. */
	readonly #exchanges = new Set<MpiExchange>();
	readonly #host: ExchangeHost;
	readonly #shared: MpiShared;
	#underWay: Exchange | undefined;
	#isClosed = false;
	/** The time of the last timed reduction, without long waits. */
	#shortMs = 0;
	readonly #counters = new Counters();

	constructor(mpi: Mpi, session: Session, options: Required<MpiOptions>) {
		const { rank, size, comm } = session;
		const { library, control, threads } = options;
		this.rank = rank;
		this.size = size;
		this.#mpi = mpi;
		this.#session = session;
		this.#control = control;
		this.#failures = new FailureBroadcast(mpi, comm, { rank, size, control });
		// A rank that spins without a core of its own takes the time of the rank it waits for.
		const spins = session.hostRanks * threads <= session.hostCores ? options.patience.spins : 0;
		const { patience } = options;
		const lateRanks = new LateRankFinder(mpi, comm, { rank, threads: 1 });
		this.#waiter = new Waiter(mpi, patience, spins, { failures: this.#failures, lateRanks });
		this.#mail = new Mail(mpi, comm, this.#waiter);
		this.#reduction = new Reduction(mpi, comm, { rank, size, waiter: this.#waiter });
		this.#shared = { library, threads, session, seconds: patience.seconds, spins, control: control.buffer };
		this.#host = this.#makeHost(comm);
	}

	get traffic(): Traffic {
		return this.#counters.traffic();
	}

	/** For the process's other threads: what `new MpiWire` needs. Their wires are closed before this communicator is. */
	get shared(): MpiShared {
		return this.#shared;
	}

	open(plan: HaloPlan): Exchange {
		this.#enter();
		assert(this.#underWay === undefined, "no plan is opened during an exchange");
		const length = checkPlan(plan, this.rank, this.size, true);
		const lengths = (ranks: Int32Array, starts: Int32Array) =>
			[...ranks].map((rank, i) => ({ rank, length: plan.width * ((starts[i + 1] ?? 0) - (starts[i] ?? 0)) }));
		for (const { rank, length } of lengths(plan.targets, plan.sendStart)) {
			this.#mail.send(rank, OPEN, new Uint8Array(Float64Array.of(length).buffer));
		}
		for (const { rank, length } of lengths(plan.sources, plan.receiveStart)) {
			const announced = this.#mail.receive(rank, OPEN, rank, "its side of a halo plan").slice();
			const other = new Float64Array(announced.buffer)[0];
			assert(other === length, `rank ${rank} sends ${other} numbers and rank ${this.rank} expects ${length}`);
		}
		const exchange = new MpiExchange(this.#host, plan, length);
		this.#exchanges.add(exchange);
		return exchange;
	}

	reduce(values: Float64Array, merge: Merge): void {
		const { length } = values;
		assert(length <= REDUCE_MAX, "a reduction has its limit");
		this.#enter();
		const counters = this.#counters;
		const isTimed = isSample(counters.reductions);
		const before = isTimed ? performance.now() : 0;
		const longBefore = this.#waiter.longSeconds;
		counters.reductions += 1;
		const messages = this.#reduction.messages;
		if (this.size > 1) this.#reduction.run(values, merge, length, "its part of a reduction");
		const sent = this.#reduction.messages - messages;
		counters.messages += sent;
		counters.bytes += 8 * length * sent;
		const long = 1000 * (this.#waiter.longSeconds - longBefore);
		if (isTimed) this.#shortMs = Math.max(0, performance.now() - before - long);
		counters.reduce += this.#shortMs + long;
	}

	broadcast(bytes: Uint8Array | undefined, root: number): Uint8Array {
		this.#enter();
		assert(root >= 0 && root < this.size, "the root is a rank");
		assert((bytes !== undefined) === (this.rank === root), "the root, and nobody else, has bytes to broadcast");
		// A binomial tree with the root as its 0: who gets the bytes over bit k passes them on over the bits below.
		const { size } = this;
		const own = (this.rank - root + size) % size;
		const rankOf = (place: number) => (place + root) % size;
		let bit = own === 0 ? 2 ** Math.ceil(Math.log2(size)) : own & -own;
		const parent = rankOf(own - bit);
		const got = bytes ?? this.#mail.receive(parent, BROADCAST, parent, "its broadcast");
		const kept = got.slice();
		for (bit /= 2; bit >= 1; bit /= 2) {
			if (own + bit < size) this.#mail.send(rankOf(own + bit), BROADCAST, kept);
		}
		return kept;
	}

	gather(bytes: Uint8Array, root: number): Uint8Array[] | undefined {
		this.#enter();
		assert(root >= 0 && root < this.size, "the root is a rank");
		if (this.rank !== root) {
			this.#mail.send(root, GATHER, bytes);
			return undefined;
		}
		const all: Uint8Array[] = [];
		for (let from = 0; from < this.size; from += 1) {
			all.push((from === root ? bytes : this.#mail.receive(from, GATHER, from, "its part of a gather")).slice());
		}
		return all;
	}

	barrier(): void {
		this.#enter();
		if (this.size > 1) this.#reduction.run(nothing, noMerge, BARRIER, "its arrival at a barrier");
	}

	poll(): void {
		this.#enter();
		this.#waiter.serve(-1);
		this.#mail.moveOn(POLL_MS_MAX);
		this.#waiter.check();
	}

	abort(reason: string): void {
		this.#control.abort(this.rank, reason);
		if (!this.#isClosed) this.#failures.broadcast();
	}

	/**
	 * Ends MPI in this process. After a failure all ranks come here with their RankError; those that do not within some seconds are
	 * ended by MPI_Abort, and this one with them.
	 */
	close(): void {
		if (this.#isClosed) return;
		const hasFailed = this.#control.failure() !== undefined;
		if (!hasFailed) assert(this.#underWay === undefined, "an exchange was begun and not finished");
		let error: unknown;
		try {
			if (!hasFailed) this.#mail.flush();
			if (!hasFailed) this.#reduction.flush();
			if (!hasFailed) this.barrier();
			// The others may have left the barrier before they declared this rank late.
			this.#failures.poll();
			this.#waiter.check();
		} catch (caught) {
			error = caught;
		}
		this.#isClosed = true;
		if (this.#control.failure() !== undefined) this.#leave();
		for (const exchange of this.#exchanges) exchange.release();
		this.#exchanges.clear();
		this.#reduction.release();
		this.#mail.release();
		const isWell = this.#control.failure() === undefined;
		finalise(this.#mpi, isWell ? FINALIZE_SECONDS : FAILED_FINALIZE_SECONDS);
		if (error !== undefined) throw error;
	}

	/** Returns once no rank needs this one any more; pending operations can then be cancelled. */
	#leave(): void {
		if (this.#failures.waitForAll(CONFIRM_SECONDS)) return;
		const { rank, reason } = this.#control.failure() ?? { rank: -1, reason: "failed" };
		process.stderr.write(`${new RankError(rank, reason).message}; ranks that did not answer are ended by MPI_Abort\n`);
		this.#mpi.call.MPI_Abort(this.#session.comm, ABORT_CODE);
	}

	#enter(): void {
		assert(!this.#isClosed, "a closed communicator is not used");
		this.#waiter.check();
	}

	#makeHost(comm: number): ExchangeHost {
		return {
			mpi: this.#mpi,
			comm,
			waiter: this.#waiter,
			incoming: new PinnedMemory(),
			outgoing: new PinnedMemory(),
			onBegin: (exchange, messages, bytes) => {
				this.#enter();
				assert(this.#underWay === undefined, "an exchange is under way");
				this.#underWay = exchange;
				this.#counters.messages += messages;
				this.#counters.bytes += bytes;
			},
			onFinish: (exchange) => {
				assert(this.#underWay === exchange, "an exchange that was not begun cannot be finished");
				this.#underWay = undefined;
				this.#counters.exchanges += 1;
			},
			onClose: (exchange) => {
				assert(this.#underWay !== exchange, "an exchange was begun and not finished");
				// If it is not in the list it has been closed, perhaps with the communicator.
				if (this.#exchanges.delete(exchange)) exchange.release();
			},
			addTimes: (pack, wait) => {
				this.#counters.pack += pack;
				this.#counters.wait += wait;
			},
		};
	}
}
