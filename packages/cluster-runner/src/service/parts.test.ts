/** Problems in parts through the service: as many connections, one answer; an error in one part is the answer to all. */
import { toPartArrays } from "@stickslip/client/protocol";
import {
	assembleRigid,
	generate,
	openSession,
	type Problem,
	type ProblemPart,
	type Session,
	solve,
} from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { PLAIN_TRANSPORTS, PlainClient } from "../../testing/plain-client.js";
import { PlayedSession } from "../../testing/played-session.js";
import { noProc, rankProcesses } from "../../testing/processes.js";
import { type Served, served } from "../../testing/served.js";
import { openSession as openRanks } from "../session/open-session.js";
import { splitProblem } from "../testing/split-problem.js";

const { rigid, W: _W, global: _global, ...pile } = generate("spheres", { contacts: 120, seed: 6 });
const whole: Problem = { ...pile, W: assembleRigid(rigid!) };
const { contacts } = whole;

const partHead = (index: number, of: number, more: object = {}) => ({
	type: "solve",
	id: `p${index}`,
	contacts,
	name: "pile",
	part: { group: "g", index, of },
	...more,
});

/** One connection of the client for each part. */
async function clientsOf({ file }: Served, count: number, transport: (typeof PLAIN_TRANSPORTS)[number] = "websocket") {
	return await Promise.all(Array.from({ length: count }, () => PlainClient.welcome(transport, file())));
}

const rowsOf = (of: number): ProblemPart[] => splitProblem(whole, (id) => id % of, of, "W");

async function expectAnswers(clients: readonly PlainClient[], parts: readonly ProblemPart[]) {
	const { report, reaction, velocity } = solve(whole);
	for (const [index, client] of clients.entries()) {
		const { head, arrays } = await client.next("result");
		expect(head).toMatchObject({ id: `p${index}`, report: { hash: report.hash, problem: "pile", contacts } });
		for (const [i, id] of parts[index]!.ids.entries()) {
			expect(arrays.get("reaction")!.subarray(3 * i, 3 * i + 3)).toEqual(reaction.subarray(3 * id, 3 * id + 3));
			expect(arrays.get("velocity")!.subarray(3 * i, 3 * i + 3)).toEqual(velocity.subarray(3 * id, 3 * id + 3));
		}
	}
}

describe.each(PLAIN_TRANSPORTS)("over %s", (transport) => {
	it.each([
		["one thread", () => openSession()],
		["two ranks", () => openRanks({ ranks: 2, transport: "threads" })],
	] as const)("more clients than the session has places: %s", async (_name, open: () => Promise<Session>) => {
		const service = await served(open);
		const parts = rowsOf(5);
		const clients = await clientsOf(service, 5, transport);
		for (const [index, client] of [...clients.entries()].reverse()) {
			client.send(partHead(index, 5), toPartArrays(parts[index]!));
		}
		await expectAnswers(clients, parts);
		// The group may be used again.
		for (const [index, client] of clients.entries()) {
			client.send(partHead(index, 5, { id: `q${index}`, options: { tolerance: 1e-5 } }), toPartArrays(parts[index]!));
		}
		const { hash } = solve(whole, { tolerance: 1e-5 }).report;
		for (const client of clients) expect((await client.next("result")).head.report).toMatchObject({ hash });
	});
});

