/** The service over WebSocket, with /healthz and /metrics on the same port. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { FrameError, fromPacket, packetParts, toFrames, toPacket } from "@stickslip/client/protocol";
import { WebSocket, WebSocketServer } from "ws";
import { hostPort } from "../protocol/host-port.js";
import { advertisedHost } from "../protocol/listen-address.js";
import { bindRefusal } from "../protocol/sockets.js";
import type { Connection, ConnectionEvents, Frames, Listener } from "./connection.js";
import { FrameHeaders, webSocketBody } from "./frame-headers.js";
import { bytesOf } from "./kept-answers.js";
import { Outbox } from "./outbox.js";
import { ConnectionTraffic, Traffic } from "./traffic.js";

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
	/** Answers GET requests: the status and the text for a path, undefined if there is none. The token is that of the header Authorization. */
	readonly page: (path: string, token: string | undefined) => Page | undefined;
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
/** A message up to this size is sent as one fragment. */
const WHOLE_BYTES_MAX = 2 ** 16;
/** Memory that the library needs for what it reads at once, and for a fragment, in addition to the bytes. */
const CHUNK_BYTES = 256;
const FRAGMENT_BYTES = 256;
const PING = toFrames({ type: "ping" });

/** Close codes of RFC 6455. */
const GOING_AWAY = 1001;
const POLICY = 1008;

class WebSocketConnection implements Connection {
	readonly peer: string;
	readonly #socket: WebSocket;
	readonly #tcp: Socket;
	readonly #timer: NodeJS.Timeout;
	readonly #traffic: ConnectionTraffic;
	readonly #outbox: Outbox;
	readonly #bytesBefore: number;
	readonly #frames = new FrameHeaders(webSocketBody);
	#isAlive = true;
	#isAdmitted = false;
	#isClosing = false;

	/** `strangers`: the traffic of those who have not said hello. */
	constructor(socket: WebSocket, tcp: Socket, strangers: Traffic) {
		this.#socket = socket;
		this.#tcp = tcp;
		this.peer = `websocket ${tcp.remoteAddress ?? ""}:${tcp.remotePort ?? ""}`;
		this.#bytesBefore = tcp.bytesRead;
		this.#timer = setTimeout(() => socket.terminate(), HELLO_MS).unref();
		const reading = { pause: () => socket.pause(), resume: () => socket.resume() };
		this.#traffic = new ConnectionTraffic(strangers, reading);
		this.#outbox = new Outbox(this.#traffic, (frames) => this.#write(frames));
		tcp.prependListener("data", (bytes: Buffer) => this.#arrived(bytes));
	}

	get waiting(): number {
		return this.#outbox.waiting;
	}

	send(frames: Frames): Promise<boolean> {
		const isOpen = this.#socket.readyState === WebSocket.OPEN && !this.#isClosing;
		return isOpen ? this.#outbox.push(frames) : Promise.resolve(false);
	}

	admit(traffic: Traffic): void {
		clearTimeout(this.#timer);
		this.#isAdmitted = true;
		this.#traffic.move(traffic);
	}

	/** Earlier messages are still sent, and nothing is read any more. */
	close(code = POLICY): void {
		if (this.#isClosing) return;
		this.#isClosing = true;
		clearTimeout(this.#timer);
		const until = performance.now() + CLOSING_MS;
		const end = () => {
			if (!this.#outbox.isHandedOver && performance.now() < until) setTimeout(end, LOOK_MS / 20);
			else this.#socket.close(code);
		};
		end();
		setTimeout(() => this.#socket.terminate(), 2 * CLOSING_MS).unref();
	}

	end(): void {
		this.#isClosing = true;
		this.#socket.terminate();
	}

	get isClosing(): boolean {
		return this.#isClosing;
	}

	/** A message is complete, and whatever has come since belongs to later ones. */
	completed(): void {
		this.#traffic.completed(this.#traffic.arriving);
	}

	/** Ends it if the last ping was not answered, or nothing is read. A client that nothing is read from hears that it is to wait. */
	probe(): void {
		const { bytesWritten, writableLength } = this.#tcp;
		if (this.#outbox.isStalled(bytesWritten - writableLength)) this.#socket.terminate();
		else if (this.#socket.isPaused) {
			if (this.waiting === 0) void this.send(PING);
		} else if (this.#isAlive) {
			this.#isAlive = false;
			this.#socket.ping();
		} else this.#socket.terminate();
	}

	closed(): void {
		clearTimeout(this.#timer);
		this.#outbox.end();
		this.#traffic.end();
	}

	/** Shows that the client is there: its answer to a ping may have to wait behind a large message on a slow line. */
	#arrived(bytes: Buffer): void {
		this.#isAlive = true;
		let more = CHUNK_BYTES;
		this.#frames.read(bytes, () => {
			more += FRAGMENT_BYTES;
		});
		if (this.#isAdmitted) this.#traffic.arrived(bytes.length + more);
		else if (this.#tcp.bytesRead - this.#bytesBefore > HELLO_BYTES_MAX) this.#socket.terminate();
	}

	/** Large messages go out in fragments, so that their arrays are not copied. */
	#write(frames: Frames): Promise<boolean> {
		return new Promise((resolve) => {
			const done = (error?: Error | null) => resolve(error === undefined || error === null);
			if (this.#socket.readyState !== WebSocket.OPEN) resolve(false);
			else if (bytesOf(frames) <= WHOLE_BYTES_MAX) this.#socket.send(toPacket(frames), done);
			else {
				const parts = packetParts(frames);
				for (const part of parts.slice(0, -1)) this.#socket.send(part, { binary: true, fin: false });
				this.#socket.send(parts.at(-1)!, { binary: true, fin: true }, done);
			}
		});
	}
}

class WebSocketListener implements Listener {
	readonly refused = new Map<string, number>();
	readonly #options: WebSocketOptions;
	readonly #events: ConnectionEvents;
	readonly #server: Server;
	readonly #sockets: WebSocketServer;
	readonly #connections = new Set<WebSocketConnection>();
	readonly #strangers = new Traffic();
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
		this.#server.on("request", ({ method, url = "", headers }, response) => {
			const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
			const page = this.#options.page(url.replace(/\?.*/s, ""), token);
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
		const connection = new WebSocketConnection(socket, tcp, this.#strangers);
		this.#connections.add(connection);
		socket.on("message", (data, isBinary) => this.#message(connection, data as Buffer, isBinary));
		// A message that is too large, or not a WebSocket frame: the connection is closed next.
		socket.on("error", () => this.#count("protocol"));
		socket.on("close", () => {
			connection.closed();
			this.#connections.delete(connection);
			this.#events.closed(connection);
		});
	}

	#message(connection: WebSocketConnection, data: Buffer, isBinary: boolean): void {
		connection.completed();
		if (connection.isClosing) return;
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
