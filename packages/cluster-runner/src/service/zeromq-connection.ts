/**
 * One connection over ZeroMQ. The library encrypts, but it would hold messages without end, announced by anyone. So it never meets a client: the service
 * accepts the connection, counts what passes in both directions, and hands it on to the library through a socket of its own. Each connection has a name in
 * the library that the client cannot choose, and can be closed.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { Router } from "zeromq";
import type { Connection, Frames } from "./connection.js";
import { FrameHeaders } from "./frame-headers.js";
import { Outbox } from "./outbox.js";
import { ConnectionTraffic, type Traffic } from "./traffic.js";
import { bodyBytes, bodyOf, handshakeIn, type Mechanism, wireBytes } from "./zmtp.js";

/** A client that does not finish the handshake within this time is disconnected. */
const HANDSHAKE_MS = 3000;
/** A client whose host is silent for this long is gone. */
const SILENT_MS = 10_000;
/** How long the last messages of a client have to pass the library, and its last messages to leave. */
const LAST_MS = 200;
/** From here on the greeting shows that the client speaks the protocol. */
const SIGNATURE_BYTES = 10;
/** Bytes that the library needs for a frame in addition to its content. */
const FRAME_BYTES = 64;
/** Frames that the library may have without delivering them: many requests at once, of few frames each. */
const FRAMES_MAX = 2 ** 16;
/** Number of small frames that each probe subtracts, since heartbeats are never delivered. */
const HEARTBEATS = 4;
const HEARTBEAT_BYTES_MAX = 128;

/** Why a stranger was refused. */
export type Refusal = "protocol" | "timeout" | "too-large";

export interface ZeromqConnectionOptions {
	readonly router: Router;
	/** The name of the connection in the library. */
	readonly id: string;
	/** Where the library connects to: a path, or undefined for a port on loopback. */
	readonly path: string | undefined;
	readonly mechanism: Mechanism;
	/** Traffic of clients that have not sent their hello. */
	readonly traffic: Traffic;
	/** Bytes of one message above which the connection is closed. */
	readonly bytesMax: number;
	/** The library connects there now. */
	readonly connecting: (endpoint: string) => void;
	readonly refused: (reason: Refusal) => void;
	/** It is over; nothing follows. `isMet`: the library has connected, and finds out by itself. */
	readonly gone: (endpoint: string, isMet: boolean) => void;
}

export class ZeromqConnection implements Connection {
	readonly peer: string;
	readonly #client: Socket;
	readonly #options: ZeromqConnectionOptions;
	readonly #traffic: ConnectionTraffic;
	readonly #outbox: Outbox;
	readonly #frames = new FrameHeaders(bodyOf);
	readonly #timer: NodeJS.Timeout;
	/** Where the library connects to, until it has. */
	#server: Server | undefined;
	#library: Socket | undefined;
	#endpoint = "";
	/** Bytes from before the handshake was accepted, and the number of them that the library has. */
	#early: Buffer | undefined = Buffer.alloc(0);
	#passed = 0;
	/** Lengths of the frames that the library has not delivered yet. */
	#undelivered: number[] = [];
	/** Reasons not to read. */
	readonly #holds = new Set<"handshake" | "traffic" | "library">();
	#heard = performance.now();
	/** Bytes that the client's system has accepted, and what each message needs of them. */
	#left = 0;
	#promised = 0;
	#leaving: { readonly end: number; readonly done: (isSent: boolean) => void }[] = [];
	#isOver = false;

