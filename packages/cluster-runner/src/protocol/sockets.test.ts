/** The hub's port against strangers. */
import { connect, createServer } from "node:net";
import { InputError, Random } from "@stickslip/core";
import { afterEach, describe, expect, it } from "vitest";
import { curveKeyPair, Dealer } from "zeromq";
import { Frames, pack, TO_HUB_BYTES_MAX } from "./frames.js";
import { keysOf, newSecret, z85 } from "./keys.js";
import { isToHub, isToMember, RANKS_MAX, type ToHub, type ToMember } from "./messages.js";
import { HubSocket, MemberSocket } from "./sockets.js";

const open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
	for (const close of open.splice(0).reverse()) await close();
});

const LOOPBACK = { bind: "127.0.0.1", advertised: "127.0.0.1" };

async function hubOf(keys = keysOf(newSecret())) {
	const socket = new HubSocket(keys, { at: LOOPBACK });
	open.push(() => socket.close());
	const address = await socket.open();
	const heard: ToHub[] = [];
	void socket.listen((identity, message) => {
		heard.push(message);
		socket.sender(identity)({ kind: "beat" });
	});
	return { keys, socket, address, heard, port: Number(address.split(":").at(-1)) };
}

function dealer(port: number, options: ConstructorParameters<typeof Dealer>[0] = {}) {
	const one = new Dealer({ linger: 0, ...options });
	open.push(() => one.close());
	one.connect(`tcp://127.0.0.1:${port}`);
	return one;
}

/** Bytes that are not ZeroMQ at all. */
function garbage(port: number, bytes: Uint8Array) {
	const raw = connect(port, "127.0.0.1");
	raw.on("error", () => {});
	open.push(() => void raw.destroy());
	raw.write(bytes);
}

const noise = (random: Random, length: number) => Uint8Array.from({ length }, () => random.below(256));

