import { afterEach, describe, expect, it, vi } from "vitest";
import type { Frames } from "./connection.js";
import { Outbox } from "./outbox.js";
import { ConnectionTraffic, Traffic } from "./traffic.js";

const MiB = 2 ** 20;

function outboxOf() {
	const client = new Traffic();
	const reading = { pause: () => {}, resume: () => {} };
	const written: { readonly frames: Frames; readonly done: (isSent: boolean) => void }[] = [];
	const write = (frames: Frames) => new Promise<boolean>((done) => written.push({ frames, done }));
	return { client, written, outbox: new Outbox(new ConnectionTraffic(client, reading), write) };
}

describe("an outbox", () => {
	afterEach(() => {
		vi.restoreAllMocks();
	});

	it("gives little to the transport at a time, by reference, and counts all", async () => {
		const { client, written, outbox } = outboxOf();
		const frame = new Uint8Array(10 * MiB);
		const sent = Array.from({ length: 1000 }, () => outbox.push([frame]));
		expect([written.length, outbox.waiting, outbox.isHandedOver]).toEqual([1, 1000, false]);
		expect(client.unread).toBeGreaterThanOrEqual(1000 * frame.length);
		for (let k = 0; k < 1000; k += 1) {
			expect(written[k]!.frames[0]).toBe(frame);
			written[k]!.done(true);
			expect(await sent[k]).toBe(true);
		}
		expect([written.length, outbox.waiting, client.unread]).toEqual([1000, 0, 0]);
	});

	it("gives small messages together, in order", async () => {
		const { written, outbox } = outboxOf();
		for (let k = 0; k < 100; k += 1) void outbox.push([Uint8Array.of(k)]);
		expect(written.map(({ frames }) => frames[0]![0])).toEqual(Array.from({ length: 100 }, (_, k) => k));
	});

	it("ends: nothing counts any more, and nobody waits", async () => {
		const { client, written, outbox } = outboxOf();
		const sent = [1, 2, 3].map(() => outbox.push([new Uint8Array(2 * MiB)]));
		outbox.end();
		expect(await Promise.all(sent)).toEqual([false, false, false]);
		expect([client.unread, outbox.waiting, await outbox.push([])]).toEqual([0, 0, false]);
		written[0]!.done(true);
		await sent[0];
		expect([client.unread, written.length]).toEqual([0, 1]);
	});

	it("is stalled when nothing has left for a minute, and not while there is nothing to send", () => {
		const clock = vi.spyOn(performance, "now").mockReturnValue(0);
		const { outbox } = outboxOf();
		const at = (seconds: number, left: number) => {
			clock.mockReturnValue(1000 * seconds);
			return outbox.isStalled(left);
		};
		expect([at(0, 5), at(500, 5)]).toEqual([false, false]);
		void outbox.push([Uint8Array.of(1)]);
		expect([at(559, 5), at(561, 5), at(562, 6), at(621, 6), at(623, 6)]).toEqual([false, true, false, false, true]);
	});
});