describe("what goes wrong with one part is the answer to all", () => {
	const [even, odd] = rowsOf(2);
	const nan = { ...odd!, q: odd!.q.map(() => Number.NaN) };
	it.each([
		["numbers", partHead(1, 2), toPartArrays(nan), "bad-input part 1: q[0]"],
		["contacts twice", partHead(1, 2), toPartArrays(even!), "bad-input part 1: ids"],
		["other options", partHead(1, 2, { options: { tolerance: 1e-7 } }), toPartArrays(odd!), "incomplete options"],
		["another count", partHead(1, 3), toPartArrays(odd!), "incomplete part.of"],
		["the same part", partHead(0, 2, { id: "p1" }), toPartArrays(odd!), "incomplete part.index"],
		["an array too much", partHead(1, 2), toPartArrays(odd!).set("keys", odd!.mu), "bad-input keys"],
		["a pattern", partHead(1, 2, { pattern: "P" }), toPartArrays(odd!), "bad-input pattern"],
		["an option", partHead(1, 2, { options: { repeat: 2 } }), toPartArrays(odd!), "bad-input options.repeat"],
	])("%s", async (_what, head, arrays, refusal) => {
		const service = await served(() => openSession());
		const [one, other] = await clientsOf(service, 2);
		one!.send(partHead(0, 2), toPartArrays(even!));
		other!.send(head, arrays);
		expect(await other!.refusal()).toBe(`p1 ${refusal}`);
		expect(await one!.refusal()).toBe(`p0 ${refusal}`);
		// The service goes on, and takes the group again.
		one!.send(partHead(0, 2, { id: "r0" }), toPartArrays(even!));
		other!.send(partHead(1, 2, { id: "r1" }), toPartArrays(odd!));
		for (const client of [one!, other!]) {
			expect((await client.next("result")).head.report).toMatchObject({ hash: solve(whole).report.hash });
		}
	});

	it("a part that never comes, one that is cancelled, one whose client is gone, a service that ends", async () => {
		const service = await served(() => openSession(), { partSeconds: 0.4 });
		const [one, other] = await clientsOf(service, 2);
		one!.send(partHead(0, 2), toPartArrays(even!));
		expect((await one!.next("error")).head).toMatchObject({
			id: "p0",
			code: "incomplete",
			field: "part",
			message: "part 1 of 2 did not come within 0.4 s",
		});
		for (const [index, client] of [one!, other!].entries()) {
			client.send(partHead(index, 3, { id: `c${index}` }), toPartArrays(index === 0 ? even! : odd!));
		}
		other!.send({ type: "cancel", id: "c1" });
		expect(await other!.refusal()).toBe("c1 cancelled id");
		expect(await one!.refusal()).toBe("c0 incomplete part");
		one!.send(partHead(0, 3, { id: "d0" }), toPartArrays(even!));
		other!.send(partHead(1, 3, { id: "d1" }), toPartArrays(odd!));
		other!.send({ type: "ping" });
		await other!.next("pong");
		other!.end();
		expect(await one!.refusal()).toBe("d0 incomplete part");
		one!.send(partHead(0, 3, { id: "e0" }), toPartArrays(even!));
		one!.send({ type: "ping" });
		await one!.next("pong");
		const drained = service.service.drain("test", 1);
		await one!.next("bye");
		expect(await one!.refusal()).toBe("e0 draining part");
		await drained;
	});

	it.skipIf(noProc)(
		"a rank that is lost with the parts it has; the service goes on with others (needs /proc)",
		async () => {
			process.env.STICKSLIP_TEST_PARTS = `parts-${process.pid}`;
			const service = await served(() => openRanks({ ranks: 2, transport: "zeromq" }));
			const [one, other] = await clientsOf(service, 2);
			one!.send(partHead(0, 2), toPartArrays(even!));
			one!.send({ type: "ping" });
			await one!.next("pong");
			const [victim] = rankProcesses(`STICKSLIP_TEST_PARTS=${process.env.STICKSLIP_TEST_PARTS}`);
			process.kill(victim!, "SIGKILL");
			other!.send(partHead(1, 2), toPartArrays(odd!));
			expect(await one!.refusal()).toMatch(/^p0 rank-lost /);
			expect(await other!.refusal()).toMatch(/^p1 rank-lost /);
			one!.send(partHead(0, 2, { id: "r0" }), toPartArrays(even!));
			other!.send(partHead(1, 2, { id: "r1" }), toPartArrays(odd!));
			for (const client of [one!, other!]) {
				expect((await client.next("result")).head.report).toMatchObject({ hash: solve(whole).report.hash });
			}
		},
	);

	it("nothing of another client's group, whose name is the same", async () => {
		const service = await served(() => openSession());
		const [one, other] = await clientsOf(service, 2);
		const stranger = await PlainClient.welcome("websocket", service.file("bob"));
		one!.send(partHead(0, 2), toPartArrays(even!));
		// Neither a part that would complete it, nor one that is there twice, nor one of another count.
		stranger.send(partHead(1, 2), toPartArrays(odd!));
		stranger.send(partHead(1, 2, { id: "p2" }), toPartArrays(nan));
		expect(await stranger.refusal()).toBe("p1 incomplete part.index");
		expect(await stranger.refusal()).toBe("p2 incomplete part.index");
		stranger.send(partHead(0, 3, { id: "p3" }), toPartArrays(even!));
		other!.send(partHead(1, 2), toPartArrays(odd!));
		for (const client of [one!, other!]) {
			expect((await client.next("result")).head.report).toMatchObject({ hash: solve(whole).report.hash });
		}
	});

	it("a session that takes no parts", async () => {
		const service = await served(async () => new PlayedSession(1));
		const [one] = await clientsOf(service, 1);
		one!.send(partHead(0, 2), toPartArrays(even!));
		expect(await one!.refusal()).toBe("p0 bad-input part");
	});
});
