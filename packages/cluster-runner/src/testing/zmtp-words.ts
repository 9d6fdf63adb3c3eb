/** What strangers send to a port of ZeroMQ: its protocol (ZMTP 3) as far as their kind follows it. */
import { randomBytes } from "node:crypto";
import type { Words } from "./strangers.js";

export const STRANGER_KINDS = [
	/** Connects, and says nothing. */
	"silent",
	/** Random bytes. */
	"garbage",
	/** Half of ZeroMQ's greeting, then silence. */
	"half-greeting",
	/** Without encryption: parts of one message that never ends. */
	"endless-message",
	/** Announces encryption, then sends such parts instead of the handshake. */
	"endless-handshake",
	/** Announces encryption, and sends one part of the largest size that a hub accepts, except for its last byte. */
	"large-part",
	/** The same with the largest size that a rank accepts, which is too large for a hub. */
	"larger-part",
	/** A correct CURVE handshake with a wrong server key. */
	"wrong-key",
	/** Announces encryption, and then a command of the handshake of a gigabyte. */
	"huge-command",
	/** Connection that sends a message in place of the handshake. */
	"huge-message",
] as const;
export type StrangerKind = (typeof STRANGER_KINDS)[number];

const PART_BYTES = 65_536;
/** The largest frame that a hub accepts, and that of a rank. */
const LARGE_BYTES = 96 * 1024;
const LARGER_BYTES = 128 * 1024;
/** Much more than a stranger may make anyone hold. */
const HUGE_BYTES = 2 ** 30;

export function zmtpWords(kind: StrangerKind): Words {
	switch (kind) {
		case "silent":
			return { begin: Buffer.alloc(0) };
		case "garbage":
			return { begin: randomBytes(100), again: randomBytes(PART_BYTES) };
		case "half-greeting":
			return { begin: greeting("CURVE").subarray(0, 20) };
		case "endless-message":
			return {
				begin: plainHandshake(),
				again: endlessPart,
			};
		case "endless-handshake":
			return { begin: greeting("CURVE"), again: endlessPart };
		case "large-part":
			return { begin: largePart(LARGE_BYTES) };
		case "larger-part":
			return { begin: largePart(LARGER_BYTES) };
		case "huge-command":
			return { begin: Buffer.concat([greeting("CURVE"), header(LONG | COMMAND, HUGE_BYTES)]), again: zeros };
		case "huge-message":
			return { begin: Buffer.concat([greeting("CURVE"), header(LONG, HUGE_BYTES)]), again: zeros };
		case "wrong-key":
			return { begin: Buffer.concat([greeting("CURVE"), command("HELLO", helloOfCurve())]) };
	}
}

function largePart(bytes: number): Buffer {
	return Buffer.concat([greeting("CURVE"), part(Buffer.alloc(bytes)).subarray(0, -1)]);
}

/** Signature, version 3.0, the mechanism in 20 bytes, not the server, and nothing up to 64 bytes. */
function greeting(mechanism: string): Buffer {
	const bytes = Buffer.alloc(64);
	bytes.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0]);
	bytes.write(mechanism, 12);
	return bytes;
}

const MORE = 1;
const LONG = 2;
const COMMAND = 4;

function header(flags: number, length: number): Buffer {
	const head = Buffer.alloc(9);
	head[0] = flags;
	head.writeBigUInt64BE(BigInt(length), 1);
	return head;
}

function part(body: Uint8Array): Buffer {
	return Buffer.concat([header(MORE | LONG, body.length), body]);
}

const zeros = Buffer.alloc(PART_BYTES);
const endlessPart = part(zeros);

/** A client without encryption, up to where messages begin. */
export function plainHandshake(): Buffer {
	return Buffer.concat([greeting("NULL"), command("READY", property("Socket-Type", "DEALER"))]);
}

/** The header of one frame of a message. */
export function frameHeader(length: number, isLast: boolean): Buffer {
	return header(LONG | (isLast ? 0 : MORE), length);
}

function command(name: string, data: Uint8Array): Buffer {
	const body = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), data]);
	return Buffer.concat([Buffer.from([COMMAND, body.length]), body]);
}

function property(name: string, value: string): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(value.length);
	return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)]);
}

/** Version 1.0, padding, a public key, a nonce, and a box that opens with the server's key alone: here nobody's. */
function helloOfCurve(): Buffer {
	return Buffer.concat([Buffer.from([1, 0]), Buffer.alloc(72), randomBytes(32 + 8 + 80)]);
}
