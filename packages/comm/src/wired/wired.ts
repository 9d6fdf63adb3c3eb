/** The communicator over a wire: exchanges, reductions, broadcasts, gathers and barriers made of messages. */
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
import { SendCredit } from "../base/send-credit.js";
import { checkAndNotify, type Wire } from "../base/wire.js";
import { Collective } from "./collective.js";
import { Halo } from "./halo.js";
import { StagingBuffers } from "./staging.js";

export interface WiredOptions {
	readonly control: Control;
	/** Its name in reports. */
	readonly transport: string;
}

export class WiredCommunicator implements Communicator {
	readonly rank: number;
	readonly size: number;
	readonly transport: string;
	readonly #wire: Wire;
	readonly #control: Control;
	readonly #all: Collective;
	readonly #counters = new Counters();
	readonly #sendCredit = new SendCredit();
	readonly #staging: StagingBuffers;
	readonly #barrier = () => this.#all.barrier();
	#isClosed = false;
	/** The exchange under way, with its vector. */
	#underWay: { readonly halo: Halo; readonly values: Float64Array } | undefined;

	constructor(wire: Wire, { control, transport }: WiredOptions) {
		this.rank = wire.rank;
		this.size = wire.size;
		this.transport = transport;
		this.#wire = wire;
		this.#control = control;
		this.#staging = new StagingBuffers(wire);
		this.#all = new Collective(
			wire,
			Array.from({ length: wire.size }, (_, rank) => rank),
			this.#counters,
		);
	}

	get traffic(): Traffic {
		return this.#counters.traffic();
	}

	/** Frames of strangers that were dropped: see Wire. */
	get dropped(): number {
		return this.#wire.dropped ?? 0;
	}

	open(plan: HaloPlan): Exchange {
		this.#check();
		assert(this.#underWay === undefined, "no plan is opened during an exchange");
		this.#sendCredit.spend(this.#barrier);
		const halo = new Halo(this.#wire, this.#staging, plan, this.#counters);
		return {
			begin: (values) => {
				this.#check();
				assert(this.#underWay === undefined, "an exchange is under way");
				halo.check(values);
				this.#sendCredit.spend(this.#barrier);
				this.#underWay = { halo, values };
				halo.begin(values);
			},
			finish: (values) => {
				this.#check();
				assert(this.#underWay?.halo === halo, "an exchange that was not begun cannot be finished");
				assert(this.#underWay.values === values, "an exchange is finished with the vector that it was begun with");
				halo.finish(values);
				this.#underWay = undefined;
				this.#counters.exchanges += 1;
			},
			close: () => {
				assert(this.#underWay?.halo !== halo, "an exchange was begun and not finished");
				halo.close();
			},
		};
	}

	reduce(values: Float64Array, merge: Merge): void {
		this.#check();
		assert(values.length <= REDUCE_MAX, "a reduction has its limit");
		const started = performance.now();
		this.#all.reduce(values, merge);
		this.#sendCredit.renew();
		this.#counters.reductions += 1;
		this.#counters.reduce += performance.now() - started;
	}

	broadcast(bytes: Uint8Array | undefined, root: number): Uint8Array {
		this.#check();
		assert(root >= 0 && root < this.size, "the root is a rank");
		this.#sendCredit.spend(this.#barrier);
		return this.#all.broadcast(bytes, root);
	}

	gather(bytes: Uint8Array, root: number): Uint8Array[] | undefined {
		this.#check();
		assert(root >= 0 && root < this.size, "the root is a rank");
		this.#sendCredit.spend(this.#barrier);
		const parts = this.#all.gather(bytes, root);
		if (parts === undefined) return undefined;
		return Array.from({ length: this.size }, (_, rank) => {
			const part = parts.get(rank);
			assert(part !== undefined, `rank ${rank} has its part in a gather`);
			return part;
		});
	}

	barrier(): void {
		this.#check();
		this.#all.barrier();
		this.#sendCredit.renew();
	}

	poll(): void {
		this.#check();
		this.#wire.serve?.(-1);
		this.#check();
	}

	abort(reason: string): void {
		this.#control.abort(this.rank, reason);
		this.#wire.abort?.(this.rank, reason);
	}

	close(): void {
		assert(this.#underWay === undefined, "an exchange was begun and not finished");
		this.#isClosed = true;
		this.#wire.close();
	}

	#check(): void {
		assert(!this.#isClosed, "the communicator is closed");
		checkAndNotify(this.#control, this.#wire);
	}
}
