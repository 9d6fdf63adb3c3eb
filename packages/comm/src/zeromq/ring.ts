/**
 * Messages from one process to another through memory that both have: one writes, one reads, and neither waits for the other here.
 *
 * Words of 32 bits: 0 how far was written, 16 how far was read, both in units of 8 bytes since the beginning and modulo 2^32, each in a cache
 * line of its own; 32 whether the reader sleeps, 33 whether it has the memory. Behind them stands the data, in which a frame is never cut:
 * bytes, tag, and sequence (low and high) in four words, then the payload. Where no frame fits any more stands SKIP, and the next one at the start.
 */
import { RankError } from "@stickslip/core/parallel";
import type { Header } from "./frame.js";

const WRITTEN = 0;
const READ = 16;
const SLEEPS = 32;
const IS_OPEN = 33;
const DATA_BYTE = 192;
/** In units of 8 bytes; a power of two. */
const DATA_UNITS = 2 ** 17;
const HEADER_UNITS = 2;
/** Beyond it one starts over if all was read: as long as little is under way, it stays in the caches. */
const FAR_UNITS = 2 ** 12;
const SKIP = -1;

export const RING_BYTES = DATA_BYTE + 8 * DATA_UNITS;
/** Longer messages would leave no room for others. */
export const RING_PAYLOAD_MAX = 4 * DATA_UNITS - 8 * HEADER_UNITS;

export class RingWriter {
	readonly #words: Int32Array;
	readonly #bytes: Uint8Array;
	#written = 0;
	/** As it was when it was last looked at. */
	#read = 0;
	#isOpen = false;

	constructor(buffer: ArrayBuffer) {
		this.#words = new Int32Array(buffer);
		this.#bytes = new Uint8Array(buffer);
	}

	/** The reader has the memory, and takes frames. */
	get isOpen(): boolean {
		this.#isOpen ||= Atomics.load(this.#words, IS_OPEN) === 1;
		return this.#isOpen;
	}

	/** False where there is no room for the message. */
	write(tag: number, sequence: number, payload: Uint8Array): boolean {
		if (payload.length > RING_PAYLOAD_MAX) return false;
		const units = HEADER_UNITS + ((payload.length + 7) >> 3);
		let at = this.#written & (DATA_UNITS - 1);
		const toEnd = DATA_UNITS - at;
		const startsOver = toEnd < units || (at > FAR_UNITS && this.#room() === DATA_UNITS);
		const taken = startsOver ? toEnd + units : units;
		if (DATA_UNITS - ((this.#written - this.#read) | 0) < taken && this.#room() < taken) return false;
		const words = this.#words;
		if (startsOver) {
			words[DATA_BYTE / 4 + 2 * at] = SKIP;
			at = 0;
		}
		const word = DATA_BYTE / 4 + 2 * at;
		words[word] = payload.length;
		words[word + 1] = tag;
		words[word + 2] = sequence % 2 ** 32;
		words[word + 3] = Math.floor(sequence / 2 ** 32);
		this.#bytes.set(payload, 4 * (word + 4));
		this.#written = (this.#written + taken) | 0;
		Atomics.store(words, WRITTEN, this.#written);
		return true;
	}

	/** Whether the reader sleeps and is to be woken, which is told once for each sleep. */
	takeSleep(): boolean {
		return Atomics.load(this.#words, SLEEPS) === 1 && Atomics.exchange(this.#words, SLEEPS, 0) === 1;
	}

	#room(): number {
		this.#read = Atomics.load(this.#words, READ);
		return DATA_UNITS - ((this.#written - this.#read) | 0);
	}
}

export class RingReader {
	readonly #words: Int32Array;
	readonly #buffer: ArrayBuffer;
	readonly #from: number;
	#read = 0;
	/** Where the frame ends that was returned last. */
	#end = 0;
	/** As it was when it was last looked at. */
	#written = 0;

	/** From now on the writer may write. */
	constructor(buffer: ArrayBuffer, from: number) {
		this.#words = new Int32Array(buffer);
		this.#buffer = buffer;
		this.#from = from;
		Atomics.store(this.#words, IS_OPEN, 1);
	}

	/** A frame is there. */
	get hasFrame(): boolean {
		if (this.#written === this.#end) this.#written = Atomics.load(this.#words, WRITTEN);
		return this.#written !== this.#end;
	}

	/** The payload of the next frame, where it stands, valid until the next call or `release`. */
	next(header: Header): Uint8Array | undefined {
		this.release();
		if (!this.hasFrame) return undefined;
		const words = this.#words;
		let at = this.#read & (DATA_UNITS - 1);
		let word = DATA_BYTE / 4 + 2 * at;
		if (words[word] === SKIP) {
			this.#read = (this.#read + DATA_UNITS - at) | 0;
			at = 0;
			word = DATA_BYTE / 4;
		}
		const length = words[word]!;
		const units = HEADER_UNITS + ((length + 7) >> 3);
		if (length < 0 || length > RING_PAYLOAD_MAX || units > DATA_UNITS - at) {
			throw new RankError(this.#from, `wrote a frame of ${length} bytes, which is no length of one`);
		}
		header.from = this.#from;
		header.tag = words[word + 1]!;
		header.sequence = (words[word + 2]! >>> 0) + words[word + 3]! * 2 ** 32;
		header.length = length;
		header.rest = 0;
		this.#end = (this.#read + units) | 0;
		return new Uint8Array(this.#buffer, 4 * (word + 4), length);
	}

	/** The writer may use the place of the last frame. */
	release(): void {
		if (this.#read === this.#end) return;
		this.#read = this.#end;
		Atomics.store(this.#words, READ, this.#end);
	}

	/** To be said before it is looked once more, and then slept: the writer wakes whoever sleeps. */
	set sleeps(value: boolean) {
		Atomics.store(this.#words, SLEEPS, value ? 1 : 0);
	}
}