	constructor(client: Socket, options: ZeromqConnectionOptions) {
		this.peer = `zeromq ${client.remoteAddress ?? ""}:${client.remotePort ?? ""}`;
		this.#client = client;
		this.#options = options;
		const pause = () => this.#hold("traffic", true);
		const resume = () => this.#hold("traffic", false);
		this.#traffic = new ConnectionTraffic(options.traffic, { pause, resume });
		this.#outbox = new Outbox(this.#traffic, (frames) => this.#write(frames));
		this.#timer = setTimeout(() => this.#refuse("timeout"), HANDSHAKE_MS).unref();
		client.on("data", (bytes) => this.#take(bytes));
		client.on("error", () => {});
		// Earlier messages may still be with the library.
		client.on("end", () => this.#endSoon());
		client.on("close", () => this.#endSoon());
	}

	get waiting(): number {
		return this.#outbox.waiting;
	}

	send(frames: Frames): Promise<boolean> {
		return this.#outbox.push(frames);
	}

	admit(traffic: Traffic): void {
		this.#traffic.move(traffic);
	}

	/** The library would connect again by itself, and send what it has not sent: its client learns more from the error of its next message. */
	close(): void {
		this.#traffic.move(this.#options.traffic);
	}

	/** The library has accepted the handshake: the client has a key that the service knows. */
	opened(): void {
		const early = this.#early;
		if (early === undefined || this.#isOver) return;
		clearTimeout(this.#timer);
		this.#early = undefined;
		if (early.length > this.#passed) this.#pass(early.subarray(this.#passed));
		this.#hold("handshake", false);
	}

	/** The library has delivered a message. */
	delivered(frames: Frames): void {
		for (const { byteLength } of frames) {
			const body = bodyBytes(byteLength, this.#options.mechanism);
			const at = this.#undelivered.indexOf(body);
			// Those before it are the library's own, such as its heartbeats.
			this.#forget(at + 1);
		}
	}

	/** Ends it if its client is silent, or reads nothing. Called every PROBE_MS. */
	probe(): void {
		const small = this.#undelivered.slice(0, HEARTBEATS).findIndex((body) => body > HEARTBEAT_BYTES_MAX);
		this.#forget(small < 0 ? HEARTBEATS : small);
		const isSilent = this.#holds.size === 0 && performance.now() - this.#heard > SILENT_MS;
		if (this.#outbox.isStalled(this.#left) || (isSilent && this.#early === undefined)) this.end();
	}

	end(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		clearTimeout(this.#timer);
		this.#client.destroy();
		this.#server?.close();
		this.#library?.destroy();
		for (const { done } of this.#leaving.splice(0)) done(false);
		this.#outbox.end();
		this.#traffic.end();
		this.#options.gone(this.#endpoint, this.#library !== undefined);
	}

	#forget(frames: number): void {
		const forgotten = this.#undelivered.splice(0, frames);
		this.#traffic.completed(forgotten.reduce((sum, body) => sum + wireBytes(body) + FRAME_BYTES, 0));
	}

	#take(bytes: Buffer): void {
		this.#heard = performance.now();
		if (this.#isOver) return;
		if (this.#early === undefined) this.#pass(bytes);
		else this.#shake(Buffer.concat([this.#early, bytes]));
	}

	/** Only the handshake passes before it is accepted: whatever follows could announce a frame of any size. */
	#shake(early: Buffer): void {
		this.#early = early;
		const handshake = handshakeIn(early, this.#options.mechanism);
		if (handshake === undefined) {
			this.#refuse("protocol");
			return;
		}
		if (handshake.isWhole) this.#hold("handshake", true);
		if (early.length < SIGNATURE_BYTES) return;
		if (this.#server === undefined) void this.#connect();
		const library = this.#library;
		if (library === undefined) return;
		library.write(early.subarray(this.#passed, handshake.bytes));
		this.#passed = handshake.bytes;
	}

	async #connect(): Promise<void> {
		const { path, router, id, connecting } = this.#options;
		const server = createServer({ noDelay: true }, (library) => {
			server.close();
			this.#meet(library);
		});
		this.#server = server;
		server.on("error", () => this.end());
		if (path === undefined) server.listen(0, "127.0.0.1");
		else server.listen(path);
		await once(server, "listening").catch(() => {});
		const address = server.address();
		if (address === null || this.#isOver) return;
		this.#endpoint = typeof address === "string" ? `ipc://${address}` : `tcp://127.0.0.1:${address.port}`;
		connecting(this.#endpoint);
		router.connect(this.#endpoint, { routingId: id });
	}

	#meet(library: Socket): void {
		this.#library = library;
		library.on("error", () => {});
		library.on("data", (bytes) => this.#giveBack(bytes));
		library.on("drain", () => this.#hold("library", false));
		// The last thing it says may be why.
		library.on("end", () => this.#client.end());
		library.on("close", () => this.#endSoon());
		if (this.#early !== undefined) this.#shake(this.#early);
	}

	#pass(bytes: Buffer): void {
		let begun = 0;
		this.#frames.read(bytes, (body) => {
			begun += FRAME_BYTES;
			this.#undelivered.push(body);
		});
		this.#traffic.arrived(bytes.length + begun);
		if (this.#traffic.arriving > this.#options.bytesMax || this.#undelivered.length > FRAMES_MAX) {
			this.#refuse("too-large");
			return;
		}
		if (this.#library?.write(bytes) === false) this.#hold("library", true);
	}

	#giveBack(bytes: Buffer): void {
		const accepted = this.#client.write(bytes, () => {
			this.#left += bytes.length;
			while (this.#leaving.length > 0 && this.#leaving[0]!.end <= this.#left) this.#leaving.shift()!.done(true);
		});
		if (accepted) return;
		this.#library?.pause();
		this.#client.once("drain", () => this.#library?.resume());
	}

	/** Resolves when the client's system has as many bytes as the message needs on the wire. */
	#write(frames: Frames): Promise<boolean> {
		if (this.#isOver) return Promise.resolve(false);
		if (this.#leaving.length === 0) this.#promised = this.#left;
		const { router, id, mechanism } = this.#options;
		for (const { byteLength } of frames) this.#promised += wireBytes(bodyBytes(byteLength, mechanism));
		const end = this.#promised;
		return new Promise((done) => {
			this.#leaving.push({ end, done });
			// A connection that was lost accepts nothing.
			router.send([id, ...frames]).catch(() => this.end());
		});
	}

	#hold(reason: "handshake" | "traffic" | "library", isHeld: boolean): void {
		if (isHeld) this.#holds.add(reason);
		else this.#holds.delete(reason);
		if (this.#isOver) return;
		this.#heard = performance.now();
		if (this.#holds.size > 0) this.#client.pause();
		else this.#client.resume();
	}

	#refuse(reason: Refusal): void {
		this.#options.refused(reason);
		this.end();
	}

	#endSoon(): void {
		if (!this.#isOver) setTimeout(() => this.end(), LAST_MS).unref();
	}
}
