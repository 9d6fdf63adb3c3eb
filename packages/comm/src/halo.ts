/**
 * One halo plan over a wire. Blocks are packed straight into memory that the wire sends from, and unpacked from where it received
 * them; neighbours to whom nothing is said get no message.
 */
import { assert, type HaloPlan, RankError } from "@stickslip/core/parallel";
import { pack, unpack } from "./blocks.js";
import { checkPlan } from "./plan-check.js";
import type { Tally } from "./tally.js";
import { tags, type Wire } from "./wire.js";

interface Side {
	readonly rank: number;
	/** Where its places are in the plan's list. */
	readonly start: number;
	readonly end: number;
}

interface Target extends Side {
	readonly bytes: Uint8Array;
	readonly numbers: Float64Array;
}

export class Halo {
	readonly #wire: Wire;
	readonly #plan: HaloPlan;
	readonly #tally: Tally;
	readonly #targets: readonly Target[];
	readonly #sources: readonly Side[];
	readonly #numbersMin: number;

	/** Collective: neighbours tell each other what they will send. */
	constructor(wire: Wire, plan: HaloPlan, tally: Tally) {
		this.#wire = wire;
		this.#plan = plan;
		this.#tally = tally;
		this.#numbersMin = checkPlan(plan, wire.rank, wire.size);
		this.#sources = sides(plan.sources, plan.receiveStart);
		this.#targets = sides(plan.targets, plan.sendStart).map((side) => {
			const length = (side.end - side.start) * plan.width;
			const bytes = wire.reserve?.(8 * length) ?? new Uint8Array(8 * length);
			return { ...side, bytes, numbers: new Float64Array(bytes.buffer, bytes.byteOffset, length) };
		});
		this.#agree();
	}

	/** Asserts that the vector has all the plan's places. */
	check(values: Float64Array): void {
		assert(values.length >= this.#numbersMin, "a vector has all places of the plan that it is exchanged with");
	}

	begin(values: Float64Array): void {
		const { width, send } = this.#plan;
		const tally = this.#tally;
		for (const { rank, numbers, start, end, bytes } of this.#targets) {
			const started = performance.now();
			pack(values, send, start, end, width, numbers);
			tally.pack += performance.now() - started;
			this.#wire.send(rank, tags.halo, bytes);
			tally.messages += 1;
			tally.bytes += bytes.length;
		}
	}

	finish(values: Float64Array): void {
		const { width, receive } = this.#plan;
		const tally = this.#tally;
		let then = performance.now();
		for (const { rank, start, end } of this.#sources) {
			const bytes = this.#wire.receive(rank, tags.halo);
			const length = (end - start) * width;
			if (bytes.length !== 8 * length) {
				throw new RankError(
					rank,
					`sent ${bytes.length} bytes of a halo; rank ${this.#wire.rank} expects ${8 * length}`,
				);
			}
			const arrived = performance.now();
			tally.wait += arrived - then;
			unpack(values, receive, start, end, width, numbersIn(bytes, length));
			then = performance.now();
			tally.pack += then - arrived;
		}
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
			const said = `rank ${rank} sends ${blocks} blocks of ${numbers} to rank ${this.#wire.rank}`;
			assert(blocks === expected && numbers === width, `${said}, which expects ${expected} of ${width}`);
		}
	}
}

function sides(ranks: Int32Array, starts: Int32Array): Side[] {
	const found: Side[] = [];
	for (const [i, rank] of ranks.entries()) {
		const side = { rank, start: starts[i]!, end: starts[i + 1]! };
		if (side.end > side.start) found.push(side);
	}
	return found;
}

function numbersIn(bytes: Uint8Array, length: number): Float64Array {
	if (bytes.byteOffset % 8 === 0) return new Float64Array(bytes.buffer, bytes.byteOffset, length);
	return new Float64Array(bytes.slice().buffer);
}
