/**
 * Collective calls made of messages among some ranks of a wire: all of them, or one of each process. Every rank of the group makes the
 * same calls in the same order, so messages need not name their call.
 */
import { assert, type Merge, RankError, REDUCE_MAX } from "@stickslip/core/parallel";
import type { Counters } from "../base/counters.js";
import { packParts, unpackParts } from "../base/parts.js";
import { tags, type Wire } from "../base/wire.js";

const nothing = new Uint8Array();

export class Collective {
	readonly #wire: Wire;
	readonly #counters: Counters;
	readonly #members: readonly number[];
	/** This rank's place among the members. */
	readonly #place: number;
	/** What one round of a reduction sends: up to two lists of numbers. */
	#staged: Float64Array = new Float64Array(0);
	#stagedBytes: Uint8Array = nothing;
	/** The numbers of members place .. place + 2^k - 1, of this rank's, and of what it receives. */
	#rest = new Float64Array(0);
	#received = new Float64Array(0);
	#receivedBytes: Uint8Array = nothing;

	/** Messages and bytes of reductions are counted in `counters`. */
	constructor(wire: Wire, members: readonly number[], counters: Counters) {
		this.#wire = wire;
		this.#counters = counters;
		this.#members = members;
		this.#place = members.indexOf(wire.rank);
		assert(this.#place >= 0, "a rank takes part in a group that it belongs to");
	}

	/**
	 * In as many rounds as the size has binary digits (one less for powers of two), for any size. After k rounds `window` holds the
	 * members place .. place + 2^k - 1, counted around, and `rest` those place .. place + (size mod 2^k) - 1; the last round puts
	 * windows together that do not overlap, so that each member counts once.
	 */
	reduce(values: Float64Array, merge: Merge): void {
		const { length } = this.#members;
		const count = values.length;
		if (length === 1) return;
		this.#makeRoom(count);
		const rest = this.#rest.subarray(0, count);
		let hasRest = false;
		for (let step = 1; step <= length; step *= 2) {
			const isLast = 2 * step > length;
			if (isLast && !hasRest && step === length) return;
			const takesRest = (length & step) !== 0;
			// What others need of this rank: its window unless this is the last round, and the rest where one is taken up.
			const sendsWindow = !isLast;
			const sendsRest = takesRest && hasRest;
			let lists = 0;
			if (sendsWindow) this.#staged.set(values, count * lists++);
			if (sendsRest) this.#staged.set(rest, count * lists++);
			if (lists > 0) this.#exchange(step, 8 * count * lists);
			const window = this.#received.subarray(0, count);
			const other = sendsWindow ? this.#received.subarray(count, 2 * count) : window;
			if (takesRest) {
				if (sendsRest) merge(other, values);
				rest.set(sendsRest ? other : values);
				hasRest = true;
			}
			if (sendsWindow) merge(values, window);
		}
		values.set(rest);
	}

	/** Down a binomial tree. The bytes are the caller's own, on every rank. */
	broadcast(bytes: Uint8Array | undefined, root: number): Uint8Array {
		const { length } = this.#members;
		const start = this.#members.indexOf(root);
		assert(start >= 0, "the root is one of the group");
		const place = this.#from(start);
		assert((bytes !== undefined) === (place === 0), "the root passes bytes, others nothing");
		let step = 1;
		let got = bytes;
		if (place === 0) while (step < length) step *= 2;
		else {
			while ((place & step) === 0) step *= 2;
			got = this.#wire.receive(this.#member(start + place - step), tags.broadcast);
		}
		const own = (got ?? nothing).slice();
		for (step /= 2; step >= 1; step /= 2) {
			if (place + step < length) this.#wire.send(this.#member(start + place + step), tags.broadcast, own);
		}
		return own;
	}

	/** Up a binomial tree: what this rank and those behind it have, by member. */
	gather(bytes: Uint8Array, root: number): Map<number, Uint8Array> | undefined {
		const { length } = this.#members;
		const start = this.#members.indexOf(root);
		assert(start >= 0, "the root is one of the group");
		const place = this.#from(start);
		const parts = new Map<number, Uint8Array>([[this.#wire.rank, bytes.slice()]]);
		for (let step = 1; step < length; step *= 2) {
			if ((place & step) !== 0) {
				this.#wire.send(this.#member(start + place - step), tags.gather, packParts(parts));
				return undefined;
			}
			if (place + step >= length) continue;
			const got = this.#wire.receive(this.#member(start + place + step), tags.gather);
			for (const [rank, part] of unpackParts(got)) parts.set(rank, part);
		}
		return parts;
	}

	/** No rank leaves before all have arrived: after k rounds a rank knows, directly or not, of the 2^k before it. */
	barrier(): void {
		for (let step = 1; step < this.#members.length; step *= 2) {
			this.#wire.send(this.#member(this.#place + step), tags.barrier, nothing);
			this.#wire.receive(this.#member(this.#place - step), tags.barrier);
		}
	}

	/** Sends what is staged `step` places back, and receives as much from `step` places ahead. */
	#exchange(step: number, bytes: number): void {
		this.#wire.send(this.#member(this.#place - step), tags.reduce, this.#stagedBytes.subarray(0, bytes));
		this.#counters.messages += 1;
		this.#counters.bytes += bytes;
		const from = this.#member(this.#place + step);
		const got = this.#wire.receive(from, tags.reduce);
		if (got.length !== bytes) {
			throw new RankError(from, `reduces ${got.length} bytes where rank ${this.#wire.rank} reduces ${bytes}`);
		}
		this.#receivedBytes.set(got);
	}

	#member(place: number): number {
		const { length } = this.#members;
		return this.#members[(place + length) % length]!;
	}

	/** This rank's place, counted around from another. */
	#from(start: number): number {
		const { length } = this.#members;
		return (this.#place - start + length) % length;
	}

	#makeRoom(count: number): void {
		if (this.#rest.length >= count && this.#staged.length > 0) return;
		const room = Math.min(REDUCE_MAX, Math.max(16, 2 * count));
		this.#rest = new Float64Array(room);
		this.#received = new Float64Array(2 * room);
		this.#receivedBytes = new Uint8Array(this.#received.buffer);
		this.#stagedBytes = this.#wire.reserve?.(16 * room) ?? new Uint8Array(16 * room);
		this.#staged = new Float64Array(this.#stagedBytes.buffer, this.#stagedBytes.byteOffset, 2 * room);
	}
}
