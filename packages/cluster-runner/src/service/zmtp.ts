/** The framing of ZeroMQ's protocol (ZMTP 3, RFC 37) as far as it is not encrypted: where its handshake ends, and how long its frames are. */
import type { FrameBody } from "./frame-headers.js";

const GREETING_BYTES = 64;
const LONG = 2;
const COMMAND = 4;
const SHORT_HEADER = 2;
const LONG_HEADER = 9;
const SHORT_MAX = 255;
/** Commands of a handshake have a few hundred bytes. */
const COMMAND_BYTES_MAX = 4096;
/** The name, the nonce, the tag and the flags that CURVE (RFC 26) puts around a frame. */
const CURVE_BYTES = 33;
/** Commands of a client until it may send messages: HELLO and INITIATE, or READY. */
const COMMANDS = { CURVE: 2, NULL: 1 } as const;

export type Mechanism = keyof typeof COMMANDS;

/** Size on the wire of a frame body, from the size of its content. */
export function bodyBytes(bytes: number, mechanism: Mechanism): number {
	return mechanism === "CURVE" ? bytes + CURVE_BYTES : bytes;
}

/** Bytes of a frame on the wire, header included. */
export function wireBytes(body: number): number {
	return body + (body > SHORT_MAX ? LONG_HEADER : SHORT_HEADER);
}

interface Handshake {
	/** How many of the bytes belong to the handshake. */
	readonly bytes: number;
	/** All of it is there: messages follow. */
	readonly isWhole: boolean;
}

/** The handshake at the beginning of what a client has sent; undefined if it is none. */
export function handshakeIn(bytes: Uint8Array, mechanism: Mechanism): Handshake | undefined {
	if (!isGreeting(bytes, mechanism)) return undefined;
	let end = GREETING_BYTES;
	for (let command = 0; command < COMMANDS[mechanism] && end < bytes.length; command += 1) {
		const body = bodyOf(bytes, end);
		if (body === undefined) return { bytes: end, isWhole: false };
		if ((bytes[end]! & COMMAND) === 0 || body.length > COMMAND_BYTES_MAX) return undefined;
		end = body.from + body.length;
		if (command + 1 === COMMANDS[mechanism] && end <= bytes.length) return { bytes: end, isWhole: true };
	}
	return { bytes: Math.min(end, bytes.length), isWhole: false };
}

/** Signature, version and mechanism, as far as they have come. */
function isGreeting(bytes: Uint8Array, mechanism: Mechanism): boolean {
	const has = (at: number, isRight: (byte: number) => boolean) => at >= bytes.length || isRight(bytes[at]!);
	const name = Buffer.alloc(20);
	name.write(mechanism, "latin1");
	return (
		has(0, (byte) => byte === 0xff) &&
		has(9, (byte) => byte === 0x7f) &&
		has(10, (byte) => byte >= 3) &&
		name.every((letter, k) => has(12 + k, (byte) => byte === letter))
	);
}

/** The place of a frame's body; undefined while its header is incomplete. */
export function bodyOf(bytes: Uint8Array, at = 0): FrameBody | undefined {
	const isLong = (bytes[at]! & LONG) !== 0;
	const from = at + (isLong ? LONG_HEADER : SHORT_HEADER);
	if (from > bytes.length) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return { from, length: isLong ? Number(view.getBigUint64(at + 1)) : bytes[at + 1]! };
}
