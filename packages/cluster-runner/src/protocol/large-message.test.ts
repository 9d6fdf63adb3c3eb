/** Large messages and frames: they arrive unchanged, whatever their size; foreign frames are dropped, and invalid ones are an error, never a crash. */
import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { CHUNK_BYTES_MAX, Frames, KEY_BYTES, pack } from "./frames.js";
import { LargeMessages, packLargeMessage } from "./large-message.js";
import { isToHub, type LargeMessageHead, type ToHub } from "./messages.js";

function travelled(value: unknown, messages = new LargeMessages(2 ** 30)): unknown {
	let whole: { readonly value: unknown } | undefined;
	for (const { message, bytes } of packLargeMessage(7, value)) {
		expect(whole).toBeUndefined();
		// As a socket delivers it: other memory, at any address.
		const moved = bytes && Uint8Array.from([0, ...bytes]).subarray(1);
		whole = messages.take(message, moved);
	}
	return whole?.value;
}

describe("a large message", () => {
	it.each([
		["nothing much", { a: 1, b: "two", c: [true, null, -0.5], d: {} }],
		[
			"arrays of all kinds",
			{ f: Float64Array.of(1.5, -0, Number.NaN), i: Int32Array.of(-1, 2), u: Uint8Array.of(255) },
		],
		["numbers that have no other form", [-0, 0, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 60, 5e-324]],
		["empty arrays", { f: new Float64Array(0), rest: [new Int32Array(0), 3] }],
		["a history, which becomes a list again", { history: Array.from({ length: 1000 }, (_, i) => i / 3) }],
		["an array of several chunks", { f: Float64Array.from({ length: CHUNK_BYTES_MAX / 4 + 3 }, (_, i) => i) }],
	])("carries %s", (_, value) => {
		expect(travelled(value)).toEqual(value);
	});

	it("goes in one message where it is small, and in chunks of a size where it is not, whatever its arrays are", () => {
		const lengthsOf = (value: unknown, chunkBytes: number) =>
			[...packLargeMessage(7, value, chunkBytes)].map(({ bytes }) => bytes?.length ?? 0);
		const small = { a: new Float64Array(3), b: new Int32Array(5), c: Uint8Array.of(1) };
		expect(lengthsOf(small, 1000)).toHaveLength(1);
		for (let seed = 1; seed <= 50; seed += 1) {
			const random = new Random(seed);
			const arrays = Array.from({ length: random.below(20) }, () =>
				Float64Array.from({ length: random.below(2) * random.below(300) }, () => random.uniform()),
			);
			const lengths = lengthsOf(arrays, 512);
			expect(lengths.slice(0, -1).every((length) => length === 512)).toBe(true);
			expect(lengths.at(-1)).toBeLessThanOrEqual(512);
			const messages = new LargeMessages(2 ** 20);
			let whole: { readonly value: unknown } | undefined;
			for (const { message, bytes } of packLargeMessage(7, arrays, 512)) whole = messages.take(message, bytes);
			expect(whole?.value, `seed ${seed}`).toEqual(arrays);
		}
	});

	it("carries part of an array without the rest of its memory", () => {
		const whole = Float64Array.of(1, 2, 3, 4);
		const { part } = travelled({ part: whole.subarray(1, 3) }) as { part: Float64Array };
		expect([...part]).toEqual([2, 3]);
		expect(part.buffer.byteLength).toBe(16);
	});

	it("of more arrays than the other side takes is refused by its sender", () => {
		const arrays = (count: number) => Array.from({ length: count }, () => new Int32Array(0));
		expect(() => packLargeMessage(0, arrays(100_000)).next()).toThrow(
			/a large message of 100001 arrays, and 100000 are the most/,
		);
		expect(isToHub(packLargeMessage(0, arrays(99_999)).next().value?.message)).toBe(true);
	});

	it("is refused above the limit, before there is memory for it", () => {
		expect(() => travelled({ f: new Float64Array(1000) }, new LargeMessages(5000))).toThrow(/above the limit of 5000/);
		const greedy: LargeMessageHead = { kind: "large-message", id: 0, lengths: [2 ** 50] };
		expect(() => new LargeMessages(2 ** 30).take(greedy, undefined)).toThrow(/above the limit/);
	});

	it("is refused where chunks do not fit it", () => {
		const chunk = { kind: "chunk", id: 1 } as const;
		const started = () => {
			const messages = new LargeMessages(1000);
			messages.take({ kind: "large-message", id: 1, lengths: [4, 8] }, new Uint8Array(3));
			return messages;
		};
		expect(() => started().take(chunk, new Uint8Array(10))).toThrow(/does not fit/);
		expect(() => started().take(chunk, new Uint8Array(0))).toThrow(/without its bytes/);
		expect(() => started().take(chunk, undefined)).toThrow(/without its bytes/);
		expect(started().take(chunk, new Uint8Array(8))).toBeUndefined();
		expect(() => started().take({ kind: "chunk", id: 2 }, new Uint8Array(4))).toThrow(/not announced/);
		expect(() => started().take({ kind: "large-message", id: 1, lengths: [1] }, undefined)).toThrow(/twice/);
	});

	it("is refused where it names an array that it has not, or half of one", () => {
		const head = (value: unknown, ...lengths: number[]) => {
			const messages = new LargeMessages(1000);
			const head = pack(value);
			let last = messages.take({ kind: "large-message", id: 0, lengths: [head.length, ...lengths] }, head);
			for (const length of lengths) last = messages.take({ kind: "chunk", id: 0 }, new Uint8Array(length));
			return last?.value;
		};
		expect(() => head({ x: { array: "f64", at: 1 } })).toThrow(/does not have/);
		expect(() => head({ x: { array: "f64", at: 1 } }, 12)).toThrow(/truncated/);
		expect(head({ x: { array: "f64", at: 1 } }, 16)).toEqual({ x: new Float64Array(2) });
	});
});

