/** The communicator of one rank: no one to talk to, and as strict and as well counted as the others. */
import { assert, RankError } from "../base/errors.js";
import {
	type Communicator,
	type Exchange,
	type HaloPlan,
	type Merge,
	REDUCE_MAX,
	type Traffic,
} from "./communicator.js";

export class SelfCommunicator implements Communicator {
	readonly rank = 0;
	readonly size = 1;
	readonly transport = "self";
	#exchanges = 0;
	#reductions = 0;
	#failure: string | undefined;
	/** The vector of the exchange under way, and whose exchange it is. */
	#values: Float64Array | undefined;
	#underWay: Exchange | undefined;

	/** Written out: copying properties would take longer than a solve of one contact. */
	get traffic(): Traffic {
		const exchanges = this.#exchanges;
		const reductions = this.#reductions;
		return { exchanges, reductions, messages: 0, bytes: 0, pack: 0, wait: 0, reduce: 0 };
	}

	open(plan: HaloPlan): Exchange {
		this.#check();
		assert(plan.targets.length === 0 && plan.sources.length === 0, "one rank has no neighbours");
		let isClosed = false;
		const exchange: Exchange = {
			begin: (values) => {
				this.#check();
				assert(!isClosed, "a closed exchange is not used");
				assert(this.#underWay === undefined, "an exchange is under way");
				this.#underWay = exchange;
				this.#values = values;
			},
			finish: (values) => {
				assert(this.#underWay === exchange, "an exchange that was not begun cannot be finished");
				assert(this.#values === values, "an exchange is finished with the vector that it was begun with");
				this.#underWay = undefined;
				this.#exchanges += 1;
			},
			count: (times) => {
				this.#check();
				assert(!isClosed && this.#underWay === undefined, "exchanges are counted where none is under way");
				this.#exchanges += times;
			},
			close: () => {
				assert(this.#underWay !== exchange, "an exchange was begun and not finished");
				isClosed = true;
			},
		};
		return exchange;
	}

	reduce(values: Float64Array, _merge: Merge): void {
		this.#check();
		assert(values.length <= REDUCE_MAX, "a reduction has its limit");
		this.#reductions += 1;
	}

	broadcast(bytes: Uint8Array | undefined, root: number): Uint8Array {
		this.#check();
		assert(root === 0 && bytes !== undefined, "the only rank is the root");
		return bytes.slice();
	}

	gather(bytes: Uint8Array, root: number): Uint8Array[] {
		this.#check();
		assert(root === 0, "the only rank is the root");
		return [bytes.slice()];
	}

	barrier(): void {
		this.#check();
	}

	poll(): void {
		this.#check();
	}

	abort(reason: string): void {
		this.#failure = reason;
	}

	close(): void {
		assert(this.#underWay === undefined, "an exchange was begun and not finished");
	}

	#check(): void {
		if (this.#failure !== undefined) throw new RankError(0, this.#failure);
	}
}
