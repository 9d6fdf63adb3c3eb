/** The service: takes the messages of clients (docs/protocol.md), and finds out which client each comes from. */

import { setTimeout as pause } from "node:timers/promises";
import {
	type ClientMessage,
	checkHead,
	clientMessages,
	FrameError,
	headOf,
	type Limits,
	toFrames,
	VERSION,
} from "@stickslip/client/protocol";
import { version } from "@stickslip/core";
import { METRICS_TYPE } from "../output/exposition.js";
import { Client } from "./client.js";
import type { Connection, ConnectionEvents, Frames, Listener } from "./connection.js";
import type { KeepLimits } from "./kept-answers.js";
import { RequestError, requestError } from "./request-error.js";
import { Requests } from "./requests.js";
import type { SessionKeeper } from "./session-keeper.js";
import { Statistics } from "./statistics.js";
import type { Page } from "./websocket-listener.js";

export interface ServiceOptions {
	readonly keeper: SessionKeeper;
	/** The client that a token belongs to. */
	readonly clientOf: (token: string) => string | undefined;
	/** Whether a client of this name still exists. */
	readonly isClient: (name: string) => boolean;
	readonly limits: Limits;
	readonly keep: KeepLimits;
	readonly partSeconds?: number | undefined;
	readonly log: (line: string) => void;
}

/** How many messages may wait for a slow connection before it is closed. */
const BACKLOG_MAX = 10_000;
const SWEEP_MS = 1000;
/** How long the last answers may take to be sent. */
const FAREWELL_MS = 2000;
const LOOK_MS = 5;
const PROTOCOL = "docs/protocol.md has what a message may be";

type Message<Type extends ClientMessage["type"]> = Extract<ClientMessage, { readonly type: Type }>;
type Hello = Message<"hello">;

export class Service implements ConnectionEvents {
	readonly #options: ServiceOptions;
	readonly #statistics = new Statistics();
	readonly #requests: Requests;
	readonly #clients = new Map<string, Client>();
	readonly #hellos = new Map<Connection, Client>();
	readonly #sweeping: NodeJS.Timeout;

	constructor(options: ServiceOptions) {
		const { keeper, limits, partSeconds } = options;
		this.#options = options;
		this.#requests = new Requests({ keeper, limits, statistics: this.#statistics, onBug: this.#onBug, partSeconds });
		this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref();
	}

