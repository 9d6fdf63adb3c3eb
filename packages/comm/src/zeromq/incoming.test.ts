import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { type Header, PAYLOAD_BYTES_MAX } from "./frame.js";
import { Incoming, MESSAGES_AHEAD_MAX } from "./incoming.js";

interface Frame {
	readonly header: Header;
	readonly payload: Uint8Array;
}

/** The frames of some messages of one stream, each message filled with its number. */
function framesOf(from: number, tag: number, lengths: readonly number[]): Frame[] {
	let sequence = 0;
	return lengths.flatMap((length, message) => {
		const frames: Frame[] = [];
		let left = length;
		do {
			const part = Math.min(left, PAYLOAD_BYTES_MAX);
			left -= part;
			const header = { from, to: 9, tag, sequence, length: part, rest: left };
			frames.push({ header, payload: new Uint8Array(part).fill(message) });
			sequence += 1;
		} while (left > 0);
		return frames;
	});
}

describe("what has arrived", () => {
	it("gives each message once and in order, however its frames were mixed and repeated", () => {
		for (let seed = 1; seed <= 20; seed += 1) {
			const random = new Random(seed);
			const lengths = Array.from(
				{ length: 12 },
				() => random.below(3 * PAYLOAD_BYTES_MAX) * (random.below(2) as 0 | 1),
			);
			const streams = [framesOf(1, 0, lengths), framesOf(1, 5, lengths), framesOf(2, 0, lengths)];
			const all = streams.flatMap((frames) => [...frames, ...frames]);
			const order = random.shuffle(Int32Array.from(all, (_, i) => i));
			const incoming = new Incoming();
			let kept = 0;
			for (const i of order) if (incoming.keep(all[i]!.header, all[i]!.payload)) kept += 1;
			expect(kept, `seed ${seed}`).toBe(all.length / 2);
			for (const [from, tag] of [
				[1, 0],
				[1, 5],
				[2, 0],
			] as const) {
				for (const [message, length] of lengths.entries()) {
					const got = incoming.next(from, tag);
					expect(got?.length, `seed ${seed}`).toBe(length);
					expect(got?.every((byte) => byte === message)).toBe(true);
				}
				expect(incoming.next(from, tag)).toBeUndefined();
			}
			expect(incoming.unread).toBe(0);
		}
	});

	it("takes the message that is asked for where it is, but never one before its turn", () => {
		const incoming = new Incoming();
		const [first, second] = framesOf(1, 0, [8, 8]) as [Frame, Frame];
		expect(incoming.isTakenAtOnce(second.header, 1, 0)).toBe(false);
		expect(incoming.isTakenAtOnce(first.header, 1, 1)).toBe(false);
		expect(incoming.isTakenAtOnce(first.header, 2, 0)).toBe(false);
		expect(incoming.isTakenAtOnce(first.header, 1, 0)).toBe(true);
		expect(incoming.isTakenAtOnce(first.header, 1, 0)).toBe(false);
		expect(incoming.keep(first.header, first.payload)).toBe(false);
		expect(incoming.isTakenAtOnce(second.header, 1, 0)).toBe(true);
	});

	it("tells that one is missing, and refuses a part that contradicts those before it", () => {
		const incoming = new Incoming();
		const [first, second, third] = framesOf(1, 0, [3 * PAYLOAD_BYTES_MAX]) as [Frame, Frame, Frame];
		expect(incoming.keep(third.header, third.payload)).toBe(true);
		expect(incoming.isBroken(1, 0)).toBe(true);
		expect(incoming.keep(first.header, first.payload)).toBe(true);
		expect(incoming.keep({ ...second.header, rest: 2 ** 31 }, second.payload)).toBe(false);
		expect(incoming.keep(second.header, second.payload)).toBe(true);
		expect(incoming.next(1, 0)?.length).toBe(3 * PAYLOAD_BYTES_MAX);
		expect(incoming.isBroken(1, 0)).toBe(false);
	});

	it("has a limit, and names the one that sends without end", () => {
		const incoming = new Incoming();
		const all = framesOf(
			4,
			0,
			Array.from({ length: MESSAGES_AHEAD_MAX + 1 }, () => 1),
		);
		const attempt = () => {
			for (const { header, payload } of all) incoming.keep(header, payload);
		};
		expect(attempt).toThrow(`rank 4 sent more than ${MESSAGES_AHEAD_MAX} unexpected messages`);
	});
});
