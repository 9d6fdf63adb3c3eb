/** The service over WebSocket, with /healthz and /metrics on the same port. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { FrameError, fromPacket, toPacket } from "@stickslip/client/protocol";
import { WebSocket, WebSocketServer } from "ws";
import { hostPort } from "../protocol/host-port.js";
import { advertisedHost } from "../protocol/listen-address.js";
import { bindRefusal } from "../protocol/sockets.js";
import type { Connection, ConnectionEvents, Frames, Listener } from "./connection.js";

export interface WebSocketOptions {
	readonly host: string;
	/** 0 for any that is free. */
	readonly port: number;
	readonly advertise?: string | undefined;
	/** The certificate and its key, as PEM; without them there is no encryption. */
	readonly tls?: { readonly cert: string; readonly key: string } | undefined;
	/** Origins of pages that may connect: https://host or https://host:port. Other programs have no origin. */
	readonly origins: readonly string[];
	readonly messageBytesMax: number;
	/** Answers GET requests: the status and the text for a path, undefined if there is none. */
	readonly page: (path: string) => Page | undefined;
}

export interface Page {
	readonly status: number;
	readonly type: string;
	readonly text: string;
}

/** A connection without a hello by then is closed. */
const HELLO_MS = 5000;
/** What a stranger may send before hello. */
const HELLO_BYTES_MAX = 2 ** 16;
const LOOK_MS = 1000;
const HEADER_BYTES_MAX = 2 ** 13;
const CONNECTIONS_MAX = 10_000;
/** A client that does not answer pings for this long is gone. */
const PING_MS = 5000;
const CLOSING_MS = 1000;

/** Close codes of RFC 6455. */
const GOING_AWAY = 1001;
const POLICY = 1008;

class WebSocketConnection implements Connection {
	readonly peer: string;
	isAlive = true;
	waiting = 0;
	readonly #socket: WebSocket;
	readonly #tcp: Socket;
	readonly #timer: NodeJS.Timeout;
	readonly #onBytes: () => void;

	constructor(socket: WebSocket, tcp: Socket) {
		this.#socket = socket;
		this.#tcp = tcp;
		this.peer = `websocket ${tcp.remoteAddress ?? ""}:${tcp.remotePort ?? ""}`;
		const before = tcp.bytesRead;
		this.#timer = setTimeout(() => socket.terminate(), HELLO_MS).unref();
		this.#onBytes = () => {
			if (tcp.bytesRead - before > HELLO_BYTES_MAX) socket.terminate();
		};
		tcp.prependListener("data", this.#onBytes);
	}

	send(frames: Frames): Promise<boolean> {
		if (this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve(false);
		this.waiting += 1;
		return new Promise((done) => {
			this.#socket.send(toPacket(frames), (error) => {
				this.waiting -= 1;
				done(error === undefined || error === null);
			});
		});
	}

	admit(): void {
		clearTimeout(this.#timer);
		this.#tcp.off("data", this.#onBytes);
	}

	close(code = POLICY): void {
		clearTimeout(this.#timer);
		this.#socket.close(code);
		setTimeout(() => this.#socket.terminate(), CLOSING_MS).unref();
	}

	/** Ends it if the last ping was not answered. */
	probe(): void {
		if (this.isAlive) this.#socket.ping();
		else this.#socket.terminate();
		this.isAlive = false;
	}
}

class WebSocketListener implements Listener {
	readonly refused = new Map<string, number>();
	readonly #options: WebSocketOptions;
	readonly #events: ConnectionEvents;
	readonly #server: Server;
	readonly #sockets: WebSocketServer;
	readonly #connections = new Set<WebSocketConnection>();
	readonly #probing: NodeJS.Timeout;

	constructor(options: WebSocketOptions, events: ConnectionEvents) {
		this.#options = options;
		this.#events = events;
		const { tls, messageBytesMax } = options;
		const limits = {
			requestTimeout: HELLO_MS,
			headersTimeout: HELLO_MS,
			keepAliveTimeout: HELLO_MS,
			connectionsCheckingInterval: LOOK_MS,
			maxHeaderSize: HEADER_BYTES_MAX,
		};
		this.#server = tls ? createTlsServer({ ...limits, ...tls, handshakeTimeout: HELLO_MS }) : createServer(limits);
		this.#server.maxConnections = CONNECTIONS_MAX;
		this.#sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, perMessageDeflate: false });
		this.#server.on("request", ({ method, url = "" }, response) => {
			const page = this.#options.page(url.replace(/\?.*/s, ""));
			const isRead = method === "GET" || method === "HEAD";
			const { status, type, text } = page ?? {
				status: 404,
				type: "text/plain",
				text: "there are /healthz and /metrics\n",
			};
			response.writeHead(isRead ? status : 405, { "content-type": type });
			response.end(isRead ? text : "only GET\n");
		});
		this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
		this.#probing = setInterval(() => {
			for (const connection of this.#connections) connection.probe();
		}, PING_MS).unref();
	}

	get address(): string {
		const { host, advertise = advertisedHost(host), tls } = this.#options;
		const { port } = this.#server.address() as AddressInfo;
		return `${tls ? "wss" : "ws"}://${hostPort(advertise, port)}`;
	}

	open(): Promise<void> {
		const { host, port } = this.#options;
		return new Promise((resolve, reject) => {
			this.#server.once("error", (error) => reject(bindRefusal(error, hostPort(host, port))));
			this.#server.listen(port, host, () => {
				// A failed connection must not end the service.
				this.#server.on("error", () => this.#count("system"));
				resolve();
			});
		});
	}

	close(): Promise<void> {
		clearInterval(this.#probing);
		for (const connection of this.#connections) connection.close(GOING_AWAY);
		const end = setTimeout(() => this.#server.closeAllConnections(), CLOSING_MS);
		return new Promise((resolve) => {
			this.#server.close(() => {
				clearTimeout(end);
				resolve();
			});
			this.#server.closeIdleConnections();
		});
	}

	/** A browser sends the origin of the page; other programs send none. */
	#upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		const { origin } = request.headers;
		if (origin !== undefined && !this.#options.origins.includes(origin)) {
			this.#count("origin");
			socket.on("error", () => {});
			socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
			return;
		}
		this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#open(webSocket, request.socket));
	}

	#open(socket: WebSocket, tcp: Socket): void {
		const connection = new WebSocketConnection(socket, tcp);
		this.#connections.add(connection);
		socket.on("message", (data, isBinary) => this.#message(connection, data as Buffer, isBinary));
		socket.on("pong", () => {
			connection.isAlive = true;
		});
		// A message that is too large, or not a WebSocket frame: the connection is closed next.
		socket.on("error", () => this.#count("protocol"));
		socket.on("close", () => {
			connection.admit();
			this.#connections.delete(connection);
			this.#events.closed(connection);
		});
	}

	#message(connection: WebSocketConnection, data: Buffer, isBinary: boolean): void {
		connection.isAlive = true;
		try {
			if (!isBinary) throw new FrameError("packet", "is text, not bytes");
			this.#events.received(connection, fromPacket(data));
		} catch (error) {
			if (!(error instanceof FrameError)) throw error;
			this.#events.garbled(connection, error);
		}
	}

	#count(reason: string): void {
		this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
	}
}

/** Rejects with an InputError if it cannot listen there. */
export async function listenWebSocket(options: WebSocketOptions, events: ConnectionEvents): Promise<Listener> {
	const listener = new WebSocketListener(options, events);
	await listener.open();
	return listener;
}
