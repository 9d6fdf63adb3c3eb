/**
 * The header of a frame. A port is open to anyone, so nothing in a frame is used before all of it has been checked: the key of the run proves that the
 * sender belongs to the run, the check word that the header is complete.
 *
 * Words of 32 bits, in the order of the machine, which is the same on both sides or the magic number is not:
 *
 *     0 magic   1 version   2-5 key of the run   6 from   7 to   8 tag   9-10 sequence, low and high
 *     11 bytes of payload here   12 bytes of the same message that follow in later frames   13 check word
 */
import { assert } from "@stickslip/core/parallel";
import { TAGS } from "../base/wire.js";

export const HEADER_BYTES = 56;
/**
 * Longer messages are cut: so the largest frame, which is all that a receiver makes room for, has a fixed size. A stranger's connection can make
 * it hold one such frame until the handshake's time is over, and there may be hundreds of them.
 */
export const PAYLOAD_BYTES_MAX = 128 * 1024;
export const FRAME_BYTES_MAX = HEADER_BYTES + PAYLOAD_BYTES_MAX;
export const KEY_BYTES = 16;
/** Frames between the wires themselves have the tags after the users', and stand outside all sequences. */
export const notes = {
	/** A rank has failed: its number in four bytes, then the reason. */
	abort: TAGS,
	/** For whom do you wait? */
	query: TAGS + 1,
	/** For this rank: its number in four bytes. A rank that does not wait does not answer. */
	answer: TAGS + 2,
	/** Have you sent me the frame with this tag, in four bytes, and this number, in eight? */
	seek: TAGS + 3,
	/** Yes: the same again. A rank that has not sent it does not answer. */
	sent: TAGS + 4,
	/** Here is memory for what I send you: who I am in four bytes, then where it is (see SharedRings). */
	memory: TAGS + 5,
	/** You sleep, and there is a message in memory: who I am in four bytes. */
	wake: TAGS + 6,
} as const;
const NOTE_MAX = notes.wake;
export const REASON_BYTES_MAX = 1024;

const MAGIC = 0x534c4950;
const VERSION = 3;
const CHECK = 13;

export interface Header {
	from: number;
	to: number;
	tag: number;
	/** Counts the frames from one rank to another with one tag. */
	sequence: number;
	length: number;
	rest: number;
}

/** Writes and checks the headers of one run. */
export class Frames {
	readonly #key: Uint32Array;
	readonly #size: number;

	constructor(key: Uint8Array, size: number) {
		assert(key.length === KEY_BYTES, `the key of a run has ${KEY_BYTES} bytes`);
		this.#key = new Uint32Array(key.slice().buffer);
		this.#size = size;
	}

	write(words: Uint32Array, header: Readonly<Header>): void {
		words[0] = MAGIC;
		words[1] = VERSION;
		words.set(this.#key, 2);
		words[6] = header.from;
		words[7] = header.to;
		words[8] = header.tag;
		words[9] = header.sequence % 2 ** 32;
		words[10] = Math.floor(header.sequence / 2 ** 32);
		words[11] = header.length;
		words[12] = header.rest;
		words[CHECK] = checkOf(words);
	}

	/** Reads into `header` what stands in a frame of so many bytes for rank `to`; false where anything is not as it must be. */
	read(words: Uint32Array, bytes: number, to: number, header: Header): boolean {
		if (bytes < HEADER_BYTES || bytes > FRAME_BYTES_MAX) return false;
		if (words[0] !== MAGIC || words[1] !== VERSION) return false;
		for (let i = 0; i < KEY_BYTES / 4; i += 1) if (words[2 + i] !== this.#key[i]) return false;
		if (words[CHECK] !== checkOf(words)) return false;
		header.from = words[6]!;
		header.to = words[7]!;
		header.tag = words[8]!;
		header.sequence = words[9]! + words[10]! * 2 ** 32;
		header.length = words[11]!;
		header.rest = words[12]!;
		if (header.from >= this.#size || header.from === to || header.to !== to || header.tag > NOTE_MAX) return false;
		// All frames of a message but its last are full.
		if (header.rest > 0 && header.length !== PAYLOAD_BYTES_MAX) return false;
		return header.length === bytes - HEADER_BYTES;
	}
}

/** Of the words before it: multiply, shift and add, as MurmurHash3's finaliser does. Against accidents; the key is against strangers. */
function checkOf(words: Uint32Array): number {
	let hash = 0x9e3779b9;
	for (let i = 0; i < CHECK; i += 1) {
		hash = Math.imul(hash ^ words[i]!, 0x85ebca6b);
		hash = (hash ^ (hash >>> 15)) + i;
	}
	return (Math.imul(hash, 0xc2b2ae35) ^ (hash >>> 13)) >>> 0;
}
