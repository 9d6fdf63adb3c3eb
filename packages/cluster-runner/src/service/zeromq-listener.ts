/**
 * The service over ZeroMQ: a ROUTER that only lets in clients whose CURVE key is known (ZAP), or on a socket in a folder that only its user may enter. It
 * never waits for one client: a message that a client does not accept is sent again later, and the place of a lost client is freed when the next message to
 * it fails.
 */
import { rmSync } from "node:fs";
import { isIPv6 } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { toFrames } from "@stickslip/client/protocol";
import { Context, Reply, Router } from "zeromq";
import { codeOf } from "../base/errors.js";
import { hostPort } from "../protocol/host-port.js";
import { z85 } from "../protocol/keys.js";
import { advertisedHost } from "../protocol/listen-address.js";
import { bindRefusal } from "../protocol/sockets.js";
import type { Connection, ConnectionEvents, Frames, Listener } from "./connection.js";

/** Where it listens, and which clients it accepts. */
interface Endpoint {
	/** As ZeroMQ binds it, and as messages name it. */
	readonly bind: string;
	readonly place: string;
	readonly isIPv6: boolean;
	/** Absent if everyone with access may connect: then nothing is encrypted. */
	readonly guard?: Pick<ZeromqOptions, "curve" | "isKnown">;
	/** What clients connect to, of what was bound. */
	address(bound: string): string;
	/** Removes what the library would remove too late when the process ends. */
	remove?(): void;
}

export interface ZeromqOptions {
	readonly host: string;
	/** 0 for any that is free. */
	readonly port: number;
	/** The host that clients connect to, if it is not the one it listens on. */
	readonly advertise?: string | undefined;
	/** In Z85. */
	readonly curve: { readonly publicKey: string; readonly secretKey: string };
	/** Whether a client has this public key, in Z85. */
	readonly isKnown: (publicKey: string) => boolean;
	readonly messageBytesMax: number;
}

/** A client that does not authenticate within this time is disconnected. */
const HANDSHAKE_MS = 3000;
/** A client whose host is silent for this long is gone. */
const HEARTBEAT_MS = 2000;
const HEARTBEAT_TIMEOUT_MS = 10_000;
/** Messages to one client that the library holds; more of them wait here. */
const SENT_AHEAD = 32;
const LINGER_MS = 1000;
const RETRY_MS = 1;
const RETRY_MS_MAX = 50;
/** How long after a closed connection lost clients are searched: the library needs a moment. */
const PROBE_MS = [5, 100, 500];
/** What encryption adds to a frame. */
const CURVE_BYTES = 64;

const PING = toFrames({ type: "ping" });
const ZAP = "inproc://zeromq.zap.01";
const HANDSHAKE_ERRORS = ["handshake:error:protocol", "handshake:error:auth", "handshake:error:other"] as const;

class ZeromqConnection implements Connection {
	readonly peer: string;
	readonly #router: Router;
	readonly #identity: Uint8Array;
	readonly #gone: () => void;
	readonly #queue: { readonly frames: Frames; readonly done: (isSent: boolean) => void }[] = [];
	#isSending = false;
	#isClosed = false;

	constructor(router: Router, identity: Uint8Array, gone: () => void) {
		this.#router = router;
		this.#identity = identity;
		this.#gone = gone;
		this.peer = `zeromq ${Buffer.from(identity).toString("hex")}`;
	}

	get waiting(): number {
		return this.#queue.length;
	}

	send(frames: Frames): Promise<boolean> {
		if (this.#isClosed) return Promise.resolve(false);
		return new Promise((done) => {
			this.#queue.push({ frames, done });
			if (!this.#isSending) void this.#flush();
		});
	}

	admit(): void {
		// The library has its own limits for strangers.
	}

	/** Earlier messages are still sent. ZeroMQ cannot close one connection of many: the client's next message counts as the first of a new one. */
	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#gone();
	}

	/** What waits is not sent. */
	end(): void {
		for (const { done } of this.#queue.splice(0)) done(false);
		this.close();
	}

	async #flush(): Promise<void> {
		this.#isSending = true;
		let retryMs = RETRY_MS;
		for (let [next] = this.#queue; next !== undefined; [next] = this.#queue) {
			try {
				await this.#router.send([this.#identity, ...next.frames]);
				this.#queue.shift();
				retryMs = RETRY_MS;
				next.done(true);
			} catch (error) {
				if (codeOf(error) !== "EAGAIN") this.end();
				else await pause(retryMs);
				retryMs = Math.min(2 * retryMs, RETRY_MS_MAX);
			}
		}
		this.#isSending = false;
	}
}

class ZeromqListener implements Listener {
	readonly refused = new Map<string, number>();
	readonly #context = new Context();
	readonly #router: Router;
	readonly #zap = new Reply({ context: this.#context, linger: 0 });
	readonly #endpoint: Endpoint;
	readonly #events: ConnectionEvents;
	readonly #connections = new Map<string, ZeromqConnection>();
	#disconnects = 0;
	#isProbing = false;
	#isClosed = false;

