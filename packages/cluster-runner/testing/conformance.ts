/** A service in this process, and peers without the client package that follow docs/protocol.md byte by byte. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate, openSession, type Session } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type RunningService, serve } from "../src/service/serve.js";
import { pack, unpack } from "../src/testing/message-pack.js";
import { type CurveAddress, type RawPeer, RawWebSocket, RawZeromq } from "../src/testing/raw-peers.js";

export type Head = Readonly<Record<string, unknown>>;
export type Arrays = Readonly<Record<string, Float64Array | Int32Array>>;

interface Message {
	readonly head: Head;
	/** Bytes by name. */
	readonly arrays: Readonly<Record<string, Uint8Array>>;
}

export const LIMITS = { requests: 6, bytes: 40_000, seconds: 60, message: 20_000 };
export const KEEP = { seconds: 60, bytes: 1_000_000 };
export const TYPES = new Map<unknown, string>([
	[Float64Array, "f64"],
	[Int32Array, "i32"],
	[Uint8Array, "u8"],
]);

export const problem = generate("spheres", { contacts: 12, seed: 4 });
export const arrays: Arrays = {
	q: problem.q,
	mu: problem.mu,
	...Object.fromEntries(Object.entries(problem.rigid!).map(([name, array]) => [`rigid.${name}`, array])),
};
export const { contacts } = problem;
/** It runs until it is stopped. */
export const endless = { method: "pqn-diagonal", tolerance: 1e-300, maxIterations: 1e9 };

/** Core's session, in which problems of two names have ranks that fail, or find a bug. */
async function openFragile(count: () => void): Promise<Session> {
	const session = await openSession();
	return {
		ranks: session.ranks,
		failure: undefined,
		close: () => session.close(),
		prepare: (each, options) => session.prepare(each, options),
		collectParts: (of) => session.collectParts!(of),
		solve(each, options) {
			count();
			if (each.name === "lost") return Promise.reject(new RankError(1, "was lost"));
			if (each.name === "bug") return Promise.reject(new TypeError("a bug"));
			return session.solve(each, options);
		},
	};
}

/** What a connection file has. */
export type Details = CurveAddress & { readonly token: string; readonly websocket: string };

export class ServiceUnderTest {
	/** Of problems that the session was given. */
	solves = 0;
	#folder = "";
	#running: RunningService | undefined;

	async start(): Promise<this> {
		this.#folder = mkdtempSync(join(tmpdir(), "stickslip-service-"));
		const place = { host: "127.0.0.1", port: 0 };
		this.#running = await serve({
			folder: this.#folder,
			zeromq: place,
			websocket: place,
			clients: ["one", "two"],
			origins: ["https://example.org"],
			limits: LIMITS,
			keep: KEEP,
			openSession: () =>
				openFragile(() => {
					this.solves += 1;
				}),
			log: () => {},
		});
		return this;
	}

	detailsOf(name = "one"): Details {
		return JSON.parse(readFileSync(this.#running!.clients.get(name)!, "utf8"));
	}

	async drain(reason: string, seconds = 0): Promise<void> {
		await this.#running!.drain(reason, seconds);
		rmSync(this.#folder, { recursive: true });
	}
}

interface Choice {
	/** Of the client. */
	readonly name?: string;
	readonly at?: ServiceUnderTest;
}

/** A service for the tests of a file, and its peers, which end with each test. */
export function useService() {
	const service = new ServiceUnderTest();
	const peers: RawPeer[] = [];
	beforeAll(async () => {
		await service.start();
	});
	afterAll(() => service.drain("the end of the test"));
	afterEach(() => {
		for (const peer of peers.splice(0)) peer.close();
	});

	async function peerOf(transport: string, { name, at = service }: Choice = {}): Promise<RawPeer> {
		const details = at.detailsOf(name);
		const peer = transport === "zeromq" ? new RawZeromq(details) : await RawWebSocket.open(details.websocket);
		peers.push(peer);
		return peer;
	}

	/** A peer that was welcomed. */
	async function hello(transport: string, choice: Choice = {}): Promise<RawPeer> {
		const peer = await peerOf(transport, choice);
		const { token } = (choice.at ?? service).detailsOf(choice.name);
		send(peer, { type: "hello", version: 1, client: "by hand", token });
		expect((await next(peer)).head).toMatchObject({ type: "welcome" });
		return peer;
	}

	return { service, peerOf, hello };
}

export function send(peer: RawPeer, head: Head, own: Arrays = {}): void {
	const names = Object.entries(own).map(([name, array]) => [name, TYPES.get(array.constructor)]);
	const bytes = Object.values(own).map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
	peer.send(pack(names.length > 0 ? { ...head, arrays: names } : head), ...bytes);
}

export async function next(peer: RawPeer): Promise<Message> {
	for (;;) {
		const [first, ...frames] = await peer.receive();
		const { arrays: names = [], ...head } = unpack(first!) as Head & { arrays?: [string, string][] };
		if (head.type === "ping") continue;
		expect(frames.length).toBe(names.length);
		return { head, arrays: Object.fromEntries(names.map(([name, type], k) => [`${name} ${type}`, frames[k]!])) };
	}
}

/** The next message is an error with a reason and a remedy; of one without an id `id` is undefined. */
export async function refused(peer: RawPeer, code: string, field: string, id?: string): Promise<Head> {
	const { head } = await next(peer);
	expect(head).toMatchObject({ type: "error", code, field });
	expect(head.id).toBe(id);
	expect([typeof head.message, typeof head.remedy]).toEqual(["string", "string"]);
	expect(String(head.message).length * String(head.remedy).length).toBeGreaterThan(0);
	return head;
}

/** The connection still works. */
export async function goesOn(peer: RawPeer): Promise<void> {
	send(peer, { type: "ping" });
	expect((await next(peer)).head).toEqual({ type: "pong" });
}
