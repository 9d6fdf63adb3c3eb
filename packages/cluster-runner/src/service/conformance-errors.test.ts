/** docs/protocol.md, byte by byte: every error that a client can cause, by code and field; and that it only ends its request. */
import { describe, expect, it } from "vitest";
import {
	type Arrays,
	arrays,
	contacts,
	endless,
	goesOn,
	type Head,
	LIMITS,
	next,
	problem,
	refused,
	send,
	useService,
} from "../../testing/conformance.js";
import { pack } from "../testing/message-pack.js";
import { packetOf, RawWebSocket } from "../testing/raw-peers.js";

const { service, peerOf, hello } = useService();

describe.each(["zeromq", "websocket"])("over %s", (transport) => {
	it.each<[string, Head, string, string?]>([
		["a type that there is not", { type: "sing", id: "e" }, "type", "e"],
		["no type", { id: "e" }, "type", "e"],
		["a field that there is not", { type: "solve", id: "e", contacts: 1, speed: 1 }, "speed", "e"],
		["a field that is missing", { type: "solve", id: "e" }, "contacts", "e"],
		["a field of another type", { type: "solve", id: "e", contacts: "many" }, "contacts", "e"],
		["an id that is none", { type: "solve", id: "e e", contacts: 1 }, "id"],
		["an id that is too long", { type: "fetch", id: "e".repeat(65) }, "id"],
		["a deadline below zero", { type: "solve", id: "e", contacts: 1, deadline: -1 }, "deadline", "e"],
		["arrays that are no pairs", { type: "solve", id: "e", contacts: 1, arrays: ["q"] }, "arrays", "e"],
		["an array without a frame", { type: "solve", id: "e", contacts: 1, arrays: [["q", "f64"]] }, "arrays", "e"],
		["ids that are none", { type: "forget", ids: [1] }, "ids"],
		[
			"a part of nothing",
			{ type: "solve", id: "e", contacts: 1, part: { group: "g", index: 0, of: 0 } },
			"part.of",
			"e",
		],
		[
			"a part of too many",
			{ type: "solve", id: "e", contacts: 1, part: { group: "g", index: 0, of: 1e9 } },
			"part.of",
			"e",
		],
		["a name that is too long", { type: "solve", id: "e", contacts: 1, name: "n".repeat(10_001) }, "name", "e"],
	])("%s is a bad message, and nothing else ends", async (_, head, field, id) => {
		const peer = await hello(transport);
		send(peer, head);
		await refused(peer, "bad-message", field, id);
		await goesOn(peer);
	});

	it.each<[string, string, number[][]]>([
		["of another type", "arrays.q", [pack([["q", "f32"]]), [0, 0, 0, 0]]],
		[
			"that is there twice",
			"arrays.q",
			[
				pack([
					["q", "u8"],
					["x", "u8"],
					["q", "u8"],
				]),
				[0],
				[0],
				[0],
			],
		],
		[
			"in pieces of two types",
			"arrays.q",
			[
				pack([
					["q", "f64"],
					["q", "i32"],
				]),
				[0, 0, 0, 0],
				[0, 0, 0, 0],
			],
		],
		["that is half a number", "arrays.q", [pack([["q", "f64"]]), [0, 0, 0, 0]]],
	])("an array %s is a bad message", async (_, field, [names = [], ...frames]) => {
		const peer = await hello(transport);
		const solving = pack({ type: "solve", id: "e", contacts: 1, arrays: [] });
		peer.send([...solving.slice(0, -1), ...names], ...frames);
		await refused(peer, "bad-message", field, "e");
		await goesOn(peer);
	});

	it("what is not MessagePack, or has no frames, is answered, and ends the connection alone", async () => {
		for (const noise of [[0xc1], [0x85, 1], []]) {
			const peer = await hello(transport);
			peer.send(noise);
			await refused(peer, "bad-message", "head");
			if (transport === "websocket") expect(await peer.isClosed()).toBe(true);
			peer.close();
		}
		await goesOn(await hello(transport));
	});

	it.each<[string, Head, Arrays, string]>([
		["a size", {}, { ...arrays, q: problem.q.slice(3) }, "q"],
		["a number that is none", {}, { ...arrays, mu: problem.mu.map(() => Number.NaN) }, "mu[0]"],
		["an array that is missing", {}, { q: problem.q }, "mu"],
		["an array that is none of a problem", {}, { ...arrays, extra: new Float64Array(1) }, "extra"],
		["an array as another type", {}, { ...arrays, mu: new Int32Array(contacts) }, "mu"],
		["no operator", {}, { q: problem.q, mu: problem.mu }, "W"],
		["an option that there is not", { options: { speed: 1 } }, arrays, "options.speed"],
		["an option of the method that there is not", { options: { set: { speed: 1 } } }, arrays, "speed"],
		["a method that there is not", { options: { method: "magic" } }, arrays, "method"],
		["a tolerance below zero", { options: { tolerance: -1 } }, arrays, "tolerance"],
		["a series without keys", { series: "s" }, arrays, "keys"],
		["a start of another size", {}, { ...arrays, start: new Float64Array(1) }, "start"],
	])("%s is bad input, and is named", async (what, more, own, field) => {
		const peer = await hello(transport);
		const id = `bad.${transport}.${what.replaceAll(" ", "-")}`;
		send(peer, { type: "solve", id, contacts, ...more }, own);
		await refused(peer, "bad-input", field, id);
		await goesOn(peer);
	});

	it("limits on requests, on bytes under way and on a message", async () => {
		const peer = await hello(transport);
		const ids = Array.from({ length: LIMITS.requests + 1 }, (_, k) => `l.${transport}.${k}`);
		const solving = { type: "solve", contacts, options: endless };
		for (const id of ids) send(peer, { ...solving, id }, arrays);
		await refused(peer, "too-many", "id", ids.at(-1));
		for (const id of ids.slice(0, -1).reverse()) send(peer, { type: "cancel", id });
		for (const _ of ids.slice(1)) expect((await next(peer)).head.id).toMatch(/^l\./);
		// A little below the limit on messages, so that the third is over the one on all that is under way.
		const large = { ...arrays, extra: new Float64Array(1800) };
		const more = [1, 2, 3].map((k) => `b.${transport}.${k}`);
		send(peer, { type: "prepare", id: more[0], pattern: "large.1", contacts }, large);
		expect((await next(peer)).head).toMatchObject({ id: more[0] });
		send(peer, { type: "prepare", id: more[1], pattern: "large.2", contacts }, large);
		expect((await next(peer)).head).toMatchObject({ id: more[1] });
		send(peer, { type: "solve", id: more[2], contacts }, large);
		await refused(peer, "too-large", "message", more[2]);
		send(peer, { type: "release", id: `r.1.${transport}`, pattern: "large.1" });
		send(peer, { type: "release", id: `r.2.${transport}`, pattern: "large.2" });
		expect([(await next(peer)).head.id, (await next(peer)).head.id]).toEqual([`r.1.${transport}`, `r.2.${transport}`]);
		await goesOn(peer);
	});

	it("a part whose problem stays incomplete is told so", async () => {
		const [one, other] = [await hello(transport), await hello(transport)];
		const ids = [0, 1].map((index) => `i.${transport}.${index}`);
		const own = { ids: Int32Array.of(), q: new Float64Array(0), mu: new Float64Array(0) };
		for (const [index, peer] of [one, other].entries()) {
			const part = { group: `incomplete.${transport}`, index, of: 3 };
			send(peer, { type: "solve", id: ids[index], contacts, part }, own);
			await goesOn(peer);
		}
		send(other, { type: "cancel", id: ids[1] });
		await refused(other, "cancelled", "id", ids[1]);
		await refused(one, "incomplete", "part", ids[0]);
	});

	it("lost ranks are tried twice and named; a bug is told", async () => {
		const peer = await hello(transport);
		const before = service.solves;
		send(peer, { type: "solve", id: `lost.${transport}`, name: "lost", contacts }, arrays);
		expect((await refused(peer, "rank-lost", "id", `lost.${transport}`)).message).toContain("rank 1 was lost");
		expect(service.solves).toBe(before + 2);
		send(peer, { type: "solve", id: `bug.${transport}`, name: "bug", contacts }, arrays);
		await refused(peer, "internal", "id", `bug.${transport}`);
		await goesOn(peer);
	});

	it("another version, another token, and a message before hello are refused, and the connection ends", async () => {
		const { token } = service.detailsOf();
		const first: [Head, string, string][] = [
			[{ type: "hello", version: 7, client: "by hand", token }, "unsupported-version", "version"],
			[{ type: "hello", version: 1, client: "by hand", token: "wrong" }, "unauthorized", "token"],
			[{ type: "hello", version: 1, client: "by hand" }, "unauthorized", "token"],
			[{ type: "ping" }, "unauthorized", "hello"],
			[{ type: "fetch", id: "a.1" }, "unauthorized", "hello"],
		];
		for (const [head, code, field] of first) {
			const peer = await peerOf(transport);
			send(peer, head);
			const error = await refused(peer, code, field);
			expect(error).not.toHaveProperty("id");
			if (code === "unsupported-version") expect(error.versions).toEqual([1]);
			if (transport === "websocket") expect(await peer.isClosed()).toBe(true);
			else {
				send(peer, { type: "ping" });
				await refused(peer, "unauthorized", "hello");
			}
			peer.close();
		}
	});
});

