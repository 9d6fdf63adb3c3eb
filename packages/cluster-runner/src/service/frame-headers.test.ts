/** Where frames begin, in whatever pieces they arrive, and where the handshake of ZeroMQ ends. */
import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { frame } from "../testing/websocket-words.js";
import { frameHeader, plainHandshake, zmtpWords } from "../testing/zmtp-words.js";
import { FrameHeaders, webSocketBody } from "./frame-headers.js";
import { bodyBytes, bodyOf, handshakeIn, wireBytes } from "./zmtp.js";

function inPieces(bytes: Uint8Array, random: Random, take: (piece: Uint8Array) => void): void {
	for (let at = 0; at < bytes.length; ) {
		const end = Math.min(bytes.length, at + 1 + random.below(random.below(2) === 0 ? 3 : 500));
		take(bytes.subarray(at, end));
		at = end;
	}
}

const lengths = [0, 1, 125, 126, 255, 256, 1000, 65_535, 65_536, 70_000];

it("frames of ZeroMQ and of WebSocket are found in any pieces: by seed", () => {
	const short = (length: number) => Uint8Array.of(0, length);
	const zeromq = lengths.flatMap((length) => [
		length < 256 ? short(length) : frameHeader(length, true),
		new Uint8Array(length),
	]);
	const small = (length: number) => Uint8Array.of(0x82, 0x80 | length, 0, 0, 0, 0);
	const medium = (length: number) => Uint8Array.of(0x82, 0xfe, length >> 8, length & 255, 0, 0, 0, 0);
	const masked = (length: number) =>
		length < 126 ? small(length) : length < 65_536 ? medium(length) : frame(0x82, length);
	const webSocket = lengths.flatMap((length) => [masked(length), new Uint8Array(length)]);
	for (let seed = 1; seed <= 50; seed += 1) {
		for (const [parts, body] of [
			[zeromq, bodyOf],
			[webSocket, webSocketBody],
		] as const) {
			const found: number[] = [];
			const headers = new FrameHeaders(body);
			inPieces(Buffer.concat(parts), new Random(seed), (piece) => headers.read(piece, (length) => found.push(length)));
			expect(found).toEqual(lengths);
		}
	}
	expect([0, 255, 256].map(wireBytes)).toEqual([2, 257, 265]);
	expect([bodyBytes(10, "NULL"), bodyBytes(10, "CURVE")]).toEqual([10, 43]);
});

describe("a handshake", () => {
	it("ends where messages begin, however much of it is there", () => {
		const handshake = plainHandshake();
		const all = Buffer.concat([handshake, frameHeader(2 ** 30, true), Buffer.alloc(100)]);
		for (let length = 0; length <= all.length; length += 1) {
			const found = handshakeIn(all.subarray(0, length), "NULL");
			expect(found?.isWhole, String(length)).toBe(length >= handshake.length);
			expect(found!.bytes).toBeLessThanOrEqual(Math.min(length, handshake.length));
		}
	});

	it("is none without its greeting, of another mechanism, or with anything but its small commands", () => {
		const greeting = plainHandshake().subarray(0, 64);
		expect(handshakeIn(greeting, "NULL")).toEqual({ bytes: 64, isWhole: false });
		expect(handshakeIn(greeting, "CURVE")).toBeUndefined();
		expect(handshakeIn(Buffer.from("GET / HTTP/1.1\r\n"), "CURVE")).toBeUndefined();
		for (const kind of ["endless-handshake", "large-part", "huge-command", "huge-message", "garbage"] as const) {
			const { begin, again = Buffer.alloc(0) } = zmtpWords(kind);
			expect(handshakeIn(Buffer.concat([begin, again]), "CURVE"), kind).toBeUndefined();
		}
		expect(handshakeIn(Buffer.from(zmtpWords("wrong-key").begin), "CURVE")?.isWhole).toBe(false);
	});
});
