import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { mutatedReaders } from "../testing/mutated.js";
import { FRAME_BYTES_MAX, Frames, HEADER_BYTES, type Header, KEY_BYTES, PAYLOAD_BYTES_MAX } from "./frame.js";

const key = (seed: number): Uint8Array => {
	const random = new Random(seed);
	return Uint8Array.from({ length: KEY_BYTES }, () => random.below(256));
};
const blank = (): Header => ({ from: 0, to: 0, tag: 0, sequence: 0, length: 0, rest: 0 });
const frames = new Frames(key(1), 5);
const good: Header = { from: 3, to: 1, tag: 7, sequence: 2 ** 32 * 5 + 17, length: 24, rest: 0 };
const bytes = HEADER_BYTES + good.length;

function written(header = good): Uint32Array {
	const words = new Uint32Array(FRAME_BYTES_MAX / 4);
	frames.write(words, header);
	return words;
}

describe("the header of a frame", () => {
	it("is read as it was written", () => {
		const header = blank();
		expect(frames.read(written(), bytes, 1, header)).toBe(true);
		expect(header).toEqual(good);
	});

	it("is refused with any one bit changed", () => {
		for (let bit = 0; bit < 8 * HEADER_BYTES; bit += 1) {
			const words = written();
			words[bit >> 5]! ^= 1 << (bit & 31);
			expect(frames.read(words, bytes, 1, blank()), `bit ${bit}`).toBe(false);
		}
	});

	it("is refused where the frame has another length, or is for another rank", () => {
		for (let length = 0; length <= FRAME_BYTES_MAX + 8; length += length < 200 ? 1 : 997) {
			expect(frames.read(written(), length, 1, blank()), `${length} bytes`).toBe(length === bytes);
		}
		for (const to of [0, 2, 3, 4]) expect(frames.read(written(), bytes, to, blank())).toBe(false);
	});

	it("is refused with another run's key, a rank that there is not, or its own", () => {
		expect(new Frames(key(2), 5).read(written(), bytes, 1, blank())).toBe(false);
		expect(frames.read(written({ ...good, from: 5 }), bytes, 1, blank())).toBe(false);
		expect(frames.read(written({ ...good, from: 1 }), bytes, 1, blank())).toBe(false);
		expect(frames.read(written({ ...good, tag: 99 }), bytes, 1, blank())).toBe(false);
	});

	it("is refused where a part that is not the last is not full", () => {
		expect(frames.read(written({ ...good, rest: 5 }), bytes, 1, blank())).toBe(false);
		const full = { ...good, length: PAYLOAD_BYTES_MAX, rest: 5 };
		expect(frames.read(written(full), FRAME_BYTES_MAX, 1, blank())).toBe(true);
	});

	it("is refused in ten thousand frames of noise, and in ten thousand good ones with a few words of it", () => {
		const random = new Random(11);
		for (let round = 0; round < 10_000; round += 1) {
			const noise = new Uint32Array(40).map(() => random.uint32());
			expect(frames.read(noise, random.below(160), 1, blank())).toBe(false);
			const words = written();
			const count = 1 + random.below(3);
			for (let i = 0; i < count; i += 1) words[random.below(HEADER_BYTES / 4)] = random.uint32();
			expect(frames.read(words, bytes, 1, blank()), `round ${round}`).toBe(false);
		}
	});

	it("is taken in or dropped as the bench of mutations has it, in a thousand frames", () => {
		const { wire } = mutatedReaders();
		const outcomes = Array.from({ length: 1000 }, (_, seed) => wire(new Random(seed)));
		expect(new Set(outcomes)).toEqual(new Set(["read", "refused"]));
	});
});