describe("over websocket", () => {
	it("a packet that is no list of frames is answered, and ends the connection", async () => {
		const packet = packetOf([pack({ type: "ping" })]);
		const spoilt = [
			[1, 2, 3],
			packet.slice(0, -1),
			[...packet, 0],
			[0, 0, 0, 0],
			[255, 255, 255, 255, ...packet.slice(4)],
		];
		for (const bytes of spoilt) {
			const peer = (await hello("websocket")) as RawWebSocket;
			peer.sendMessage(bytes);
			await refused(peer, "bad-message", "packet");
			expect(await peer.isClosed()).toBe(true);
		}
	});

	it("text is no message, and a message over the limit ends the connection", async () => {
		const text = (await hello("websocket")) as RawWebSocket;
		text.sendMessage(Buffer.from('{"type":"ping"}'), 1);
		expect(await text.isClosed()).toBe(true);
		const large = (await hello("websocket")) as RawWebSocket;
		large.sendMessage(new Uint8Array(LIMITS.message + 10_000));
		expect(await large.isClosed()).toBe(true);
	});

	it("pages are let in by their origin alone", async () => {
		const { websocket } = service.detailsOf();
		const allowed = await RawWebSocket.open(websocket, ["Origin: https://example.org"]);
		allowed.close();
		await expect(RawWebSocket.open(websocket, ["Origin: https://example.com"])).rejects.toThrow("403");
		await expect(RawWebSocket.open(websocket, ["Origin: null"])).rejects.toThrow("403");
	});
});
