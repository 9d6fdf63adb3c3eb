/**
 * Threads inside a process and a wire between processes, as one communicator. Ranks are counted process by process. Neighbours in
 * the same process exchange through memory, others over the wire, each thread with its own end of it; reductions and barriers go
 * through memory first, then between the first threads of the processes, then back.
 */
import {
	assert,
	type Communicator,
	type Exchange,
	type HaloPlan,
	type Merge,
	REDUCE_MAX,
	type Traffic,
} from "@stickslip/core/parallel";
import type { Control } from "../base/control.js";
import { Counters } from "../base/counters.js";
import { packParts, unpackParts } from "../base/parts.js";
import { SendCredit } from "../base/send-credit.js";
import { splitPlan } from "../base/split.js";
import { checkAndNotify, type Wire } from "../base/wire.js";
import { Collective } from "./collective.js";
import { Halo } from "./halo.js";
import { StagingBuffers } from "./staging.js";

export interface JoinedOptions {
	/** Among the threads of this process; its patience is a ServingPatience, and its `firstRank` the world's rank of its first. */
	readonly threads: Communicator;
	/** Of this thread, among all ranks of the world. */
	readonly wire: Wire;
	/** Threads of each process, the same for all. */
	readonly perProcess: number;
	readonly control: Control;
	/** The name of the wire's transport; zeromq unless said. */
	readonly between?: string;
}

export class JoinedCommunicator implements Communicator {
	readonly rank: number;
	readonly size: number;
	readonly transport: string;
	readonly #threads: Communicator;
	readonly #wire: Wire;
	readonly #perProcess: number;
	readonly #control: Control;
	readonly #counters = new Counters();
	readonly #sendCredit = new SendCredit();
	readonly #staging: StagingBuffers;
	/** Among the first threads; undefined on others. */
	readonly #leaders: Collective | undefined;
	#isClosed = false;
	#underWay: { readonly halo: Halo; readonly values: Float64Array } | undefined;

	constructor({ threads, wire, perProcess, control, between = "zeromq" }: JoinedOptions) {
		assert(threads.size === perProcess, "all threads of a process are ranks");
		assert(wire.size % perProcess === 0, "all processes have the same number of threads");
		assert(wire.rank % perProcess === threads.rank, "ranks are counted process by process");
		this.rank = wire.rank;
		this.size = wire.size;
		this.transport = `threads+${between}`;
		this.#threads = threads;
		this.#wire = wire;
		this.#staging = new StagingBuffers(wire);
		this.#perProcess = perProcess;
		this.#control = control;
		if (threads.rank === 0) this.#leaders = new Collective(wire, this.#representatives(wire.rank), this.#counters);
	}

	get traffic(): Traffic {
		const outside = this.#counters.traffic();
		const inside = this.#threads.traffic;
		return {
			...outside,
			messages: outside.messages + inside.messages,
			bytes: outside.bytes + inside.bytes,
			pack: outside.pack + inside.pack,
			wait: outside.wait + inside.wait,
		};
	}

	/** Frames of strangers that were dropped: see Wire. */
	get dropped(): number {
		return this.#wire.dropped ?? 0;
	}

	open(plan: HaloPlan): Exchange {
		return this.#guarded(() => {
			assert(this.#underWay === undefined, "no plan is opened during an exchange");
			this.#sendCredit.spend(this.#barrier);
			const { inside, outside } = splitPlan(plan, this.#first(this.rank), this.#perProcess);
			const memory = this.#threads.open(inside);
			const halo = new Halo(this.#wire, this.#staging, outside, this.#counters);
			return {
				begin: (values) => this.#guarded(() => this.#begin(halo, memory, values)),
				finish: (values) => this.#guarded(() => this.#finish(halo, memory, values)),
				close: () => {
					assert(this.#underWay?.halo !== halo, "an exchange was begun and not finished");
					memory.close();
					halo.close();
				},
			};
		});
	}

	reduce(values: Float64Array, merge: Merge): void {
		this.#guarded(() => {
			assert(values.length <= REDUCE_MAX, "a reduction has its limit");
			const start = performance.now();
			this.#threads.reduce(values, merge);
			if (this.size > this.#perProcess) {
				this.#leaders?.reduce(values, merge);
				const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
				const result = this.#threads.broadcast(this.#leaders === undefined ? undefined : bytes, 0);
				if (this.#leaders === undefined) bytes.set(result);
			}
			this.#sendCredit.renew();
			this.#counters.reductions += 1;
			this.#counters.reduce += performance.now() - start;
		});
	}

	broadcast(bytes: Uint8Array | undefined, root: number): Uint8Array {
		return this.#guarded(() => {
			assert(root >= 0 && root < this.size, "the root is a rank");
			this.#sendCredit.spend(this.#barrier);
			const representatives = this.#representatives(root);
			const isRepresentative = representatives.includes(this.rank);
			const received = isRepresentative
				? new Collective(this.#wire, representatives, this.#counters).broadcast(bytes, root)
				: undefined;
			return this.#threads.broadcast(received, this.#representativeHere(root));
		});
	}

