/** The headers of frames in a stream that arrives in pieces: what each frame needs is known before it is there. */

/** Where the body of a frame begins, and how many bytes it has. */
export interface FrameBody {
	readonly from: number;
	readonly length: number;
}

/** The longest of the protocols: WebSocket's. */
const HEADER_BYTES_MAX = 14;

export class FrameHeaders {
	/** The body of the frame that begins with these bytes; undefined while its header is incomplete. */
	readonly #bodyOf: (header: Uint8Array) => FrameBody | undefined;
	readonly #header = new Uint8Array(HEADER_BYTES_MAX);
	#headerBytes = 0;
	/** Bytes until the next header. */
	#left = 0;

	constructor(bodyOf: (header: Uint8Array) => FrameBody | undefined) {
		this.#bodyOf = bodyOf;
	}

	/** `begin` gets the length of each body whose header is complete with these bytes. */
	read(bytes: Uint8Array, begin: (length: number) => void): void {
		for (let at = 0; at < bytes.length; ) {
			if (this.#left > 0) {
				const skipped = Math.min(this.#left, bytes.length - at);
				this.#left -= skipped;
				at += skipped;
				continue;
			}
			this.#header[this.#headerBytes] = bytes[at]!;
			this.#headerBytes += 1;
			at += 1;
			const body = this.#bodyOf(this.#header.subarray(0, this.#headerBytes));
			if (body === undefined) continue;
			begin(body.length);
			this.#left = body.length;
			this.#headerBytes = 0;
		}
	}
}

const EXTENDED_16 = 126;
const EXTENDED_64 = 127;
const MASK_BYTES = 4;

/** A frame of a WebSocket client (RFC 6455), which is masked. */
export function webSocketBody(header: Uint8Array): FrameBody | undefined {
	if (header.length < 2) return undefined;
	const short = header[1]! & 127;
	const extended = short === EXTENDED_64 ? 8 : short === EXTENDED_16 ? 2 : 0;
	const from = 2 + extended + MASK_BYTES;
	if (header.length < from) return undefined;
	const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
	if (extended === 0) return { from, length: short };
	return { from, length: extended === 2 ? view.getUint16(2) : Number(view.getBigUint64(2)) };
}
