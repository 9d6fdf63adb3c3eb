/** What strangers send to a port of WebSocket and HTTP. */
import { randomBytes } from "node:crypto";
import type { Words } from "./strangers.js";

export const WEBSOCKET_STRANGER_KINDS = [
	/** Connects, and says nothing. */
	"ws-silent",
	/** Random bytes. */
	"ws-garbage",
	/** Half of a handshake, then silence. */
	"ws-half-request",
	/** A handshake of ever more headers, one at a time. */
	"ws-slow-request",
	/** A handshake with a header that never ends. */
	"ws-endless-header",
	/** The whole handshake, but no hello. */
	"ws-no-hello",
	/** After the handshake a message that arrives byte by byte. */
	"ws-slow-message",
	/** And one of parts that has no end. */
	"ws-endless-message",
	/** And one that is to have more bytes than there are. */
	"ws-huge-message",
] as const;
export type WebSocketStrangerKind = (typeof WEBSOCKET_STRANGER_KINDS)[number];

const SLOW_MS = 100;
const PART_BYTES = 65_536;
const BINARY = 2;
const FINAL = 0x80;
const MASKED = 0x80;
/** What stands in the place of a length of 8 bytes. */
const LONG = 127;

const lines = "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";

export function websocketWords(kind: WebSocketStrangerKind): Words {
	switch (kind) {
		case "ws-silent":
			return { begin: Buffer.alloc(0) };
		case "ws-garbage":
			return { begin: randomBytes(100), again: randomBytes(PART_BYTES) };
		case "ws-half-request":
			return { begin: Buffer.from(lines.slice(0, 40)) };
		case "ws-slow-request":
			return { begin: Buffer.from(lines), again: Buffer.from("X-Word: again\r\n"), everyMs: SLOW_MS };
		case "ws-endless-header":
			return { begin: Buffer.from(`${lines}X-Word: `), again: Buffer.alloc(PART_BYTES, "a") };
		case "ws-no-hello":
			return { begin: handshake() };
		case "ws-slow-message":
			return {
				begin: Buffer.concat([handshake(), frame(FINAL | BINARY, 1000)]),
				again: Buffer.alloc(1),
				everyMs: SLOW_MS,
			};
		case "ws-endless-message": {
			const part = Buffer.concat([frame(0, PART_BYTES), Buffer.alloc(PART_BYTES)]);
			return { begin: Buffer.concat([handshake(), frame(BINARY, 0)]), again: part };
		}
		case "ws-huge-message": {
			const head = Buffer.concat([handshake(), frame(FINAL | BINARY, 2 ** 50)]);
			return { begin: head, again: Buffer.alloc(PART_BYTES) };
		}
	}
}

export function handshake(): Buffer {
	const key = randomBytes(16).toString("base64");
	return Buffer.from(`${lines}Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`);
}

/** The head of a frame, with a mask of zeros. */
export function frame(operation: number, length: number): Buffer {
	const head = Buffer.alloc(14);
	head[0] = operation;
	head[1] = MASKED | LONG;
	head.writeBigUInt64BE(BigInt(length), 2);
	return head;
}
