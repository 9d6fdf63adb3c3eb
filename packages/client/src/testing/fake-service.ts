/** A minimal service for tests of the client: it solves in this process, keeps answers, and can be told to misbehave. */
import type { Problem } from "@stickslip/core";
import { solve } from "@stickslip/core";
import { WebSocket, WebSocketServer } from "ws";
import { curveKeyPair, Router } from "zeromq";
import {
	arraysOf,
	type ClientMessage,
	checkHead,
	clientMessages,
	fromArrays,
	fromPacket,
	headOf,
	type Limits,
	type NamedArrays,
	type NumberArray,
	toFrames,
	toPacket,
} from "../protocol/index.js";

type Head = Readonly<Record<string, unknown>>;
type Answer = readonly [head: Head, arrays?: NamedArrays];
export type Send = (head: Head, arrays?: NamedArrays) => void;

/** Takes a message in the place of the service; true where it has. */
export type Take = (message: ClientMessage, send: Send, arrays: NamedArrays) => boolean;

export interface FakeOptions {
	readonly transport: "zeromq" | "websocket";
	readonly take?: Take;
	readonly limits?: Partial<Limits>;
	readonly token?: string;
	/** The address and keys of one that was there before. */
	readonly again?: FakeService;
}

const LIMITS: Limits = { requests: 8, bytes: 2 ** 28, seconds: 60, message: 2 ** 28 };

/** What a client can be told of it. */
export interface Details {
	readonly token: string;
	readonly websocket?: string;
	readonly zeromq?: string;
	readonly serviceKey?: string;
	readonly publicKey?: string;
	readonly secretKey?: string;
}

export class FakeService {
	readonly received: ClientMessage[] = [];
	/** Requests that were solved, not those that were answered again. */
	solved = 0;
	readonly #options: FakeOptions;
	readonly #answers = new Map<string, Answer>();
	readonly #patterns = new Map<string, NamedArrays>();
	readonly #keys: { readonly publicKey: string; readonly secretKey: string };
	#sockets: WebSocketServer | undefined;
	#router: Router | undefined;
	#address = "";

	private constructor(options: FakeOptions) {
		this.#options = options;
		this.#keys = options.again === undefined ? curveKeyPair() : options.again.#keys;
	}

	static async start(options: FakeOptions): Promise<FakeService> {
		const service = new FakeService(options);
		await (options.transport === "zeromq" ? service.#bind() : service.#listen());
		return service;
	}

	get details(): Details {
		const token = this.#options.token ?? "secret";
		if (this.#options.transport === "websocket") return { token, websocket: this.#address };
		return { token, zeromq: this.#address, serviceKey: this.#keys.publicKey, ...curveKeyPair() };
	}

	/** Ends connections, and with them the memory of what was on the way; answers and patterns stay. */
	drop(): void {
		for (const socket of this.#sockets?.clients ?? []) socket.terminate();
	}

	async close(): Promise<void> {
		this.drop();
		await new Promise<void>((resolve) =>
			this.#sockets === undefined ? resolve() : this.#sockets.close(() => resolve()),
		);
		this.#router?.close();
	}

	count(type: ClientMessage["type"]): number {
		return this.received.filter((message) => message.type === type).length;
	}

	async #bind(): Promise<void> {
		const { publicKey, secretKey } = this.#keys;
		const router = new Router({ curveServer: true, curvePublicKey: publicKey, curveSecretKey: secretKey, linger: 0 });
		await router.bind(this.#options.again?.details.zeromq ?? "tcp://127.0.0.1:*");
		this.#router = router;
		this.#address = router.lastEndpoint ?? "";
		let last: Promise<void> = Promise.resolve();
		const listen = async () => {
			for await (const [identity, ...frames] of router) {
				this.#take(frames, (head, arrays) => {
					last = last.then(() => router.send([identity!, ...toFrames(head, arrays)])).catch(() => {});
				});
			}
		};
		listen().catch(() => {});
	}

	async #listen(): Promise<void> {
		const port = Number(new URL(this.#options.again?.details.websocket ?? "ws://127.0.0.1:0").port);
		const sockets = new WebSocketServer({ host: "127.0.0.1", port, perMessageDeflate: false });
		this.#sockets = sockets;
		sockets.on("connection", (socket) => {
			socket.on("message", (data: Buffer) => {
				this.#take(fromPacket(data), (head, arrays) => {
					if (socket.readyState === WebSocket.OPEN) socket.send(toPacket(toFrames(head, arrays)));
				});
			});
		});
		await new Promise<void>((resolve, reject) => sockets.once("listening", resolve).once("error", reject));
		this.#address = `ws://127.0.0.1:${(sockets.address() as { port: number }).port}`;
	}

	#take(frames: readonly Uint8Array[], send: Send): void {
		const message = checkHead(clientMessages, headOf(frames));
		if ("fault" in message) throw new Error(`the client sent ${JSON.stringify(message.fault)}`);
		this.received.push(message);
		const arrays = arraysOf("arrays" in message ? message.arrays : undefined, frames);
		if (this.#options.take?.(message, send, arrays) === true) return;
		const answer = this.answer(message, arrays);
		if (answer !== undefined) send(...answer);
	}

	/** What it answers, if it answers that. */
	answer(message: ClientMessage, arrays: NamedArrays): Answer | undefined {
		const refused = (code: string, field: string, id?: string): Answer => [
			{ type: "error", id, code, field, message: "is refused", remedy: "try again" },
		];
		switch (message.type) {
			case "hello": {
				if (message.token !== this.details.token) return refused("unauthorized", "token");
				const limits = { ...LIMITS, ...this.#options.limits };
				const kept = { seconds: 9, bytes: 9 };
				return [{ type: "welcome", version: 1, server: "0", name: "test", ranks: 2, limits, kept }];
			}
			case "ping":
				return [{ type: "pong" }];
			case "prepare":
				this.#patterns.set(message.pattern, arrays);
				return [{ type: "prepared", id: message.id, pattern: message.pattern }];
			case "release":
				if (!this.#patterns.delete(message.pattern)) return refused("unknown-pattern", "pattern", message.id);
				return [{ type: "released", id: message.id, pattern: message.pattern }];
			case "fetch":
				return this.#answers.get(message.id) ?? refused("unknown-request", "id", message.id);
			case "solve": {
				const first = message.pattern === undefined ? new Map() : this.#patterns.get(message.pattern);
				if (first === undefined) return refused("unknown-pattern", "pattern", message.id);
				const all = new Map([...first, ...arrays]);
				const answer = this.#answers.get(message.id) ?? this.#solve(message, all);
				// What is left out the next time is as it was the last time.
				if (message.pattern !== undefined) this.#patterns.set(message.pattern, all);
				this.#answers.set(message.id, answer);
				return answer;
			}
		}
		return undefined;
	}

	#solve(message: Extract<ClientMessage, { type: "solve" }>, arrays: Map<string, NumberArray>): Answer {
		const start = arrays.get("start") as Float64Array | undefined;
		arrays.delete("start");
		arrays.delete("keys");
		const problem: Problem = fromArrays(message.name ?? "problem", message.contacts, arrays);
		const { reaction, velocity, report } = solve(problem, { ...message.options, ...(start && { start }) });
		this.solved += 1;
		return [{ type: "result", id: message.id, report }, new Map(Object.entries({ reaction, velocity }))];
	}
}
