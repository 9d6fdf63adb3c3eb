/** Rings against what was written to them, and wires that share memory against those that do not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "@stickslip/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { closeAll, makeWires } from "../testing/zeromq-wires.js";
import { PAYLOAD_BYTES_MAX } from "./frame.js";
import { RING_BYTES, RING_PAYLOAD_MAX, RingReader, RingWriter } from "./ring.js";
import { createMemory, openMemory } from "./shared-memory.js";
import type { ZeromqWire } from "./wire.js";

const blank = () => ({ from: 0, to: 0, tag: 0, sequence: 0, length: 0, rest: 0 });
const noise = (random: Random, length: number) => Uint8Array.from({ length }, () => random.below(256));

function makeRing() {
	const buffer = new ArrayBuffer(RING_BYTES);
	const writer = new RingWriter(buffer);
	const isOpenBefore = writer.isOpen;
	const reader = new RingReader(buffer, 5);
	return { writer, reader, isOpenBefore };
}

describe("a ring", () => {
	it("is open once its reader has it", () => {
		const { writer, isOpenBefore } = makeRing();
		expect([isOpenBefore, writer.isOpen]).toEqual([false, true]);
	});

	it("gives back what was written, in order, until nothing is left, and takes no more than it has room for", () => {
		const { writer, reader } = makeRing();
		const random = new Random(11);
		const written: { tag: number; sequence: number; payload: Uint8Array }[] = [];
		const header = blank();
		const lengths = [0, 1, 7, 8, 9, 4000, 20_000, 160_000, RING_PAYLOAD_MAX];
		let refused = 0;
		for (let i = 0; i < 3000; i += 1) {
			if (random.below(100) < 55) {
				const payload = noise(random, lengths[random.below(i % 10 === 0 ? lengths.length : 7)]!);
				const frame = { tag: random.below(32), sequence: random.below(2 ** 31) * 2 ** random.below(20), payload };
				if (writer.write(frame.tag, frame.sequence, payload)) written.push(frame);
				else {
					refused += 1;
					// Half of a ring is always free where nothing is under way.
					expect(written.length).toBeGreaterThan(0);
				}
			} else {
				const payload = reader.next(header);
				const expected = written.shift();
				expect(payload && Buffer.compare(payload, expected!.payload)).toBe(expected && 0);
				if (expected === undefined) continue;
				const { tag, sequence } = expected;
				expect(header).toEqual({ from: 5, to: 0, tag, sequence, length: payload!.length, rest: 0 });
				expect(payload!.byteOffset % 8).toBe(0);
			}
		}
		expect(refused).toBeGreaterThan(0);
	});

	it("does not write over a frame that is read", () => {
		const { writer, reader } = makeRing();
		const first = new Uint8Array(RING_PAYLOAD_MAX).fill(1);
		expect(writer.write(0, 0, first)).toBe(true);
		const read = reader.next(blank())!;
		expect(writer.write(0, 1, first.fill(2))).toBe(true);
		expect(writer.write(0, 2, first.fill(3))).toBe(false);
		expect(read.every((byte) => byte === 1)).toBe(true);
		reader.release();
		expect(writer.write(0, 2, first)).toBe(true);
	});

	it("refuses messages that are too long", () => {
		expect(makeRing().writer.write(0, 0, new Uint8Array(RING_PAYLOAD_MAX + 1))).toBe(false);
	});

	it("tells once that its reader sleeps", () => {
		const { writer, reader } = makeRing();
		expect(writer.takeSleep()).toBe(false);
		reader.sleeps = true;
		expect([writer.takeSleep(), writer.takeSleep()]).toEqual([true, false]);
		reader.sleeps = true;
		reader.sleeps = false;
		expect(writer.takeSleep()).toBe(false);
	});

	it("names the rank whose frame has no possible length", () => {
		const buffer = new ArrayBuffer(RING_BYTES);
		const writer = new RingWriter(buffer);
		const reader = new RingReader(buffer, 5);
		writer.write(0, 0, new Uint8Array(8));
		new Int32Array(buffer).fill(2 ** 30, 48, 49);
		expect(() => reader.next(blank())).toThrow(/rank 5.*wrote a frame of 1073741824 bytes/);
	});
});

describe("memory of two processes", () => {
	it("is the same for both, and opened only as long as it is", () => {
		const mine = createMemory(4096);
		// Other systems have none.
		expect(mine !== undefined).toBe(process.platform === "linux");
		if (mine === undefined) return;
		const place = { process: process.pid, file: mine.file };
		expect(openMemory(place, 8192)).toBeUndefined();
		expect(openMemory({ ...place, file: 99_999 }, 4096)).toBeUndefined();
		const theirs = openMemory(place, 4096)!;
		new Uint8Array(mine.buffer)[77] = 5;
		expect(new Uint8Array(theirs.buffer)[77]).toBe(5);
		theirs.release();
		mine.release();
		mine.closeFile();
	});
});

describe("wires in a folder", () => {
	afterEach(() => {
		closeAll();
		vi.restoreAllMocks();
	});

	it("carry the same messages through memory and sockets, each stream in its order", () => {
		const folder = mkdtempSync(join(tmpdir(), "stickslip-"));
		try {
			const [a, b] = makeWires(2, { folder }).wires as [ZeromqWire, ZeromqWire];
			const write = vi.spyOn(RingWriter.prototype, "write");
			const random = new Random(7);
			const lengths = [0, 8, 100, 6000, RING_PAYLOAD_MAX, RING_PAYLOAD_MAX + 1, PAYLOAD_BYTES_MAX + 3];
			for (let round = 0; round < 60; round += 1) {
				const sent = Array.from({ length: 1 + random.below(12) }, (_, i) => ({
					tag: random.below(3),
					bytes: noise(random, lengths[i % 4 === 3 ? random.below(lengths.length) : random.below(4)]!),
				}));
				for (const { tag, bytes } of sent) a.send(1, tag, bytes);
				for (const tag of [2, 0, 1])
					for (const each of sent) if (each.tag === tag) expect(Buffer.compare(b.receive(0, tag), each.bytes)).toBe(0);
				b.send(0, 4, Uint8Array.of(round));
				expect(a.receive(1, 4)[0]).toBe(round);
			}
			expect(a.unread + a.dropped + b.unread + b.dropped).toBe(0);
			a.send(1, 0, Uint8Array.of(1));
			expect(b.unread).toBe(1);
			const ways = new Set(write.mock.results.map(({ value }) => value));
			expect([...ways].sort()).toEqual(process.platform === "linux" ? [false, true] : []);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
