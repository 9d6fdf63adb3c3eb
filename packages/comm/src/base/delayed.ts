/**
 * A wire for tests with a delay of its own for every message. The delay depends on the seed, the sender, the tag and the number, so that a failing seed can
 * be repeated; messages of different senders or tags arrive in any order, those of one stream in the order they were sent.
 *
 * The sender writes the time before which nobody may see the message; the receiver keeps it until then. So a busy rank holds nothing back, and no delay can
 * cause a deadlock.
 */
import { Random } from "@stickslip/core";
import { sleep } from "./patience.js";
import { TAGS, type Wire } from "./wire.js";

const STAMP_BYTES = 8;
/** Most messages are hardly delayed, some by this much, so that whole rounds overtake each other. */
const DELAY_MS_MAX = 2;

export class DelayedWire implements Wire {
	readonly rank: number;
	readonly size: number;
	readonly #wire: Wire;
	readonly #random: Random;
	/** When the last message of each stream may be seen: those after it, not before. */
	readonly #last: Float64Array;

	constructor(wire: Wire, seed: number) {
		this.rank = wire.rank;
		this.size = wire.size;
		this.#wire = wire;
		this.#random = new Random(seed, wire.rank);
		this.#last = new Float64Array(wire.size * TAGS);
	}

	get dropped(): number {
		return this.#wire.dropped ?? 0;
	}

	send(to: number, tag: number, bytes: Uint8Array): void {
		const stream = to * TAGS + tag;
		const due = Math.max(this.#last[stream]!, now() + this.#delay());
		this.#last[stream] = due;
		const stamped = new Uint8Array(STAMP_BYTES + bytes.length);
		new Float64Array(stamped.buffer, 0, 1)[0] = due;
		stamped.set(bytes, STAMP_BYTES);
		// A rank that is held up a little sends to its next neighbour late.
		if (this.#random.uniform() < 0.05) sleep(this.#random.uniform() * DELAY_MS_MAX);
		this.#wire.send(to, tag, stamped);
	}

	receive(from: number, tag: number): Uint8Array {
		const stamped = this.#wire.receive(from, tag);
		const [due] = new Float64Array(stamped.slice(0, STAMP_BYTES).buffer);
		const wait = due! - now();
		if (wait > 0) sleep(wait);
		return stamped.subarray(STAMP_BYTES);
	}

	abort(rank: number, reason: string): void {
		this.#wire.abort?.(rank, reason);
	}

	serve(waitingFor: number): void {
		this.#wire.serve?.(waitingFor);
	}

	close(): void {
		this.#wire.close();
	}

	#delay(): number {
		const share = this.#random.uniform();
		return share < 0.5 ? 0 : DELAY_MS_MAX * (2 * share - 1) ** 4;
	}
}

/** The clock that all processes of a machine share, in milliseconds. */
function now(): number {
	const [seconds, nanoseconds] = process.hrtime();
	return 1000 * seconds + nanoseconds / 1e6;
}
