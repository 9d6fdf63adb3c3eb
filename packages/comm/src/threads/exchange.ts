/** One halo plan on threads: packed straight from the vector into the rooms of the links, and unpacked straight out of them. */
import { assert, type Exchange, type HaloPlan } from "@stickslip/core/parallel";
import { pack, unpack } from "../base/blocks.js";
import type { Counters } from "../base/counters.js";
import type { Late, Patience } from "../base/patience.js";
import type { Link } from "./links.js";
import type { Wakeups } from "./wakeups.js";

/** What the exchanges of one communicator have in common. */
export interface Common {
	readonly counters: Counters;
	readonly wakeups: Wakeups;
	readonly patience: Patience;
	readonly strict: boolean;
	/** What a rank is called in errors. */
	readonly nameOf: (rank: number) => number;
	/** Throws where the communicator is closed or a rank has failed. */
	readonly check: () => void;
	/** The exchange under way, with its vector. */
	underWay: { readonly exchange: Exchange; readonly values: Float64Array } | undefined;
}

/** One neighbour: its link, and which of the plan's places are its. Those with empty lists are left out. */
export interface Side {
	readonly link: Link;
	readonly from: number;
	readonly to: number;
	/** Where a longer message is packed before it is copied into the room as a whole. */
	readonly staging: Float64Array | undefined;
}

/** Numbers from which on a message is staged: cache lines of the other core are taken over many at a time by a copy, and one by one by what packs. */
export const STAGED_MIN = 96;

export class ThreadsExchange implements Exchange {
	readonly #common: Common;
	readonly #plan: HaloPlan;
	readonly #targets: readonly Side[];
	readonly #sources: readonly Side[];
	readonly #numbersMin: number;
	#isClosed = false;

	constructor(common: Common, plan: HaloPlan, targets: readonly Side[], sources: readonly Side[], numbersMin: number) {
		this.#common = common;
		this.#plan = plan;
		this.#targets = targets;
		this.#sources = sources;
		this.#numbersMin = numbersMin;
	}

	begin(values: Float64Array): void {
		const { wakeups, check, counters, strict } = this.#common;
		const { width, send, receive } = this.#plan;
		assert(this.#common.underWay === undefined, "an exchange is under way");
		assert(!this.#isClosed, "a closed exchange is not used");
		assert(values.length >= this.#numbersMin, "a vector has all places of the plan that it is exchanged with");
		check();
		this.#common.underWay = { exchange: this, values };
		const weight = counters.packWeight;
		const start = weight > 0 ? performance.now() : 0;
		let waited = 0;
		for (const { link, from, to, staging } of this.#targets) {
			if (!link.isFree()) waited += this.#wait(link, link.isFree, "room for another message");
			pack(values, send, from, to, width, staging ?? link.room);
			if (staging !== undefined) link.room.set(staging);
			link.send();
			wakeups.wake(link.other);
			counters.messages += 1;
			counters.bytes += 8 * width * (to - from);
		}
		if (strict) for (const place of receive) values.fill(Number.NaN, place * width, (place + 1) * width);
		counters.wait += waited;
		if (weight > 0) counters.pack += weight * (performance.now() - start - waited);
	}

	finish(values: Float64Array): void {
		const { wakeups, check, counters, underWay } = this.#common;
		const { width, receive } = this.#plan;
		assert(underWay?.exchange === this, "an exchange that was not begun cannot be finished");
		assert(underWay.values === values, "an exchange is finished with the vector that it was begun with");
		check();
		const weight = counters.packWeight;
		const start = weight > 0 ? performance.now() : 0;
		let waited = 0;
		for (const { link } of this.#sources) if (!link.hasCome()) waited += this.#wait(link, link.hasCome, "its halo");
		for (const { link, from, to } of this.#sources) {
			unpack(values, receive, from, to, width, link.room);
			link.take();
			wakeups.wake(link.other);
		}
		this.#common.underWay = undefined;
		counters.exchanges += 1;
		counters.wait += waited;
		if (weight > 0) counters.pack += weight * (performance.now() - start - waited);
	}

	/** The rooms are the links', and stay for the next plan: a message that the other rank has not taken yet lies there, and is counted. */
	close(): void {
		assert(this.#common.underWay?.exchange !== this, "an exchange was begun and not finished");
		this.#isClosed = true;
	}

	/** Milliseconds waited. */
	#wait(link: Link, isDone: () => boolean, what: string): number {
		const { wakeups, patience, nameOf } = this.#common;
		const start = performance.now();
		const late = (): Late => ({ rank: link.other, what });
		wakeups.wait(patience, isDone, late, nameOf);
		return performance.now() - start;
	}
}
