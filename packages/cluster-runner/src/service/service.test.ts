/** The service over both transports: requests, patterns, limits, and clients that come and go. */
import { openSession } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { PLAIN_TRANSPORTS, PlainClient } from "../../testing/plain-client.js";
import {
	arrays,
	contacts,
	hash,
	hashOf,
	onPlayed,
	problem,
	reaction,
	solveHead,
	velocity,
} from "../../testing/played-service.js";
import { served } from "../../testing/served.js";

describe.each(PLAIN_TRANSPORTS)("over %s", (transport) => {
	it("a request is answered with the bits of core", async () => {
		const { file } = await served(() => openSession());
		const client = await PlainClient.welcome(transport, file());
		client.send(solveHead("a.1", { name: "pile" }), arrays);
		const { head, arrays: found } = await client.next("result");
		expect(head.id).toBe("a.1");
		expect(head.report).toMatchObject({ problem: "pile", status: "iteration-limit", hash });
		expect([...found]).toEqual([
			["reaction", reaction],
			["velocity", velocity],
		]);
	});

	it("a pattern takes new values, what is left out is as before, and a refusal changes nothing", async () => {
		const { file } = await served(() => openSession());
		const client = await PlainClient.welcome(transport, file());
		client.send({ type: "prepare", id: "p", pattern: "P", contacts }, arrays);
		await client.next("prepared");
		const half = problem.q.map((value) => value / 2);
		const solved = async (id: string, given: Record<string, Float64Array>) => {
			client.send(solveHead(id, { pattern: "P" }), new Map(Object.entries(given)));
			return (await client.next("result")).head.report;
		};
		expect(await solved("1", {})).toMatchObject({ hash });
		expect(await solved("2", { q: half })).toMatchObject(hashOf({ q: half }));
		const mu = problem.mu.map(() => 0.1);
		expect(await solved("3", { mu })).toMatchObject(hashOf({ q: half, mu }));
		client.send(solveHead("4", { pattern: "P" }), new Map([["mu", mu.map(() => -1)]]));
		expect(await client.refusal()).toMatch(/^4 bad-input mu/);
		expect(await solved("5", {})).toMatchObject(hashOf({ q: half, mu }));
		const wrong: [object, Record<string, Float64Array | Int32Array>, string][] = [
			[{ pattern: "Q" }, {}, "unknown-pattern pattern"],
			[{ pattern: "P", contacts: 3 }, {}, "other-pattern contacts"],
			[{ pattern: "P" }, { q: new Float64Array(3) }, "other-pattern q"],
			[{ pattern: "P" }, { "rigid.body": new Int32Array(2) }, "other-pattern rigid.body"],
		];
		for (const [k, [more, given, refusal]] of wrong.entries()) {
			client.send(solveHead(`w${k}`, more), new Map(Object.entries(given)));
			expect(await client.refusal()).toBe(`w${k} ${refusal}`);
		}
		client.send({ type: "release", id: "r", pattern: "P" });
		await client.next("released");
		client.send(solveHead("6", { pattern: "P" }));
		expect(await client.refusal()).toBe("6 unknown-pattern pattern");
	});

	it("one that waits is cancelled with an error, one under way with its best iterate", async () => {
		const { file, reach } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		for (const id of ["1", "2", "3"]) client.send(solveHead(id), arrays);
		await reach(2);
		client.send({ type: "cancel", id: "3" });
		expect(await client.refusal()).toBe("3 cancelled id");
		client.send({ type: "cancel", id: "1" });
		expect((await client.next("result")).head).toMatchObject({ id: "1", report: { status: "cancelled" } });
		client.send({ type: "cancel", id: "x" });
		expect(await client.refusal()).toBe("x unknown-request id");
	});

	it("the deadline of one that waits is an error, and that of one under way is the session's", async () => {
		const { file, reach } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		for (const id of ["1", "2"]) client.send(solveHead(id, { deadline: 10_000 }), arrays);
		const plays = await reach(2);
		client.send(solveHead("3", { deadline: 0.05 }), arrays);
		expect(await client.refusal()).toBe("3 deadline deadline");
		const { deadline } = plays[0]!.options;
		expect(deadline).toBeGreaterThan(0);
		expect(deadline).toBeLessThanOrEqual(10_000);
	});

	it("limits end the request and not the connection", async () => {
		const limits = { requests: 3, bytes: 1_000_000, message: 500_000 };
		const { file, reach } = await onPlayed(1, { limits });
		const client = await PlainClient.welcome(transport, file());
		for (const id of ["1", "2", "3", "4"]) client.send(solveHead(id), arrays);
		expect(await client.refusal()).toBe("4 too-many id");
		const [first] = await reach(2);
		first!.finish();
		await client.next("result");
		const prepare = (id: string, numbers: number) => {
			const head = { type: "prepare", id, pattern: id, contacts };
			client.send(head, new Map([["q", new Float64Array(numbers)]]));
		};
		prepare("p", 90_000);
		expect(await client.refusal()).toBe("p too-large message");
		prepare("p1", 50_000);
		await client.next("prepared");
		prepare("p2", 50_000);
		expect(await client.refusal()).toBe("p2 too-large message");
	});

	it("no solve takes longer than the limit, whatever it asks for", async () => {
		const { file } = await served(() => openSession(), { limits: { seconds: 0.05 } });
		const client = await PlainClient.welcome(transport, file());
		const endless = { tolerance: 1e-300, maxIterations: 1e9 };
		for (const [id, more] of [
			["1", {}],
			["2", { timeLimit: 60 }],
			["3", { timeLimit: "x" }],
		] as const) {
			client.send(solveHead(id, { options: { ...endless, ...more } }), arrays);
		}
		for (const id of ["1", "2"]) {
			expect((await client.next("result")).head).toMatchObject({ id, report: { status: "time-limit" } });
		}
		expect(await client.refusal()).toBe("3 bad-input timeLimit");
	});

	it("an answer is sent again by its id, and a request that came twice is solved once", async () => {
		const { file, sessions, reach } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		client.send(solveHead("1", { keep: true }), arrays);
		await reach(1);
		client.end();
		const again = await PlainClient.welcome(transport, file());
		again.send(solveHead("1", { keep: true }), arrays);
		again.send({ type: "ping" });
		await again.next("pong");
		const [only] = await reach(1);
		only!.finish();
		expect((await again.next("result")).head).toMatchObject({ id: "1", report: { hash } });
		again.send({ type: "fetch", id: "1" });
		const { arrays: found } = await again.next("result");
		expect(found.get("reaction")).toEqual(reaction);
		again.send({ type: "forget", ids: ["1"] });
		again.send({ type: "fetch", id: "1" });
		expect(await again.refusal()).toBe("1 unknown-request id");
		expect(sessions[0]!.plays).toEqual([]);
	});

	it("a client that is gone frees its place; what it wants kept goes on", async () => {
		const { file, reach, page } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		client.send({ type: "prepare", id: "p", pattern: "P", contacts });
		await client.next("prepared");
		for (const id of ["1", "2", "3"]) client.send(solveHead(id), arrays);
		client.send(solveHead("kept", { keep: true }), arrays);
		await reach(2);
		client.end();
		const plays = await reach(1);
		plays[0]!.finish();
		const { text } = await page("/metrics");
		expect(text).toMatch(/service_patterns{client="ann"} 0\n/);
		expect(text).toMatch(/service_requests{client="ann"} 0\n/);
		const again = await PlainClient.welcome(transport, file());
		again.send({ type: "fetch", id: "kept" });
		expect((await again.next("result")).head).toMatchObject({ report: { hash } });
		again.send({ type: "fetch", id: "1" });
		expect(await again.refusal()).toBe("1 unknown-request id");
	});

	it("clients have their ids, patterns and answers for themselves", async () => {
		const { file } = await served(() => openSession());
		const ann = await PlainClient.welcome(transport, file("ann"));
		const bob = await PlainClient.welcome(transport, file("bob"));
		ann.send({ type: "prepare", id: "p", pattern: "P", contacts }, arrays);
		await ann.next("prepared");
		bob.send(solveHead("1", { pattern: "P" }));
		expect(await bob.refusal()).toBe("1 unknown-pattern pattern");
		bob.send({ type: "fetch", id: "p" });
		expect(await bob.refusal()).toBe("p unknown-request id");
	});

	it("warm starts are a client's own, by series", async () => {
		const { file } = await served(() => openSession());
		const keys = Float64Array.from({ length: contacts }, (_, k) => 7 * k);
		const solved = async (client: PlainClient, id: string) => {
			client.send(solveHead(id, { series: "s", options: {} }), new Map([...arrays, ["keys", keys]]));
			return (await client.next("result")).head.report as { readonly iterations: number };
		};
		const [ann, bob] = [
			await PlainClient.welcome(transport, file("ann")),
			await PlainClient.welcome(transport, file("bob")),
		];
		const cold = (await solved(ann, "1")).iterations;
		expect((await solved(ann, "2")).iterations).toBeLessThan(cold);
		expect((await solved(bob, "1")).iterations).toBe(cold);
		ann.send(solveHead("3", { series: "s" }), arrays);
		expect(await ann.refusal()).toBe("3 bad-input keys");
	});
});
