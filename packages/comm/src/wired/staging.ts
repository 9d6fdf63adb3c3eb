/**
 * The memory that the halos of one communicator are sent from. Only one exchange is under way at a time, and a wire is done with the
 * bytes when `send` returns, so all plans and all neighbours use the same place: opening a plan takes no memory unless its longest
 * message is longer than any before, and a closed one leaves none behind.
 */
import type { Wire } from "../base/wire.js";

export class StagingBuffers {
	readonly #wire: Wire;
	#bytes: Uint8Array = new Uint8Array();

	constructor(wire: Wire) {
		this.#wire = wire;
	}

	/** Room for a message of so many bytes, for as long as it takes to write and to send it. */
	room(bytes: number): Uint8Array {
		if (this.#bytes.length < bytes) {
			// Plans that were opened before go on with the smaller place, and let go of it when they are closed.
			const larger = Math.max(bytes, 2 * this.#bytes.length);
			this.#bytes = this.#wire.reserve?.(larger) ?? new Uint8Array(larger);
		}
		return this.#bytes.subarray(0, bytes);
	}
}
