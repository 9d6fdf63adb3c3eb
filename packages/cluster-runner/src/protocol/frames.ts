/**
 * Messages as frames: the key of the run, the message (msgpack), and for a chunk of a large message its bytes as they are. The port is open to anyone, so a
 * frame without the key is not even unpacked; the rest is checked before it is used.
 */
import { timingSafeEqual } from "node:crypto";
import type { Check } from "@stickslip/core/schema";
import { Packr, Unpackr } from "msgpackr";

export const KEY_BYTES = 16;
/** The most bytes of a large message in one frame. */
export const CHUNK_BYTES_MAX = 2 ** 20;
/** The largest frame that a member accepts: any message is smaller than a chunk. */
export const FRAME_BYTES_MAX = CHUNK_BYTES_MAX + 4096;
/**
 * The same towards the hub, whose port is open to strangers: each of their connections can make it hold one incomplete frame before the handshake is over.
 * So chunks are smaller there.
 */
export const TO_HUB_CHUNK_BYTES_MAX = 2 ** 16;
export const TO_HUB_BYTES_MAX = 3 * 2 ** 15;

const packr = new Packr({ useRecords: false });
const unpackr = new Unpackr({ useRecords: false });

export class Frames<Out, In> {
	readonly #key: Uint8Array;
	readonly #isMessage: Check<In>;

	constructor(key: Uint8Array, isMessage: Check<In>) {
		this.#key = key;
		this.#isMessage = isMessage;
	}

	write(message: Out, bytes?: Uint8Array): Uint8Array[] {
		// msgpackr packs into memory that it reuses.
		const packed = Uint8Array.from(packr.pack(message));
		return bytes === undefined ? [this.#key, packed] : [this.#key, packed, bytes];
	}

	/** Undefined for a frame that does not belong to the run. */
	read(parts: readonly Uint8Array[]): { readonly message: In; readonly bytes?: Uint8Array } | undefined {
		const [key, packed, bytes] = parts;
		if (key === undefined || packed === undefined || parts.length > 3) return undefined;
		if (key.length !== KEY_BYTES || !timingSafeEqual(key, this.#key)) return undefined;
		if (packed.length > FRAME_BYTES_MAX || (bytes !== undefined && bytes.length > CHUNK_BYTES_MAX)) return undefined;
		const message = unpack(packed);
		if (!this.#isMessage(message)) return undefined;
		return bytes === undefined ? { message } : { message, bytes };
	}
}

/** Plain data as msgpack bytes. */
export function pack(value: unknown): Uint8Array {
	return Uint8Array.from(packr.pack(value));
}

/** Undefined if the bytes are not valid msgpack. */
export function unpack(bytes: Uint8Array): unknown {
	try {
		return unpackr.unpack(bytes);
	} catch {
		// Any error here is due to a frame of a stranger.
		return undefined;
	}
}