describe("a frame", () => {
	const key = new Uint8Array(KEY_BYTES).fill(9);
	const frames = new Frames<ToHub, ToHub>(key, isToHub);

	it("is read where it is ours, and dropped where key, message or length are not", () => {
		const beat = { kind: "beat" } as const;
		expect(frames.read(frames.write(beat))).toEqual({ message: beat });
		const other = new Frames<ToHub, ToHub>(new Uint8Array(KEY_BYTES), isToHub);
		expect(other.read(frames.write(beat))).toBeUndefined();
		const bad: unknown[] = [
			{ kind: "beat", more: 1 },
			{ kind: "tea" },
			{ kind: "hello", version: "1", process: -1, pid: 1 },
			{ kind: "hello", version: "x".repeat(101), process: 0, pid: 1 },
			{ kind: "bound", endpoints: Array.from({ length: 1025 }, () => "tcp://x:1") },
			{ kind: "failed", rank: 0.5, reason: "" },
			[],
			"beat",
			null,
		];
		for (const message of bad) expect(frames.read([key, pack(message)])).toBeUndefined();
		expect(frames.read([key, pack({ kind: "beat" }), new Uint8Array(CHUNK_BYTES_MAX + 1)])).toBeUndefined();
		expect(frames.read([key])).toBeUndefined();
		expect(frames.read([])).toBeUndefined();
		expect(frames.read([key, pack({ kind: "beat" }), key, key])).toBeUndefined();
	});

	it("of noise is dropped, also with the right key", () => {
		const random = new Random(20);
		for (let round = 0; round < 20_000; round += 1) {
			const noise = Uint8Array.from({ length: random.below(40) }, () => random.below(256));
			const message = frames.read([key, noise])?.message;
			expect(message === undefined || isToHub(message)).toBe(true);
		}
	});
});
