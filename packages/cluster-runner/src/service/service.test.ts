/** The service on ranks that end a solve when the test wants it, over both transports. */
import { toArrays } from "@stickslip/client/protocol";
import { generate, openSession, type Problem, solve } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { PLAIN_TRANSPORTS, PlainClient } from "../../testing/plain-client.js";
import { PlayedSession } from "../../testing/played-session.js";
import { served } from "../../testing/served.js";
import { until } from "../testing/index.js";

/** Large enough that two of them are all that one rank is given, and answered after one iteration. */
const problem = generate("spheres", { contacts: 1000, seed: 3 });
const { contacts } = problem;
const arrays = toArrays(problem);
const options = { maxIterations: 1 };
const { reaction, velocity, report } = solve(problem, options);
const { hash } = report;
const hashOf = (changes: Partial<Problem>) => ({ hash: solve({ ...problem, ...changes }, options).report.hash });

const solveHead = (id: string, more: object = {}) => ({ type: "solve", id, contacts, options, ...more });

async function onPlayed(ranks = 1, changes: Parameters<typeof served>[1] = {}) {
	const sessions: PlayedSession[] = [];
	const open = async () => {
		sessions.push(new PlayedSession(ranks));
		return sessions.at(-1)!;
	};
	const service = await served(open, changes);
	/** So many are under way in the session at work. */
	const reach = (count: number) =>
		until(`${count} under way`, () => sessions.at(-1)!.plays.length === count).then(() => sessions.at(-1)!.plays);
	return { ...service, sessions, reach };
}

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
		for (const id of ["1", "2"]) client.send(solveHead(id, { deadline: 30 }), arrays);
		const plays = await reach(2);
		client.send(solveHead("3", { deadline: 0.05 }), arrays);
		expect(await client.refusal()).toBe("3 deadline deadline");
		expect(plays[0]!.options.deadline).toBeGreaterThan(20);
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

	it("drains: no new requests, those before are answered, then the listeners close", async () => {
		const { file, reach, service, page } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		for (const id of ["1", "2", "3"]) client.send(solveHead(id), arrays);
		await reach(2);
		const drained = service.drain("test", 60);
		expect((await client.next("bye")).head.reason).toBe("test");
		client.send(solveHead("4"), arrays);
		expect(await client.refusal()).toBe("4 draining id");
		expect((await page("/healthz")).status).toBe(503);
		for (const id of ["1", "2", "3"]) {
			(await reach(id === "3" ? 1 : 2))[0]!.finish();
			expect((await client.next("result")).head.id).toBe(id);
		}
		await drained;
		await expect(page("/healthz")).rejects.toThrow();
	});

	it("drains in the time it has: what has not begun is refused, the rest is cancelled", async () => {
		const { file, reach, service, sessions } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		for (const id of ["1", "2", "3"]) client.send(solveHead(id), arrays);
		await reach(2);
		const drained = service.drain("test", 0.05);
		await client.next("bye");
		const heard = [await client.next(), await client.next(), await client.next()].map(({ head }) => head);
		const codes = heard.map(({ id, code, report }) => [id, code ?? (report as { status: string }).status]);
		expect(codes.sort()).toEqual([
			["1", "cancelled"],
			["2", "cancelled"],
			["3", "draining"],
		]);
		await drained;
		expect(sessions[0]!.isClosed).toBe(true);
	});

	it("ranks that are lost are started again, and their requests repeated once", async () => {
		const { file, reach, sessions, log, page } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		for (const id of ["1", "2", "3"]) client.send(solveHead(id), arrays);
		await reach(2);
		sessions[0]!.lose();
		await until("another session", () => sessions.length === 2);
		const [first] = await reach(2);
		expect(sessions[0]!.isClosed).toBe(true);
		first!.finish();
		expect((await client.next("result")).head).toMatchObject({ id: "1", report: { hash } });
		await reach(2);
		sessions[1]!.lose();
		expect(await client.refusal()).toBe("2 rank-lost id");
		const [third] = await reach(1);
		third!.finish();
		expect((await client.next("result")).head.id).toBe("3");
		expect(log.filter((line) => line.includes("ranks were lost"))).toHaveLength(2);
		expect((await page("/metrics")).text).toContain("service_rank_losses_total{} 2\n");
	});

	it("a pattern that is released is there for requests that were sent before, and released after them", async () => {
		const { file, sessions, reach } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		client.send({ type: "prepare", id: "p", pattern: "P", contacts }, arrays);
		await client.next("prepared");
		for (const id of ["1", "2"]) client.send(solveHead(id, { pattern: "P" }));
		await reach(2);
		client.send({ type: "release", id: "r", pattern: "P" });
		await client.next("released");
		for (const count of [2, 1]) {
			expect(sessions[0]!.released).toBe(0);
			(await reach(count))[0]!.finish();
			expect((await client.next("result")).head).toMatchObject({ report: { hash } });
		}
		await until("it is released", () => sessions[0]!.released === 1);
	});

	it("patterns survive lost ranks", async () => {
		const { file, reach, sessions } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		client.send({ type: "prepare", id: "p", pattern: "P", contacts }, arrays);
		await client.next("prepared");
		const half = problem.q.map((value) => value / 2);
		client.send(solveHead("1", { pattern: "P" }), new Map([["q", half]]));
		await reach(1);
		sessions[0]!.lose();
		await until("another session", () => sessions.length === 2);
		(await reach(1))[0]!.finish();
		expect((await client.next("result")).head).toMatchObject({ id: "1", report: hashOf({ q: half }) });
	});

	it("shares ranks fairly: one client's long queue does not make another wait", async () => {
		const { file, reach } = await onPlayed();
		const [ann, bob] = [
			await PlainClient.welcome(transport, file("ann")),
			await PlainClient.welcome(transport, file("bob")),
		];
		for (let k = 0; k < 20; k += 1) ann.send(solveHead(`a${k}`, { name: "ann" }), arrays);
		await reach(2);
		ann.send({ type: "ping" });
		await ann.next("pong");
		bob.send(solveHead("b", { name: "bob" }), arrays);
		bob.send({ type: "ping" });
		await bob.next("pong");
		for (const name of ["ann", "ann", "bob"]) {
			const [first] = await reach(2);
			expect(first!.problem.name).toBe(name);
			first!.finish();
		}
	});

	it("tells of progress while it is solved", async () => {
		const { file, reach } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		client.send(solveHead("1", { progress: true }), arrays);
		const [play] = await reach(1);
		const progress = { iterations: 5, products: 6, error: 0.5, exact: true, seconds: 0.1, method: "auto" };
		play!.options.onProgress!(progress);
		expect((await client.next("progress")).head).toEqual({ type: "progress", id: "1", ...progress });
	});
});
