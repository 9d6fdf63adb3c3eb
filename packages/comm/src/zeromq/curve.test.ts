/** Encryption between hosts: the same wire, and strangers that can neither send nor read anything. */
import { once } from "node:events";
import { connect } from "node:net";
import { Random } from "@stickslip/core";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { curveKeys } from "../testing/curve-keys.js";
import { Link, relayProgram } from "../testing/link.js";
import { closeAll, impostor, key, makeWires, stranger } from "../testing/zeromq-wires.js";
import { Frames, HEADER_BYTES, PAYLOAD_BYTES_MAX } from "./frame.js";
import { Sockets } from "./socket.js";
import type { ZeromqWire } from "./wire.js";

const curve = curveKeys();
const relay = relayProgram();
afterAll(() => relay.remove());
afterEach(closeAll);

const noise = (random: Random, length: number): Uint8Array => Uint8Array.from({ length }, () => random.below(256));

/** A frame that the wire would take if it came in: the stranger even has the key of the frames. */
function goodFrame(sequence: number): Uint8Array {
	const words = new Uint32Array((HEADER_BYTES + 8) / 4);
	new Frames(key, 2).write(words, { from: 0, to: 1, tag: 2, sequence, length: 8, rest: 0 });
	return new Uint8Array(words.buffer);
}

describe("a wire with CURVE", () => {
	it("carries messages of any length", () => {
		const [a, b] = makeWires(2, { curve }).wires as [ZeromqWire, ZeromqWire];
		const random = new Random(3);
		for (const length of [0, 1, 8, 1000, PAYLOAD_BYTES_MAX, PAYLOAD_BYTES_MAX + 1, 3 * PAYLOAD_BYTES_MAX + 77]) {
			const sent = noise(random, length);
			a.send(1, 3, sent);
			expect(Buffer.compare(b.receive(0, 3), sent), `${length} bytes`).toBe(0);
		}
		expect(b.unread + b.dropped).toBe(0);
	});

	it("shows nobody on the way what it carries", async () => {
		const secret = Buffer.from("what rank 0 has to say to rank 1, sixteen times: ".repeat(16));
		const says = (options: { curve?: typeof curve }) => {
			let link: Link | undefined;
			const reroute = ([first, second]: string[]) => {
				link = new Link(relay, second!);
				return [first!, link.endpoint];
			};
			const [a, b] = makeWires(2, { ...options, reroute }).wires as [ZeromqWire, ZeromqWire];
			a.send(1, 0, secret);
			expect(Buffer.compare(b.receive(0, 0), secret)).toBe(0);
			return link!;
		};
		const [open, closed] = [says({}), says({ curve })];
		expect(Buffer.from(open.record).includes(secret)).toBe(true);
		expect(closed.record.length).toBeGreaterThan(secret.length);
		expect(Buffer.from(closed.record).includes("rank 0")).toBe(false);
		expect(Buffer.from(closed.record).includes(Buffer.from(curve.publicKey))).toBe(false);
		await Promise.all([open.end(), closed.end()]);
	});

	it("takes nothing from one without keys or with others, whatever else it knows", () => {
		const { wires, endpoints } = makeWires(2, { curve });
		const [a, b] = wires as [ZeromqWire, ZeromqWire];
		const strangers = [stranger(endpoints[1]!), stranger(endpoints[1]!, curveKeys())];
		for (let round = 0; round < 100; round += 1) {
			for (const send of strangers) send(goodFrame(round));
			a.send(1, 0, Uint8Array.of(round));
			expect(b.receive(0, 0)[0]).toBe(round);
		}
		// A stranger with the keys is let in: so only the keys kept the others out.
		const insider = stranger(endpoints[1]!, curve);
		insider(goodFrame(0));
		expect(b.receive(0, 2).length).toBe(8);
		expect(b.unread + b.dropped).toBe(0);
	});

	it("tells nothing to one who stands where a rank should be", () => {
		for (const other of [undefined, curveKeys()]) {
			const { endpoint, receives } = impostor(other);
			const { wires, controls } = makeWires(2, { curve, reroute: ([first]) => [first!, endpoint] });
			const a = wires[0]!;
			a.send(1, 0, Uint8Array.of(1, 2, 3));
			for (let slice = 0; slice < 6; slice += 1) expect(receives()).toBe(false);
			// Otherwise its close would wait for the message to leave.
			controls[0]!.abort(0, "gives up");
		}
	});

	it("is not disturbed by bytes that are no handshake", async () => {
		const { wires, endpoints } = makeWires(2, { curve });
		const [a, b] = wires as [ZeromqWire, ZeromqWire];
		const [, host, port] = /^tcp:\/\/(.*):(\d+)$/.exec(endpoints[1]!) ?? [];
		// ZeroMQ's greeting with the name of the mechanism, so that the noise is taken for its first command.
		const greeting = new Uint8Array(64);
		greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0, ...Buffer.from("CURVE")]);
		const hello = [4, 200, 5, ...Buffer.from("HELLO"), 1, 0];
		const random = new Random(8);
		for (let round = 0; round < 40; round += 1) {
			const socket = connect(Number(port), host);
			socket.on("error", () => undefined);
			await once(socket, "connect");
			const bytes = noise(random, random.below(2000));
			if (round % 4 === 0) socket.write(bytes);
			else if (round % 4 === 1) socket.write(Buffer.concat([greeting, bytes]));
			else if (round % 4 === 2) socket.write(Buffer.concat([greeting, Uint8Array.from(hello), bytes]));
			else socket.write(greeting.subarray(0, random.below(64)));
			a.send(1, 0, Uint8Array.of(round));
			expect(b.receive(0, 0)[0]).toBe(round);
			socket.destroy();
		}
		expect(b.unread + b.dropped).toBe(0);
	});

	it("refuses keys of another length", () => {
		const short = { ...curve, secretKey: new Uint8Array(31) };
		expect(() => new Sockets(0, short)).toThrow("a key of CURVE has 32 bytes");
	});
});
