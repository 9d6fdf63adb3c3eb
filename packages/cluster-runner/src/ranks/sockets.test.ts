/** The hub's port against strangers. */
import { connect } from "node:net";
import { Random } from "@stickslip/core";
import { afterEach, describe, expect, it } from "vitest";
import { Dealer } from "zeromq";
import { FRAME_BYTES_MAX, Frames, pack } from "./frames.js";
import { keysOf, newSecret } from "./keys.js";
import { isToHub, type ToHub } from "./messages.js";
import { HubSocket } from "./sockets.js";

describe("the hub's port", () => {
	const open: (() => void | Promise<void>)[] = [];
	afterEach(async () => {
		for (const close of open.splice(0)) await close();
	});

	it("takes members, and drops garbage, oversized and foreign frames, counting them", async () => {
		const keys = keysOf(newSecret());
		const key = keys.frames;
		const socket = new HubSocket(keys);
		open.push(() => socket.close());
		const address = await socket.open();
		const heard: ToHub[] = [];
		void socket.listen((_, message) => heard.push(message));
		const dealer = () => {
			const one = new Dealer({ linger: 0 });
			open.push(() => one.close());
			one.connect(address);
			return one;
		};
		// Bytes that are no ZeroMQ at all.
		const raw = connect(Number(address.split(":").at(-1)), "127.0.0.1");
		raw.on("error", () => {});
		open.push(() => void raw.destroy());
		raw.write(Buffer.alloc(5000, 7));
		const stranger = dealer();
		const random = new Random(3);
		const noise = (length: number) => Uint8Array.from({ length }, () => random.below(256));
		for (let round = 0; round < 200; round += 1) {
			const parts = Array.from({ length: 1 + random.below(4) }, () => noise(random.below(60)));
			await stranger.send(parts);
		}
		const mad = dealer();
		for (let round = 0; round < 200; round += 1) await mad.send([key, noise(1 + random.below(40))]);
		await mad.send([key, pack({ kind: "beat", and: "more" })]);
		const large = dealer();
		await large.send([key, pack({ kind: "piece", id: 0 }), new Uint8Array(FRAME_BYTES_MAX + 1)]);
		const ours = dealer();
		const frames = new Frames<ToHub, ToHub>(key, isToHub);
		await ours.send(frames.write({ kind: "beat" }) as never);
		await expect.poll(() => heard.filter(({ kind }) => kind === "beat").length, { timeout: 5000 }).toBe(1);
		await expect.poll(() => socket.dropped, { timeout: 5000 }).toBe(401);
		expect(heard).toEqual([{ kind: "beat" }]);
	});
});
