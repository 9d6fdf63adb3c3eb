import { HEADER_BYTES } from "./frame.js";

/** Room for a frame: the header, and after it the payload. */
export interface Room {
	readonly bytes: Uint8Array;
	readonly words: Uint32Array;
	readonly payload: Uint8Array;
}

export function room(payloadBytes: number): Room {
	const bytes = new Uint8Array(new ArrayBuffer(HEADER_BYTES + payloadBytes));
	return {
		bytes,
		words: new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4)),
		payload: bytes.subarray(HEADER_BYTES),
	};
}
