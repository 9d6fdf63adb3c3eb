/**
 * What has arrived: frames put back into messages, by sender and tag, each message once and in order. A frame that was
 * seen before is refused; one that overtook another (a new connection may, after an old one broke) waits for it.
 */
import { RankError } from "@stickslip/core/parallel";
import type { Header } from "./frame.js";

/** Messages that may wait for their receiver, and frames for their predecessors, in one stream. */
export const MESSAGES_AHEAD_MAX = 1024;

/** Messages that have not been asked for yet are kept as long as they are. */
class Stream {
	/** The number of the frame that comes next. */
	expected = 0;
	readonly ready: Uint8Array[] = [];
	/** A message of which not all frames are there. */
	partial: Uint8Array | undefined;
	readonly overtaking = new Map<number, { readonly payload: Uint8Array; readonly rest: number }>();
}

export class Incoming {
	readonly #streams = new Map<number, Stream>();

	/**
	 * True where this frame is, whole, the message that is asked for: then the caller reads it where it is, and it was taken.
	 * This is the way of nearly all messages, and it copies nothing.
	 */
	isTakenAtOnce(header: Readonly<Header>, from: number, tag: number): boolean {
		if (header.from !== from || header.tag !== tag || header.rest !== 0) return false;
		const stream = this.#stream(from, tag);
		if (header.sequence !== stream.expected || stream.partial !== undefined || stream.ready.length > 0) return false;
		stream.expected += 1;
		if (stream.overtaking.size > 0) this.#catchUp(stream);
		return true;
	}

	/** Keeps a copy of the frame's payload; false where the frame was there before or does not fit its message. */
	keep(header: Readonly<Header>, payload: Uint8Array): boolean {
		const stream = this.#stream(header.from, header.tag);
		if (header.sequence < stream.expected || stream.overtaking.has(header.sequence)) return false;
		if (stream.ready.length + stream.overtaking.size >= MESSAGES_AHEAD_MAX) {
			throw new RankError(header.from, `sent more than ${MESSAGES_AHEAD_MAX} unexpected messages`);
		}
		if (header.sequence > stream.expected) {
			stream.overtaking.set(header.sequence, { payload: payload.slice(), rest: header.rest });
			return true;
		}
		const fits = append(stream, payload, header.rest);
		if (fits) this.#catchUp(stream);
		return fits;
	}

	/** The oldest message of a stream that is there. */
	next(from: number, tag: number): Uint8Array | undefined {
		const stream = this.#streams.get(from * TAG_ROOM + tag);
		return stream === undefined || stream.ready.length === 0 ? undefined : stream.ready.shift();
	}

	/** Messages and frames that were never asked for. */
	get unread(): number {
		let count = 0;
		for (const { ready, overtaking, partial } of this.#streams.values()) {
			count += ready.length + overtaking.size + (partial === undefined ? 0 : 1);
		}
		return count;
	}

	/** The number of the frame that comes next. */
	expected(from: number, tag: number): number {
		return this.#stream(from, tag).expected;
	}

	/** True where a later frame is there and an earlier one is not. */
	isBroken(from: number, tag: number): boolean {
		return this.#stream(from, tag).overtaking.size > 0;
	}

	#stream(from: number, tag: number): Stream {
		const key = from * TAG_ROOM + tag;
		const found = this.#streams.get(key);
		if (found !== undefined) return found;
		const stream = new Stream();
		this.#streams.set(key, stream);
		return stream;
	}

	#catchUp(stream: Stream): void {
		for (;;) {
			const frame = stream.overtaking.get(stream.expected);
			if (frame === undefined) return;
			stream.overtaking.delete(stream.expected);
			if (!append(stream, frame.payload, frame.rest)) return;
		}
	}
}

const TAG_ROOM = 64;

/** Takes the next frame of a stream; false where it contradicts those before it. */
function append(stream: Stream, payload: Uint8Array, rest: number): boolean {
	const { partial } = stream;
	if (partial === undefined && rest === 0) {
		stream.ready.push(payload.slice());
		stream.expected += 1;
		return true;
	}
	const message = partial ?? new Uint8Array(payload.length + rest);
	const offset = message.length - rest - payload.length;
	if (offset < 0) return false;
	message.set(payload, offset);
	stream.expected += 1;
	stream.partial = rest === 0 ? undefined : message;
	if (rest === 0) stream.ready.push(message);
	return true;
}
