/** Honest clients that are slow, large, many, or lost for a moment: the limits on what is on its way cost them time only. */
import { once } from "node:events";
import { connect as connectTcp, createServer, type Socket } from "node:net";
import { type Client, connect } from "@stickslip/client";
import { assembleRigid, generate, openSession, type Problem, solve } from "@stickslip/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Served, served } from "../../testing/served.js";
import { isThorough } from "../../testing/thorough.js";
import { drip, pause, until } from "../testing/index.js";
import { splitProblem } from "../testing/split-problem.js";

const MiB = 2 ** 20;
const TRANSPORTS = ["zeromq", "websocket"] as const;
const { rigid, ...pile } = generate("spheres", { contacts: 4000, seed: 3 });
/** More than 2 MiB. */
const large: Problem = { ...pile, W: assembleRigid(rigid!) };
const options = { tolerance: 1e-300, maxIterations: 2 };
const { hash } = solve(large, options).report;
/** Two of these messages are above the limit, which incomplete ones have together. */
const limits = { bytes: 8 * MiB, message: 8 * MiB };
const open = () => openSession();

interface Line {
	readonly port: number;
	/** Ends all connections. */
	cut(): void;
}

/** Link between clients and a port that forwards a chunk each way and then pauses. */
async function slowLine(port: number, bytes: number, seconds: number): Promise<Line> {
	const sockets = new Set<Socket>();
	const pump = async (from: Socket, to: Socket) => {
		for await (const chunk of from) {
			for (let at = 0; at < chunk.length; at += bytes) {
				if (!to.write(chunk.subarray(at, at + bytes))) await Promise.race([once(to, "drain"), once(to, "close")]);
				if (seconds > 0) await pause(seconds);
			}
		}
		to.end();
	};
	const server = createServer((near) => {
		const far = connectTcp(port, "127.0.0.1");
		for (const [from, to] of [
			[near, far],
			[far, near],
		] as const) {
			sockets.add(from);
			from.on("error", () => {});
			pump(from, to).catch(() => {});
		}
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const cut = () => {
		for (const socket of sockets) socket.destroy();
		sockets.clear();
	};
	onTestFinished(() => {
		cut();
		server.close();
	});
	return { port: (server.address() as { port: number }).port, cut };
}

async function overLine({ file }: Served, transport: (typeof TRANSPORTS)[number], bytes: number, seconds: number) {
	const { local: _local, ...details } = file();
	const portOf = (address: string) => Number(/:(\d+)$/.exec(address)?.[1]);
	const line = await slowLine(portOf(details[transport]), bytes, seconds);
	const there = { ...details, [transport]: details[transport].replace(/\d+$/, String(line.port)) };
	return { line, there };
}

async function clientOf(where: Parameters<typeof connect>[0], transport: (typeof TRANSPORTS)[number]): Promise<Client> {
	const client = await connect(where, { transport });
	onTestFinished(() => client.close());
	return client;
}

describe.each(TRANSPORTS)("over %s", (transport) => {
	it("a slow network: large problems of several connections, all at once", async () => {
		const service = await served(open, { limits });
		const { there } = await overLine(service, transport, 2 ** 15, 0.002);
		const clients = await Promise.all([1, 2, 3, 4].map(() => clientOf(there, transport)));
		const answers = await Promise.all(clients.map((client) => client.solve(large, options)));
		expect(answers.map(({ report }) => report.hash)).toEqual([hash, hash, hash, hash]);
	});

	it("a large problem in many parts, which are above the limit of incomplete messages together", async () => {
		const service = await served(open, { limits: { bytes: 4 * MiB, message: 4 * MiB } });
		const of = 8;
		const parts = splitProblem(large, (id) => id % of, of, "W");
		const clients = await Promise.all(parts.map(() => clientOf(service.file(), transport)));
		const solvePart = (client: Client, index: number) =>
			client.solvePart(parts[index]!, { ...options, group: "g", index, of });
		const answers = await Promise.all(clients.map(solvePart));
		for (const { report } of answers) expect(report.hash).toBe(hash);
	});

	it("a client that is cut off in the middle of its message, connects again and sends it again", async () => {
		const service = await served(open, { limits });
		const { line, there } = await overLine(service, transport, 2 ** 15, 0.002);
		const client = await clientOf(there, transport);
		const answer = client.solve(large, options);
		await pause(0.1);
		line.cut();
		expect((await answer).report.hash).toBe(hash);
	});

	it("many small requests at once, whose answers are read late", async () => {
		const service = await served(open, { limits: { ...limits, requests: 500 } });
		const { there } = await overLine(service, transport, 2 ** 12, 0.001);
		const client = await clientOf(there, transport);
		const small = generate("spheres", { contacts: 40, seed: 1 });
		const expected = solve(small).report.hash;
		const answers = await Promise.all(Array.from({ length: 200 }, () => client.solve(small)));
		expect(new Set(answers.map(({ report }) => report.hash))).toEqual(new Set([expected]));
	});

	// Part of `npm test -- --thorough` only: half a minute.
	if (isThorough)
		it("a client that waits behind a dripping one of its own, longer than any silence", async () => {
			const service = await served(open, { limits });
			const attack = await drip(service.file() as Parameters<typeof drip>[0], ["websocket"], {
				count: 3,
				bytes: 7 * MiB,
			});
			onTestFinished(() => attack.stop());
			const paused = async () => /paused_connections{client="ann"} [1-9]/.test((await service.page("/metrics")).text);
			await until("some wait", paused);
			const client = await clientOf(service.file(), transport);
			let losses = 0;
			const answer = client.solve(large, options).finally(() => {
				losses += 1;
			});
			await pause(25);
			expect(losses).toBe(0);
			expect((await service.page("/metrics")).text).toContain('service_connections{client="ann"} 4\n');
			attack.stop();
			expect((await answer).report.hash).toBe(hash);
		});
});
