/** A connection that breaks or stalls: the run goes on where nothing was lost, and a message that was lost is named within seconds. */
import { RankError } from "@stickslip/core/parallel";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { curveKeys } from "../testing/curve-keys.js";
import { Link, relayProgram } from "../testing/link.js";
import { closeAll, makeWires } from "../testing/zeromq-wires.js";
import type { ZeromqWire } from "./wire.js";

const relay = relayProgram();
const links: Link[] = [];
afterAll(() => relay.remove());
afterEach(async () => {
	closeAll();
	await Promise.all(links.splice(0).map((link) => link.end()));
});

/** Two ranks; what the first sends to the second goes over the link. The second has been sent one message. */
function linked(isEncrypted: boolean) {
	const reroute = ([first, second]: string[]) => {
		links.push(new Link(relay, second!));
		return [first!, links[0]!.endpoint];
	};
	const made = makeWires(2, { seconds: 100, reroute, ...(isEncrypted && { curve: curveKeys() }) });
	const [a, b] = made.wires as [ZeromqWire, ZeromqWire];
	a.send(1, 0, Uint8Array.of(0));
	expect(b.receive(0, 0)[0]).toBe(0);
	// While the second waits for the first, the first waits too.
	made.controls[1]!.meanwhile = () => a.serve(1);
	return { a, b, link: links[0]! };
}

const lost = new RankError(0, "is cut off: its message to rank 1 was lost on the way").message;

describe.each([
	["plain", false],
	["encrypted", true],
])("a %s connection", (_, isEncrypted) => {
	it("that breaks while nothing is under way is made anew", () => {
		const { a, b, link } = linked(isEncrypted);
		for (let round = 1; round <= 3; round += 1) {
			link.cut();
			link.waitForConnections(1 + round);
			a.send(1, 0, Uint8Array.of(round));
			expect(b.receive(0, 0)[0]).toBe(round);
		}
	});

	it("that breaks with a message on it is named, though nothing more is sent", () => {
		const { a, b, link } = linked(isEncrypted);
		link.mode = "swallow";
		a.send(1, 0, Uint8Array.of(1));
		link.waitForLoss(1);
		link.cut();
		link.mode = "pass";
		// Not as one that is late: that would be after its patience.
		expect(() => b.receive(0, 0)).toThrow(lost);
		// The other one knows it too.
		expect(() => a.receive(1, 0)).toThrow(lost);
	});

	it("that loses a message and carries the next is named", () => {
		const { a, b, link } = linked(isEncrypted);
		link.mode = "swallow";
		a.send(1, 0, Uint8Array.of(1));
		link.waitForLoss(1);
		link.cut();
		link.mode = "pass";
		a.send(1, 0, Uint8Array.of(2));
		expect(() => b.receive(0, 0)).toThrow(lost);
	});
});

it("a link that holds everything up for a while is waited for", () => {
	const { a, b, link } = linked(true);
	for (const heldMs of [300, 1800]) {
		link.mode = "hold";
		a.send(1, 0, new Uint8Array(700_000).fill(7));
		const end = performance.now() + heldMs;
		const serve = () => {
			if (performance.now() > end) link.mode = "pass";
			a.serve(1);
		};
		while (performance.now() < end) serve();
		serve();
		expect(b.receive(0, 0).every((byte) => byte === 7)).toBe(true);
	}
});