	gather(bytes: Uint8Array, root: number): Uint8Array[] | undefined {
		return this.#guarded(() => {
			assert(root >= 0 && root < this.size, "the root is a rank");
			this.#sendCredit.spend(this.#barrier);
			const local = this.#threads.gather(bytes, this.#representativeHere(root));
			if (local === undefined) return undefined;
			const first = this.#first(this.rank);
			const packed = packParts(new Map(local.map((part, thread) => [first + thread, part])));
			const parts = new Collective(this.#wire, this.#representatives(root), this.#counters).gather(packed, root);
			if (parts === undefined) return undefined;
			const byRank: Uint8Array[] = new Array<Uint8Array>(this.size).fill(new Uint8Array());
			for (const process of parts.values()) for (const [rank, part] of unpackParts(process)) byRank[rank] = part;
			return byRank;
		});
	}

	barrier(): void {
		this.#guarded(() => {
			this.#barrier();
			this.#sendCredit.renew();
		});
	}

	poll(): void {
		this.#guarded(() => this.#wire.serve?.(-1));
		checkAndNotify(this.#control, this.#wire);
	}

	abort(reason: string): void {
		this.#control.abort(this.rank, reason);
		this.#wire.abort?.(this.rank, reason);
	}

	close(): void {
		assert(this.#underWay === undefined, "an exchange was begun and not finished");
		this.#isClosed = true;
		this.#threads.close();
		this.#wire.close();
	}

	#begin(halo: Halo, memory: Exchange, values: Float64Array): void {
		assert(this.#underWay === undefined, "an exchange is under way");
		halo.check(values);
		this.#sendCredit.spend(this.#barrier);
		// The slower way first.
		halo.begin(values);
		memory.begin(values);
		this.#underWay = { halo, values };
	}

	#finish(halo: Halo, memory: Exchange, values: Float64Array): void {
		assert(this.#underWay?.halo === halo, "an exchange that was not begun cannot be finished");
		assert(this.#underWay.values === values, "an exchange is finished with the vector that it was begun with");
		// Late ranks on the wire are found sooner than late threads, so this order names the right one.
		halo.finish(values);
		memory.finish(values);
		this.#underWay = undefined;
		this.#counters.exchanges += 1;
	}

	readonly #barrier = (): void => {
		this.#threads.barrier();
		this.#leaders?.barrier();
		this.#threads.barrier();
	};

	/** Makes a call; if it fails, other processes are notified, since the wire does not see failures between threads. */
	#guarded<Result>(call: () => Result): Result {
		assert(!this.#isClosed, "the communicator is closed");
		checkAndNotify(this.#control, this.#wire);
		try {
			return call();
		} catch (error) {
			checkAndNotify(this.#control, this.#wire);
			throw error;
		}
	}

	/** The first rank of a rank's process. */
	#first(rank: number): number {
		return rank - (rank % this.#perProcess);
	}

	/** One rank of each process: the root itself, and the first of the others. */
	#representatives(root: number): number[] {
		const count = this.size / this.#perProcess;
		const firsts = Array.from({ length: count }, (_, process) => process * this.#perProcess);
		return firsts.map((first) => (first === this.#first(root) ? root : first));
	}

	/** The thread that represents this process when `root` is the root. */
	#representativeHere(root: number): number {
		return this.#first(root) === this.#first(this.rank) ? root % this.#perProcess : 0;
	}
}