	/** Forgets expired answers, and ends connections of removed clients. */
	#sweep(): void {
		for (const [name, client] of [...this.#clients]) {
			client.sweep();
			if (client.connections.size > 0 || client.requests.size > 0 || this.#options.isClient(name)) continue;
			client.kept.clear();
			this.#clients.delete(name);
		}
		for (const [connection, { name }] of [...this.#hellos]) {
			if (this.#options.isClient(name)) continue;
			const remedy = "ask who runs the service for another connection file";
			this.#send(connection, new RequestError("unauthorized", "token", "is not known any more", remedy).toFrames());
			this.#drop(connection);
		}
	}

	received(connection: Connection, frames: Frames): void {
		let id: string | undefined;
		try {
			const head = headOf(frames);
			id = idOf(head);
			const message = checkHead(clientMessages, head);
			if (!("fault" in message)) {
				this.#take(connection, message, frames);
				return;
			}
			const { field, message: problem } = message.fault;
			throw new RequestError("bad-message", field, problem, PROTOCOL);
		} catch (error) {
			const isNoise = error instanceof FrameError && id === undefined;
			const refused = this.#errorOf(error);
			this.#statistics.count(this.#hellos.get(connection)?.name ?? "", refused.code);
			// A violation of the connection's limits concerns the connection: the request may be sent again on another one.
			this.#send(connection, refused.toFrames(refused.code === "unauthorized" ? undefined : id));
			if (isNoise || refused.code === "unauthorized") this.#drop(connection);
		}
	}

	garbled(connection: Connection, error: FrameError): void {
		this.#send(connection, this.#errorOf(error).toFrames());
		this.#drop(connection);
	}

	closed(connection: Connection): void {
		const client = this.#hellos.get(connection);
		if (client === undefined) return;
		this.#hellos.delete(connection);
		client.disconnect(connection);
		this.#requests.lose(connection, client);
	}

	/** Accepts no more requests; resolves when all earlier ones are answered, after this many seconds at most. */
	async drain(reason: string, seconds: number): Promise<void> {
		for (const connection of this.#hellos.keys()) this.#send(connection, toFrames({ type: "bye", reason }));
		await this.#requests.drain(this.#clients.values(), seconds);
		const end = performance.now() + FAREWELL_MS;
		while ([...this.#hellos.keys()].some(({ waiting }) => waiting > 0) && performance.now() < end) await pause(LOOK_MS);
		clearInterval(this.#sweeping);
	}

	/** Answers of the WebSocket port to HTTP requests. */
	page(path: string, listeners: readonly Listener[], token = ""): Page | undefined {
		const { isDraining, waiting, running } = this.#requests;
		const { ranks, losses } = this.#options.keeper;
		if (path === "/metrics") {
			const state = { clients: this.#clients.values(), listeners, waiting, running, ranks, losses, isDraining };
			const isNamed = this.#options.clientOf(token) !== undefined;
			return { status: 200, type: METRICS_TYPE, text: this.#statistics.text(state, isNamed) };
		}
		if (path !== "/healthz") return undefined;
		const state = isDraining ? "draining" : ranks > 0 ? "ok" : "starting ranks";
		return { status: state === "ok" ? 200 : 503, type: "text/plain", text: `${state}\n` };
	}

	#take(connection: Connection, message: ClientMessage, frames: Frames): void {
		if (message.type === "hello") {
			this.#hello(connection, message);
			return;
		}
		const client = this.#hellos.get(connection);
		if (client === undefined) {
			throw new RequestError("unauthorized", "hello", "has to be the first message", "say hello with the token first");
		}
		switch (message.type) {
			case "solve":
			case "prepare":
				this.#requests.add(connection, client, message, frames);
				break;
			case "release":
				client.release(message.pattern);
				this.#send(connection, toFrames({ type: "released", id: message.id, pattern: message.pattern }));
				break;
			case "cancel":
				this.#requests.cancel(connection, client, message.id);
				break;
			case "fetch":
				this.#requests.fetch(connection, client, message.id);
				break;
			case "forget":
				for (const id of message.ids) client.kept.forget(id);
				break;
			case "ping":
				this.#send(connection, toFrames({ type: "pong" }));
				break;
			case "pong":
				break;
		}
	}

	#hello(connection: Connection, { version: asked, token = "" }: Hello): void {
		if (asked !== VERSION) {
			const remedy = `use a client of version ${VERSION}`;
			const error = new RequestError("unsupported-version", "version", `is ${asked}, and not ${VERSION}`, remedy);
			this.#send(connection, error.toFrames(undefined, { versions: [VERSION] }));
			this.#drop(connection);
			return;
		}
		const name = this.#options.clientOf(token);
		if (name === undefined) {
			const remedy = "use the connection file that the service wrote";
			throw new RequestError("unauthorized", "token", "is not known", remedy);
		}
		const { limits, keep: kept, keeper } = this.#options;
		const client = this.#clients.get(name) ?? new Client(name, limits, kept);
		client.connect(connection);
		this.#clients.set(name, client);
		this.#hellos.set(connection, client);
		connection.admit(client.traffic);
		const welcome = () => {
			const about = { version: VERSION, server: version, name, ranks: keeper.ranksLast, limits, kept };
			this.#send(connection, toFrames({ type: "welcome", ...about }));
		};
		if (keeper.ranksLast > 0) welcome();
		else keeper.session().then(welcome, () => {});
	}

	#send(connection: Connection, frames: Frames): void {
		if (connection.waiting < BACKLOG_MAX) {
			void connection.send(frames);
			return;
		}
		this.closed(connection);
		connection.end();
	}

	#drop(connection: Connection): void {
		this.closed(connection);
		connection.close();
	}

	#errorOf(error: unknown): RequestError {
		if (error instanceof FrameError) return new RequestError("bad-message", error.field, error.message, PROTOCOL);
		return requestError(error, this.#onBug);
	}

	readonly #onBug = (bug: unknown) => {
		this.#options.log(`a bug: ${bug instanceof Error ? bug.stack : String(bug)}`);
	};
}

/** The id of a message whose other fields may be wrong. */
function idOf(head: unknown): string | undefined {
	if (typeof head !== "object" || head === null || !("id" in head)) return undefined;
	const { id } = head;
	return typeof id === "string" && /^[\w.:-]{1,64}$/.test(id) ? id : undefined;
}
