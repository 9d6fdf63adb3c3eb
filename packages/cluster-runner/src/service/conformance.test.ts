/** docs/protocol.md, byte by byte: peers that do not use the client package send every message. Refusals have a test of their own. */
import { assembleRigid, type BlockMatrix, solve } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import {
	type Arrays,
	arrays,
	contacts,
	endless,
	goesOn,
	KEEP,
	LIMITS,
	next,
	problem,
	refused,
	ServiceUnderTest,
	send,
	TYPES,
	useService,
} from "../../testing/conformance.js";
import { pack } from "../testing/message-pack.js";
import { until } from "../testing/wait.js";

const { service, peerOf, hello } = useService();
const { report, reaction, velocity } = solve(problem);

const numbers = (bytes: Uint8Array | undefined): number[] => {
	const view = new DataView(bytes!.buffer, bytes!.byteOffset, bytes!.byteLength);
	return Array.from({ length: view.byteLength / 8 }, (_, k) => view.getFloat64(8 * k, true));
};

/** The arrays of a part of W, as the page has them. */
function rowsOf({ rowStart, column, values }: BlockMatrix, ids: readonly number[]): Arrays {
	const blocks = ids.map((a) => Array.from({ length: rowStart[a + 1]! - rowStart[a]! }, (_, k) => rowStart[a]! + k));
	const ends = blocks.map((_, row) => blocks.slice(0, row + 1).flat().length);
	const all = blocks.flat();
	return {
		ids: Int32Array.from(ids),
		q: Float64Array.from(ids.flatMap((a) => [...problem.q.subarray(3 * a, 3 * a + 3)])),
		mu: Float64Array.from(ids, (a) => problem.mu[a]!),
		"W.rowStart": Int32Array.of(0, ...ends),
		"W.column": Int32Array.from(all, (k) => column[k]!),
		"W.values": Float64Array.from(all.flatMap((k) => [...values.subarray(9 * k, 9 * k + 9)])),
	};
}