describe("the hub's port", () => {
	it("takes members, and drops garbage, oversized and senseless frames of whoever knows its key, counting them", async () => {
		const { keys, socket, heard, port } = await hubOf();
		const key = keys.frames;
		const random = new Random(3);
		garbage(port, Buffer.alloc(5000, 7));
		const own = curveKeyPair();
		const curve = { curvePublicKey: own.publicKey, curveSecretKey: own.secretKey };
		const insider = { ...curve, curveServerKey: z85(keys.curve.publicKey) };
		const stranger = dealer(port, insider);
		for (let round = 0; round < 200; round += 1) {
			const parts = Array.from({ length: 1 + random.below(4) }, () => noise(random, random.below(60)));
			await stranger.send(parts);
		}
		const mad = dealer(port, insider);
		for (let round = 0; round < 200; round += 1) await mad.send([key, noise(random, 1 + random.below(40))]);
		await mad.send([key, pack({ kind: "beat", and: "more" })]);
		const large = dealer(port, insider);
		await large.send([key, pack({ kind: "chunk", id: 0 }), new Uint8Array(TO_HUB_BYTES_MAX + 100)]);
		const ours = dealer(port, insider);
		const frames = new Frames<ToHub, ToHub>(key, isToHub);
		await ours.send(frames.write({ kind: "beat" }) as never);
		await expect.poll(() => heard.filter(({ kind }) => kind === "beat").length).toBe(1);
		await expect.poll(() => socket.dropped).toBe(401);
		expect(heard).toEqual([{ kind: "beat" }]);
	});

	it("hears and answers members only, whatever others know but the secret", async () => {
		const { keys, socket, address, heard, port } = await hubOf();
		expect(address).toBe(`curve://127.0.0.1:${port}`);
		const answers: string[] = [];
		const listen = async (who: string, one: Dealer) => {
			for await (const _ of one) answers.push(who);
		};
		const frames = new Frames<ToHub, ToMember>(keys.frames, isToMember);
		const message = frames.write({ kind: "beat" }) as never;
		const own = curveKeyPair();
		const pair = { curvePublicKey: own.publicKey, curveSecretKey: own.secretKey };
		const strangers: Record<string, Dealer> = {
			// The frames' key alone opens nothing, and neither do other keys.
			plain: dealer(port),
			other: dealer(port, { ...pair, curveServerKey: curveKeyPair().publicKey }),
			otherRun: dealer(port, { ...pair, curveServerKey: z85(keysOf(newSecret()).curve.publicKey) }),
			self: dealer(port, { ...pair, curveServerKey: own.publicKey }),
		};
		for (const [who, one] of Object.entries(strangers)) {
			void listen(who, one).catch(() => {});
			void one.send(message).catch(() => {});
		}
		const random = new Random(5);
		for (let round = 0; round < 50; round += 1) garbage(port, noise(random, 1 + random.below(2000)));
		// The greeting of ZeroMQ, followed by noise instead of the handshake.
		const greeting = Buffer.alloc(64);
		greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0], 0);
		greeting.write("CURVE", 12);
		for (let round = 0; round < 50; round += 1)
			garbage(port, Buffer.concat([greeting, noise(random, 1 + random.below(400))]));
		// A client with the server's key but not the frames' key is let in, and its frames are dropped.
		const half = dealer(port, { ...pair, curveServerKey: z85(keys.curve.publicKey) });
		void listen("half", half).catch(() => {});
		await half.send([noise(random, 16), pack({ kind: "beat" })]);
		await expect.poll(() => socket.dropped).toBe(1);

		const member = new MemberSocket(address, keys, () => {});
		open.push(() => member.close());
		const said: ToMember[] = [];
		void member.listen((each) => said.push(each));
		member.send({ kind: "received", task: 1 });
		await expect.poll(() => said.length).toBe(1);
		expect([heard, said, answers]).toEqual([[{ kind: "received", task: 1 }], [{ kind: "beat" }], []]);
		expect(socket.refused).toBeGreaterThan(0);
	});

	it("takes what the ranks of one process say at most, and what is larger is refused where it is sent", async () => {
		const { keys, address, heard } = await hubOf();
		const member = new MemberSocket(address, keys, () => {});
		open.push(() => member.close());
		const endpoints = Array.from({ length: RANKS_MAX }, (_, rank) => `ipc:///${"x".repeat(80)}/${rank}`);
		member.send({ kind: "bound", endpoints });
		await expect.poll(() => heard.length).toBe(1);
		const long = endpoints.map((each) => `${each}${"x".repeat(20)}`);
		expect(() => member.send({ kind: "bound", endpoints: long })).toThrow(/a frame of \d+ bytes to the hub/);
	});

	it("is one line where it is in use, or is not an address of this host", async () => {
		const { keys, port } = await hubOf();
		const refused = async (bind: string) => {
			const socket = new HubSocket(keys, { at: { bind, advertised: bind }, port });
			open.push(() => socket.close());
			const error = await socket.open().catch((each: unknown) => each);
			expect(error).toBeInstanceOf(InputError);
			return error instanceof InputError ? error.message : "";
		};
		expect(await refused("127.0.0.1")).toBe(
			`network: 127.0.0.1:${port}: the port is in use; choose another port, or end what listens there`,
		);
		expect(await refused("203.0.113.7")).toMatch(
			/^network: 203\.0\.113\.7:\d+: is not an address of this host; give --listen/,
		);
	});

	it("of a hub that is stopped while a member comes is tried again; one that hangs up at once is gone", async () => {
		let isStopped = true;
		let connections = 0;
		const server = createServer((socket) => {
			connections += 1;
			socket.on("error", () => {});
			open.push(() => void socket.destroy());
			if (!isStopped) socket.destroy();
		});
		open.push(() => void server.close());
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const address = server.address();
		const port = typeof address === "object" && address !== null ? address.port : 0;
		let gone = 0;
		const count = () => {
			gone += 1;
		};
		const member = new MemberSocket(`curve://127.0.0.1:${port}`, keysOf(newSecret()), count, 0);
		open.push(() => member.close());
		void member.listen(() => {});
		await expect.poll(() => connections).toBe(2);
		expect(gone).toBe(0);
		isStopped = false;
		await expect.poll(() => gone).toBeGreaterThan(0);
	});

	it("that nobody listens at, or that is closed, is gone for a member", async () => {
		const { keys, socket, address } = await hubOf();
		let gone = 0;
		const member = new MemberSocket(address, keys, () => {
			gone += 1;
		});
		open.push(() => member.close());
		const said: ToMember[] = [];
		void member.listen((each) => said.push(each));
		member.send({ kind: "received", task: 1 });
		await expect.poll(() => said.length).toBe(1);
		await socket.close();
		await expect.poll(() => gone).toBeGreaterThan(0);
	});
});