	constructor(endpoint: Endpoint, messageBytesMax: number, events: ConnectionEvents) {
		const { guard } = endpoint;
		this.#endpoint = endpoint;
		this.#events = events;
		this.#router = new Router({
			context: this.#context,
			mandatory: true,
			sendTimeout: 0,
			sendHighWaterMark: SENT_AHEAD,
			handshakeInterval: HANDSHAKE_MS,
			heartbeatInterval: HEARTBEAT_MS,
			heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
			linger: LINGER_MS,
			ipv6: endpoint.isIPv6,
			maxMessageSize: messageBytesMax + CURVE_BYTES,
			...(guard && {
				curveServer: true,
				curvePublicKey: guard.curve.publicKey,
				curveSecretKey: guard.curve.secretKey,
				zapDomain: "stickslip",
			}),
		});
	}

	get address(): string {
		return this.#endpoint.address(this.#router.lastEndpoint ?? "");
	}

	async open(): Promise<void> {
		const { bind, place, guard } = this.#endpoint;
		if (guard !== undefined) {
			await this.#zap.bind(ZAP);
			void this.#authenticate(guard.isKnown);
		}
		try {
			await this.#router.bind(bind);
		} catch (error) {
			await this.close();
			throw bindRefusal(error, place);
		}
		this.#watch();
		void this.#listen();
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		for (const connection of [...this.#connections.values()]) connection.end();
		this.#router.close();
		this.#zap.close();
		this.#endpoint.remove?.();
	}

	/** Not before it listens: with a monitor the library loses the reason why it cannot listen. */
	#watch(): void {
		// Processes of the same user only check whether the service listens, and send nothing.
		for (const event of this.#endpoint.guard === undefined ? [] : HANDSHAKE_ERRORS) {
			const reason = event.replace(/.*:/, "");
			this.#router.events.on(event, () => this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1));
		}
		this.#router.events.on("disconnect", () => {
			this.#disconnects += 1;
			if (!this.#isProbing) void this.#probe();
		});
	}

	async #listen(): Promise<void> {
		for (;;) {
			const [identity, ...frames] = await this.#received(this.#router);
			if (identity === undefined) return;
			this.#events.received(this.#connectionOf(identity), frames);
		}
	}

	#connectionOf(identity: Buffer): ZeromqConnection {
		const name = identity.toString("latin1");
		const known = this.#connections.get(name);
		if (known !== undefined) return known;
		const connection = new ZeromqConnection(this.#router, identity, () => {
			this.#connections.delete(name);
			this.#events.closed(connection);
		});
		this.#connections.set(name, connection);
		return connection;
	}

	/** Answers the library's question for each handshake (RFC 27). */
	async #authenticate(isKnownKey: ZeromqOptions["isKnown"]): Promise<void> {
		for (;;) {
			const [version, id, , , , mechanism, key] = await this.#received(this.#zap);
			if (version === undefined || id === undefined) return;
			const isKnown = String(mechanism) === "CURVE" && key?.length === 32 && isKnownKey(z85(key));
			const [status, text] = isKnown ? ["200", "OK"] : ["400", "unknown key"];
			// If it is closed meanwhile, no answer is needed.
			await this.#zap.send([version, id, status!, text!, "", ""]).catch(() => {});
		}
	}

	/** A connection was closed, and the library does not say whose: a message to a lost client fails. */
	async #probe(): Promise<void> {
		this.#isProbing = true;
		for (let seen = -1; seen !== this.#disconnects && !this.#isClosed; ) {
			seen = this.#disconnects;
			for (const wait of PROBE_MS) {
				await pause(wait);
				for (const connection of this.#connections.values()) {
					if (connection.waiting === 0) void connection.send(PING);
				}
			}
		}
		this.#isProbing = false;
	}

	/** The parts of the next message; none once the socket is closed. */
	async #received(socket: { receive(): Promise<Buffer[]> }): Promise<Buffer[]> {
		try {
			return await socket.receive();
		} catch (error) {
			if (this.#isClosed) return [];
			throw error;
		}
	}
}

/** Rejects with an InputError if it cannot listen there. */
export async function listenZeromq(options: ZeromqOptions, events: ConnectionEvents): Promise<Listener> {
	const { host, port, advertise = advertisedHost(host), messageBytesMax } = options;
	const place = hostPort(host, port === 0 ? "*" : port);
	const address = (bound: string) => `tcp://${hostPort(advertise, /:(\d+)$/.exec(bound)?.[1] ?? "")}`;
	const endpoint = { bind: `tcp://${place}`, place, isIPv6: isIPv6(host), guard: options, address };
	return await opened(new ZeromqListener(endpoint, messageBytesMax, events));
}

/** A socket that only processes of the same user can reach: the caller has checked its folder. Also rejects if there are no such sockets. */
export async function listenLocally(
	path: string,
	messageBytesMax: number,
	events: ConnectionEvents,
): Promise<Listener> {
	const bind = `ipc://${path}`;
	const endpoint = {
		bind,
		place: path,
		isIPv6: false,
		address: () => bind,
		remove: () => rmSync(path, { force: true }),
	};
	return await opened(new ZeromqListener(endpoint, messageBytesMax, events));
}

async function opened(listener: ZeromqListener): Promise<Listener> {
	await listener.open();
	return listener;
}
