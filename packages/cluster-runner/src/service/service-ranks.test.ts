/** The service over both transports: its end, lost ranks, and the order of requests. */
import { describe, expect, it } from "vitest";
import { PLAIN_TRANSPORTS, PlainClient } from "../../testing/plain-client.js";
import { arrays, contacts, hash, hashOf, onPlayed, problem, solveHead } from "../../testing/played-service.js";
import { until } from "../testing/index.js";

describe.each(PLAIN_TRANSPORTS)("over %s", (transport) => {
	it("drains: no new requests, those before are answered, then the listeners close", async () => {
		const { file, reach, service, page } = await onPlayed();
		const client = await PlainClient.welcome(transport, file());
		for (const id of ["1", "2", "3"]) client.send(solveHead(id), arrays);
		client.send({ type: "ping" });
		await client.next("pong");
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
		client.send({ type: "ping" });
		await client.next("pong");
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
		client.send({ type: "ping" });
		await client.next("pong");
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
