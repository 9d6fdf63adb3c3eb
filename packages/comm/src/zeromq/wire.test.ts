import { once } from "node:events";
import { connect } from "node:net";
import { Random } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { afterEach, describe, expect, it } from "vitest";
import { Control } from "../base/control.js";
import { Patience, sleep } from "../base/patience.js";
import { closeAll, key, makeWires, stranger } from "../testing/zeromq-wires.js";
import { bindZeromq } from "./bind.js";
import { FRAME_BYTES_MAX, Frames, HEADER_BYTES, PAYLOAD_BYTES_MAX } from "./frame.js";
import { candidates, open, zeromq } from "./library.js";
import type { ZeromqWire } from "./wire.js";

afterEach(closeAll);

const noise = (random: Random, length: number): Uint8Array => Uint8Array.from({ length }, () => random.below(256));

describe("a wire of zeromq", () => {
	it("loads libzmq out of the npm package, and says why where it cannot", () => {
		expect(zeromq().version).toMatch(/^4\.\d+\.\d+$/);
		expect(candidates().length).toBeGreaterThan(0);
		expect(() => open(["/nowhere/addon.node"])).toThrow(/has no libzmq that loads here.*nowhere.*reinstall/s);
	});

	it("carries messages of any length, from its own memory and from others'", () => {
		const [a, b] = makeWires(2).wires as [ZeromqWire, ZeromqWire];
		const random = new Random(3);
		for (const length of [0, 1, 8, 1000, PAYLOAD_BYTES_MAX, PAYLOAD_BYTES_MAX + 1, 5 * PAYLOAD_BYTES_MAX + 77]) {
			const sent = noise(random, length);
			const own = a.reserve(length);
			expect(own.byteOffset % 8).toBe(0);
			own.set(sent);
			a.send(1, 3, own);
			own.fill(0);
			a.send(1, 3, sent);
			a.send(1, 3, own.subarray(0, Math.min(length, 5)));
			for (let i = 0; i < 2; i += 1) expect(Buffer.compare(b.receive(0, 3), sent), `${length} bytes`).toBe(0);
			expect(b.receive(0, 3)).toEqual(new Uint8Array(Math.min(length, 5)));
		}
		expect(b.unread + b.dropped).toBe(0);
	});

	it("keeps messages that nobody has asked for yet, each stream in its order", () => {
		const [a, b, c] = makeWires(3).wires as [ZeromqWire, ZeromqWire, ZeromqWire];
		for (let i = 0; i < 300; i += 1) {
			a.send(2, i % 3, Uint8Array.of(i & 255));
			b.send(2, 1, Uint8Array.of(i & 255));
		}
		for (let i = 0; i < 300; i += 1) expect(c.receive(1, 1)[0]).toBe(i & 255);
		for (const tag of [2, 0, 1])
			for (let i = tag; i < 300; i += 3) expect(c.receive(0, tag)[0], `tag ${tag}`).toBe(i & 255);
		expect(c.unread).toBe(0);
	});

	it("drops and counts what is not its own, and goes on", () => {
		const { wires: all, endpoints } = makeWires(2);
		const [a, b] = all as [ZeromqWire, ZeromqWire];
		const send = stranger(endpoints[1]!);
		const random = new Random(5);
		const forged = (frames: Frames, header: object, length = 8): Uint8Array => {
			const words = new Uint32Array((HEADER_BYTES + length) / 4);
			frames.write(words, { from: 0, to: 1, tag: 0, sequence: 0, length, rest: 0, ...header });
			return new Uint8Array(words.buffer);
		};
		const mine = new Frames(key, 2);
		let bad = 0;
		const strange = (bytes: Uint8Array) => {
			send(bytes);
			bad += 1;
		};
		for (let round = 0; round < 200; round += 1) {
			strange(noise(random, random.below(300)));
			strange(forged(new Frames(noise(random, 16), 2), {}));
			strange(forged(mine, { from: 1 }));
			strange(forged(mine, { to: 0 }));
			strange(forged(mine, { length: 16 }).subarray(0, HEADER_BYTES + 8));
			strange(forged(mine, {}).subarray(0, random.below(HEADER_BYTES + 8)));
			const flipped = forged(mine, {});
			flipped[random.below(HEADER_BYTES)]! ^= 1 << random.below(8);
			strange(flipped);
		}
		strange(new Uint8Array(FRAME_BYTES_MAX));
		for (let round = 0; round < 100; round += 1) {
			a.send(1, 0, Uint8Array.of(round));
			expect(b.receive(0, 0)[0]).toBe(round);
		}
		// A frame that was seen before: a recording of the first.
		strange(forged(mine, { length: 0 }, 0));
		for (let wait = 0; wait < 200 && b.dropped < bad; wait += 1) {
			sleep(10);
			a.send(1, 1, Uint8Array.of(1));
			b.receive(0, 1);
		}
		expect(b.dropped).toBe(bad);
		expect(b.unread).toBe(0);
	});

	it("is not disturbed by frames that are too long, nor by bytes that are no frames", async () => {
		const { wires: all, endpoints } = makeWires(2);
		const [a, b] = all as [ZeromqWire, ZeromqWire];
		stranger(endpoints[1]!)(new Uint8Array(FRAME_BYTES_MAX + 1));
		const random = new Random(6);
		const [, host, port] = /^tcp:\/\/(.*):(\d+)$/.exec(endpoints[1]!) ?? [];
		// ZeroMQ's own greeting, so that some of the noise gets further than the door: what it says then may even be a frame.
		const greeting = Uint8Array.of(0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0, 0x4e, 0x55, 0x4c, 0x4c);
		for (let round = 0; round < 40; round += 1) {
			const socket = connect(Number(port), host);
			socket.on("error", () => undefined);
			await once(socket, "connect");
			const bytes = noise(random, random.below(5000));
			if (round % 2 === 0) bytes.set(greeting.subarray(0, Math.min(bytes.length, 1 + random.below(16))));
			if (round % 4 === 0) socket.write(Buffer.concat([greeting, new Uint8Array(48), bytes]));
			else socket.write(bytes);
			a.send(1, 0, Uint8Array.of(round));
			expect(b.receive(0, 0)[0]).toBe(round);
			socket.destroy();
		}
		expect(b.unread).toBe(0);
	});

	it("names the rank that does not send, after its patience", () => {
		const { wires: all, controls } = makeWires(3, { seconds: 0.3 });
		const [a, b] = all as [ZeromqWire, ZeromqWire];
		expect(() => a.receive(2, 0)).toThrow(/^rank 2 is late: after 0.3 s/);
		expect(controls[0]?.failure()?.rank).toBe(2);
		// The others hear of it.
		expect(() => b.receive(0, 0)).toThrow(/^rank 2 is late/);
	});

	it("tells all others of a failure", () => {
		const { wires: all } = makeWires(3);
		const [a, b, c] = all as [ZeromqWire, ZeromqWire, ZeromqWire];
		b.abort(1, "has had enough");
		for (const wire of [a, c]) {
			expect(() => wire.receive(0 + (wire === a ? 2 : 0), 0)).toThrow(new RankError(1, "has had enough").message);
		}
	});

	it("refuses addresses that make no sense", () => {
		const control = Control.create();
		const patience = new Patience({ control, seconds: 1, spins: 0 });
		const binding = bindZeromq({ rank: 0, size: 2, key, control, patience });
		try {
			expect(() => binding.connect([binding.endpoint])).toThrow(/endpoints: 1 for 2 ranks; pass one/);
			expect(() => binding.connect([binding.endpoint, "tcp://here"])).toThrow(/rank 1 has "tcp:\/\/here"/);
		} finally {
			binding.close();
		}
		expect(() => bindZeromq({ rank: 0, size: 2, key, control, patience, host: "256.1.1.1" })).toThrow(
			/zmq_bind to tcp:\/\/256/,
		);
		expect(() => bindZeromq({ rank: 0, size: 2, key, control, patience, host: "0.0.0.0" })).toThrow(/name the address/);
	});
});
