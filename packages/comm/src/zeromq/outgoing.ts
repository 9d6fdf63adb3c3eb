/** What is sent by sockets: messages in frames, written where their bytes are or copied there. */
import { type Frames, HEADER_BYTES, type Header, PAYLOAD_BYTES_MAX } from "./frame.js";
import { type Room, room } from "./room.js";

export class OutgoingFrames {
	readonly #frames: Frames;
	readonly #reserved = new WeakMap<ArrayBufferLike, Room>();
	readonly #copy = room(PAYLOAD_BYTES_MAX);
	readonly #header: Header = { from: 0, to: 0, tag: 0, sequence: 0, length: 0, rest: 0 };

	constructor(frames: Frames, from: number) {
		this.#frames = frames;
		this.#header.from = from;
	}

	/** Memory with room for a header before it, from which nothing is copied. */
	reserve(bytes: number): Uint8Array {
		const reserved = room(bytes);
		this.#reserved.set(reserved.bytes.buffer, reserved);
		return reserved.payload;
	}

	/** The room of a frame with so many bytes of a message. */
	part(bytes: Uint8Array, start: number, length: number): Room {
		if (length === bytes.length && bytes.byteOffset === HEADER_BYTES) {
			const reserved = this.#reserved.get(bytes.buffer);
			if (reserved !== undefined) return reserved;
		}
		this.#copy.payload.set(length === bytes.length ? bytes : bytes.subarray(start, start + length));
		return this.#copy;
	}

	writeHeader(into: Room, to: number, tag: number, sequence: number, length: number, rest: number): void {
		const header = this.#header;
		header.to = to;
		header.tag = tag;
		header.sequence = sequence;
		header.length = length;
		header.rest = rest;
		this.#frames.write(into.words, header);
	}
}