describe.each(["zeromq", "websocket"])("over %s", (transport) => {
	it("hello is welcomed, in these bytes", async () => {
		const peer = await peerOf(transport);
		const { token } = service.detailsOf();
		const text = (word: string) => [0xa0 + word.length, ...Buffer.from(word)];
		const bytes = [0x84, ...text("type"), ...text("hello"), ...text("version"), 1, ...text("client"), ...text("C")];
		peer.send([...bytes, ...text("token"), 0xd9, token.length, ...Buffer.from(token)]);
		const { head } = await next(peer);
		const server = expect.stringMatching(/^\d+\.\d+\.\d+$/);
		expect(head).toEqual({ type: "welcome", version: 1, server, name: "one", ranks: 1, limits: LIMITS, kept: KEEP });
	});

	it("ping is answered by pong, and pong by nothing", async () => {
		const peer = await hello(transport);
		send(peer, { type: "pong" });
		await goesOn(peer);
	});

	it("solve is answered by the result of core, and by progress where it is asked for", async () => {
		const peer = await hello(transport);
		send(peer, { type: "solve", id: `${transport}.s.1`, contacts, name: "pile" }, arrays);
		const { head, arrays: found } = await next(peer);
		expect(head).toMatchObject({
			type: "result",
			id: `${transport}.s.1`,
			report: { hash: report.hash, problem: "pile" },
		});
		expect(Object.keys(found)).toEqual(["reaction f64", "velocity f64"]);
		expect(numbers(found["reaction f64"])).toEqual([...reaction]);
		expect(numbers(found["velocity f64"])).toEqual([...velocity]);
		send(
			peer,
			{ type: "solve", id: `${transport}.s.2`, contacts, options: { ...endless, timeLimit: 0.4 }, progress: true },
			arrays,
		);
		const shown = (await next(peer)).head;
		expect(Object.keys(shown).sort()).toEqual(
			["type", "id", "iterations", "products", "error", "exact", "seconds", "method"].sort(),
		);
		expect(shown).toMatchObject({ type: "progress", id: `${transport}.s.2`, method: "pqn-diagonal" });
		for (;;) {
			const { head: later } = await next(peer);
			if (later.type === "progress") continue;
			expect(later).toMatchObject({ type: "result", id: `${transport}.s.2`, report: { status: "time-limit" } });
			break;
		}
	});

	it("an array may come in pieces, also in the middle of a number", async () => {
		const peer = await hello(transport);
		const bytes = Object.values(arrays).map((each) => new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
		const names = Object.entries(arrays).map(([name, each]) => [name, TYPES.get(each.constructor)]);
		const [q = new Uint8Array(0), ...others] = bytes;
		const head = { type: "solve", id: `${transport}.pieces`, contacts, arrays: [names[0], names[0], ...names] };
		peer.send(pack(head), q.subarray(0, 5), q.subarray(5, 24), q.subarray(24), ...others);
		expect((await next(peer)).head).toMatchObject({
			type: "result",
			id: `${transport}.pieces`,
			report: { hash: report.hash },
		});
	});

	it("the first head of a solve may be written with other widths of numbers", async () => {
		const peer = await hello(transport);
		const packed = pack({ type: "solve", id: `${transport}.wide`, contacts, arrays: [] });
		const at = Buffer.from(packed).indexOf("contacts") + "contacts".length;
		expect(packed[at]).toBe(contacts);
		// As a 64-bit integer, and the arrays in a list of 16-bit length.
		const names = Object.entries(arrays).flatMap(([name, each]) => pack([name, TYPES.get(each.constructor)]));
		const rest = [...packed.slice(at + 1, -1), 0xdc, 0, Object.keys(arrays).length, ...names];
		const bytes = Object.values(arrays).map((each) => new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
		peer.send([...packed.slice(0, at), 0xcf, 0, 0, 0, 0, 0, 0, 0, contacts, ...rest], ...bytes);
		expect((await next(peer)).head).toMatchObject({
			type: "result",
			id: `${transport}.wide`,
			report: { hash: report.hash },
		});
	});

	it("prepare, solves of what is new, and release", async () => {
		const peer = await hello(transport);
		send(peer, { type: "prepare", id: `${transport}.p.1`, pattern: "pile", contacts }, arrays);
		expect((await next(peer)).head).toEqual({ type: "prepared", id: `${transport}.p.1`, pattern: "pile" });
		const q = problem.q.map((value) => 2 * value);
		send(peer, { type: "solve", id: `${transport}.p.2`, pattern: "pile", contacts }, { q });
		const { hash } = solve({ ...problem, q }).report;
		expect((await next(peer)).head).toMatchObject({ type: "result", id: `${transport}.p.2`, report: { hash } });
		// Omitted arrays are those of the last request.
		const mu = problem.mu.map(() => 0.2);
		send(peer, { type: "solve", id: `${transport}.p.3`, pattern: "pile", contacts }, { mu });
		const other = solve({ ...problem, q, mu }).report.hash;
		expect((await next(peer)).head).toMatchObject({ type: "result", id: `${transport}.p.3`, report: { hash: other } });
		send(peer, { type: "solve", id: `${transport}.p.4`, pattern: "pile", contacts }, { q: new Float64Array(3) });
		await refused(peer, "other-pattern", "q", `${transport}.p.4`);
		send(peer, { type: "solve", id: `${transport}.p.5`, pattern: "pile", contacts: contacts + 1 }, { q });
		await refused(peer, "other-pattern", "contacts", `${transport}.p.5`);
		send(peer, { type: "release", id: `${transport}.p.6`, pattern: "pile" });
		expect((await next(peer)).head).toEqual({ type: "released", id: `${transport}.p.6`, pattern: "pile" });
		send(peer, { type: "solve", id: `${transport}.p.7`, pattern: "pile", contacts }, { q });
		await refused(peer, "unknown-pattern", "pattern", `${transport}.p.7`);
		send(peer, { type: "release", id: `${transport}.p.8`, pattern: "pile" });
		await refused(peer, "unknown-pattern", "pattern", `${transport}.p.8`);
	});

	it("a series starts from what was found last for the same keys", async () => {
		const peer = await hello(transport);
		const keys = Float64Array.from(problem.mu, (_, k) => 2 ** 40 + k);
		const options = { tolerance: 1e-6 };
		for (const id of ["k.1", "k.2"]) {
			send(
				peer,
				{ type: "solve", id: `${id}.${transport}`, contacts, options, series: transport },
				{ ...arrays, keys },
			);
		}
		const found = [await next(peer), await next(peer)].map(({ head }) => (head.report as typeof report).iterations);
		expect(found[0]).toBeGreaterThan(0);
		expect(found[1]).toBe(0);
		send(peer, { type: "solve", id: `k.3.${transport}`, contacts }, { ...arrays, keys: keys.map(() => 1) });
		await refused(peer, "bad-input", "keys[1]", `k.3.${transport}`);
	});

	it("parts of a problem are answered each with its own contacts, and an error of one is that of all", async () => {
		const [one, other] = [await hello(transport), await hello(transport)];
		const W = assembleRigid(problem.rigid!);
		const whole = solve({ name: "rows", contacts, q: problem.q, mu: problem.mu, W });
		const sets = [0, 1].map((parity) => Array.from({ length: contacts }, (_, a) => a).filter((a) => a % 2 === parity));
		for (const [index, peer] of [one, other].entries()) {
			const part = { group: `rows.${transport}`, index, of: 2 };
			send(peer, { type: "solve", id: `part.${transport}.${index}`, contacts, part }, rowsOf(W, sets[index]!));
		}
		for (const [index, peer] of [one, other].entries()) {
			const { head, arrays: found } = await next(peer);
			expect(head).toMatchObject({ type: "result", report: { hash: whole.report.hash, contacts } });
			const own = sets[index]!.flatMap((a) => [...whole.reaction.subarray(3 * a, 3 * a + 3)]);
			expect(numbers(found["reaction f64"])).toEqual(own);
		}
		const part = { group: `alone.${transport}`, index: 0, of: 2 };
		send(one, { type: "solve", id: `alone.${transport}.0`, contacts, part }, rowsOf(W, sets[0]!));
		await goesOn(one);
		const last = { ...part, index: 1 };
		const spoilt = { ...rowsOf(W, sets[1]!), mu: new Float64Array(1) };
		send(other, { type: "solve", id: `alone.${transport}.1`, contacts, part: last }, spoilt);
		await refused(other, "bad-input", "part 1: mu", `alone.${transport}.1`);
		await refused(one, "bad-input", "part 1: mu", `alone.${transport}.0`);
	});

	it("a request whose id was seen is not solved again, on any connection of its client", async () => {
		const peer = await hello(transport);
		const before = service.solves;
		send(peer, { type: "solve", id: `same.${transport}`, contacts }, arrays);
		const first = await next(peer);
		send(peer, { type: "solve", id: `same.${transport}`, contacts }, arrays);
		expect(await next(peer)).toEqual(first);
		const other = await hello(transport);
		send(other, { type: "fetch", id: `same.${transport}` });
		expect(await next(other)).toEqual(first);
		expect(service.solves).toBe(before + 1);
		// Another client's ids are its own.
		const stranger = await hello(transport, { name: "two" });
		send(stranger, { type: "fetch", id: `same.${transport}` });
		await refused(stranger, "unknown-request", "id", `same.${transport}`);
		send(peer, { type: "forget", ids: [`same.${transport}`] });
		send(peer, { type: "fetch", id: `same.${transport}` });
		await refused(peer, "unknown-request", "id", `same.${transport}`);
	});

	it("cancel ends what has begun as a result, and what has not as an error", async () => {
		const peer = await hello(transport);
		const ids = [1, 2, 3].map((k) => `c.${transport}.${k}`);
		send(peer, { type: "solve", id: ids[0], contacts, options: endless, progress: true }, arrays);
		expect((await next(peer)).head).toMatchObject({ type: "progress", id: ids[0] });
		for (const id of ids.slice(1)) send(peer, { type: "solve", id, contacts, options: endless }, arrays);
		for (const id of [ids[2], ids[1]]) {
			send(peer, { type: "cancel", id });
			for (;;) {
				const { head } = await next(peer);
				if (head.type === "progress") continue;
				expect(head).toMatchObject({ type: "error", id, code: "cancelled", field: "id" });
				break;
			}
		}
		send(peer, { type: "cancel", id: ids[0] });
		for (;;) {
			const { head } = await next(peer);
			if (head.type === "progress") continue;
			expect(head).toMatchObject({ type: "result", id: ids[0], report: { status: "cancelled" } });
			break;
		}
		send(peer, { type: "cancel", id: "nothing" });
		await refused(peer, "unknown-request", "id", "nothing");
	});

	it("a deadline ends what has begun as a result, and what has not as an error", async () => {
		const peer = await hello(transport);
		const ids = [1, 2, 3].map((k) => `d.${transport}.${k}`);
		const deadlines = [3, 0.9, 0.2];
		for (const [k, id] of ids.entries()) {
			send(peer, { type: "solve", id, contacts, options: endless, deadline: deadlines[k] }, arrays);
		}
		for (const id of [ids[2], ids[1]]) await refused(peer, "deadline", "deadline", id);
		expect((await next(peer)).head).toMatchObject({ type: "result", id: ids[0], report: { status: "time-limit" } });
	});

	it("a lost connection cancels its requests, but for those with keep, whose answers can be fetched", async () => {
		const at = await new ServiceUnderTest().start();
		const peer = await hello(transport, { at });
		send(peer, { type: "solve", id: "keep", contacts, options: { ...endless, timeLimit: 0.5 }, keep: true }, arrays);
		send(peer, { type: "solve", id: "lose", contacts, options: endless }, arrays);
		await goesOn(peer);
		peer.close();
		// Fetched before the service knows of it, they would be requests of the other connection.
		const metrics = `${at.detailsOf().websocket.replace("ws:", "http:")}/metrics`;
		const headers = { authorization: `Bearer ${at.detailsOf().token}` };
		const page = async () => await (await fetch(metrics, { headers })).text();
		await until("no connection is left", async () => (await page()).includes('service_connections{client="one"} 0'));
		const other = await hello(transport, { at });
		send(other, { type: "fetch", id: "keep" });
		expect((await next(other)).head).toMatchObject({ type: "result", id: "keep", report: { status: "time-limit" } });
		send(other, { type: "fetch", id: "lose" });
		await refused(other, "unknown-request", "id", "lose");
		await at.drain("a test");
	});

	it("bye, answers for what was begun, and refusals for what comes later, when the service drains", async () => {
		const at = await new ServiceUnderTest().start();
		const peer = await hello(transport, { at });
		const { websocket } = at.detailsOf();
		const health = () => fetch(`${websocket.replace("ws:", "http:")}/healthz`);
		expect((await health()).status).toBe(200);
		send(peer, { type: "solve", id: "begun", contacts, options: { ...endless, timeLimit: 2 } }, arrays);
		await goesOn(peer);
		const drained = at.drain("a test", 10);
		expect((await next(peer)).head).toEqual({ type: "bye", reason: "a test" });
		expect((await health()).status).toBe(503);
		send(peer, { type: "solve", id: "late", contacts }, arrays);
		await refused(peer, "draining", "id", "late");
		expect((await next(peer)).head).toMatchObject({ type: "result", id: "begun", report: { status: "time-limit" } });
		await drained;
	});
});
