/**
 * One halo plan over a wire. Blocks are packed straight into memory that the wire sends from (staging.ts), and unpacked from where it
 * received them; neighbours with empty lists get no message.
 */
import { assert, type HaloPlan, RankError } from "@stickslip/core/parallel";
import { pack, unpack } from "../base/blocks.js";
import type { Counters } from "../base/counters.js";
import { checkPlan } from "../base/plan-check.js";
import { tags, type Wire } from "../base/wire.js";
import type { StagingBuffers } from "./staging.js";

interface Neighbour {
	readonly rank: number;
	/** Where its places are in the plan's list. */
	readonly start: number;
	readonly end: number;
}

interface Target extends Neighbour {
	readonly bytes: Uint8Array;
	readonly numbers: Float64Array;
}

export class Halo {
	readonly #wire: Wire;
	readonly #plan: HaloPlan;
	readonly #counters: Counters;
	readonly #targets: readonly Target[];
	readonly #sources: readonly Neighbour[];
	readonly #numbersMin: number;
	/** Of the place that was received into last. */
	#received: Float64Array = new Float64Array(0);
	#isClosed = false;

	/** Collective: neighbours announce to each other what they will send. */
	constructor(wire: Wire, staging: StagingBuffers, plan: HaloPlan, counters: Counters) {
		this.#wire = wire;
		this.#plan = plan;
		this.#counters = counters;
		this.#numbersMin = checkPlan(plan, wire.rank, wire.size);
		this.#sources = neighboursOf(plan.sources, plan.receiveStart);
		this.#targets = neighboursOf(plan.targets, plan.sendStart).map((neighbour) => {
			const length = (neighbour.end - neighbour.start) * plan.width;
			const bytes = staging.room(8 * length);
			return { ...neighbour, bytes, numbers: new Float64Array(bytes.buffer, bytes.byteOffset, length) };
		});
		this.#agree();
	}

	/** Its memory belongs to the communicator, and is reused by the next plan. */
	close(): void {
		this.#isClosed = true;
	}

	/** Asserts that it is open and that the vector has all the plan's places. */
	check(values: Float64Array): void {
		assert(!this.#isClosed, "a closed exchange is not used");
		assert(values.length >= this.#numbersMin, "a vector has all places of the plan that it is exchanged with");
	}

	begin(values: Float64Array): void {
		const { width, send } = this.#plan;
		const counters = this.#counters;
		const weight = counters.packWeight;
		for (const { rank, numbers, start, end, bytes } of this.#targets) {
			const started = weight > 0 ? performance.now() : 0;
			pack(values, send, start, end, width, numbers);
			if (weight > 0) counters.pack += weight * (performance.now() - started);
			this.#wire.send(rank, tags.halo, bytes);
			counters.messages += 1;
			counters.bytes += bytes.length;
		}
	}

	finish(values: Float64Array): void {
		const { width } = this.#plan;
		const counters = this.#counters;
		const weight = counters.packWeight;
		for (const { rank, start, end } of this.#sources) {
			const asked = performance.now();
			const bytes = this.#wire.receive(rank, tags.halo);
			const length = (end - start) * width;
			if (bytes.length !== 8 * length) {
				throw new RankError(
					rank,
					`sent ${bytes.length} bytes of a halo; rank ${this.#wire.rank} expects ${8 * length}`,
				);
			}
			const arrived = performance.now();
			counters.wait += arrived - asked;
			this.#unpack(values, start, end, bytes);
			if (weight > 0) counters.pack += weight * (performance.now() - arrived);
		}
	}

	/** Wires receive into few places again and again: one view of each whole place is kept, since making one takes as long as copying some blocks. */
	#unpack(values: Float64Array, start: number, end: number, bytes: Uint8Array): void {
		const { width, receive } = this.#plan;
		const { buffer, byteOffset } = bytes;
		if (byteOffset % 8 !== 0) {
			unpack(values, receive, start, end, width, new Float64Array(bytes.slice().buffer));
			return;
		}
		if (this.#received.buffer !== buffer) this.#received = new Float64Array(buffer, 0, buffer.byteLength >> 3);
		unpack(values, receive, start, end, width, this.#received, byteOffset / 8);
	}

	/** All neighbours, also those with empty lists. */
	#agree(): void {
		const { targets, sendStart, sources, receiveStart, width } = this.#plan;
		for (const [i, rank] of targets.entries()) {
			const counts = Int32Array.of(sendStart[i + 1]! - sendStart[i]!, width);
			this.#wire.send(rank, tags.open, new Uint8Array(counts.buffer));
		}
		for (const [i, rank] of sources.entries()) {
			const bytes = this.#wire.receive(rank, tags.open).slice();
			const [blocks, numbers] = new Int32Array(bytes.buffer);
			const expected = receiveStart[i + 1]! - receiveStart[i]!;
			const found = `rank ${rank} sends ${blocks} blocks of ${numbers} to rank ${this.#wire.rank}`;
			assert(blocks === expected && numbers === width, `${found}, which expects ${expected} of ${width}`);
		}
	}
}

function neighboursOf(ranks: Int32Array, starts: Int32Array): Neighbour[] {
	const found: Neighbour[] = [];
	for (const [i, rank] of ranks.entries()) {
		const neighbour = { rank, start: starts[i]!, end: starts[i + 1]! };
		if (neighbour.end > neighbour.start) found.push(neighbour);
	}
	return found;
}
