/**
 * The service over ZeroMQ: a ROUTER that only lets in clients whose CURVE key is known (ZAP), or on a socket in a folder that only its user may enter. It
 * connects to clients instead of listening: what lies between is in zeromq-connection.ts.
 */
import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Context, Reply, Router } from "zeromq";
import { hostPort } from "../protocol/host-port.js";
import { z85 } from "../protocol/keys.js";
import { advertisedHost } from "../protocol/listen-address.js";
import { bindRefusal } from "../protocol/sockets.js";
import type { ConnectionEvents, Listener } from "./connection.js";
import { Traffic } from "./traffic.js";
import { ZeromqConnection } from "./zeromq-connection.js";

/** Where it listens, and which clients it accepts. */
interface Endpoint {
	readonly where: { readonly host: string; readonly port: number } | { readonly path: string };
	/** Name of the connection in messages. */
	readonly place: string;
	/** Absent if everyone with access may connect: then nothing is encrypted. */
	readonly guard?: Pick<ZeromqOptions, "curve" | "isKnown">;
	/** Address for clients, given the bound port. */
	address(port: number): string;
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
	readonly limits: ZeromqLimits;
}

export interface ZeromqLimits {
	/** Largest message in bytes; a larger one closes the connection. */
	readonly messageBytesMax: number;
	/** A folder that only this user may enter, for the sockets of the library; without one it uses ports on loopback. */
	readonly sockets: string | undefined;
}

const HANDSHAKE_MS = 3000;
/** So that a client hears something while nothing is read from it; who is gone is noticed by the connection. */
const HEARTBEAT_MS = 2000;
const HEARTBEAT_TIMEOUT_MS = 86_400_000;
const PROBE_MS = 2000;
const CONNECTIONS_MAX = 10_000;
/** Numbers of sockets are below this. */
export const SOCKETS_MAX = 100_000;
/** How long the library has to close its ends of connections. */
const NOTICE_MS = 100;
/** libzmq's name for "do not connect again". */
const NEVER = -1;
const NO_LIMIT = 0;
/** Messages that are complete, and have not passed the library yet, come before the one that is arriving. */
const UNDELIVERED_BYTES = 2 ** 24;
/** What encryption adds to a frame. */
const CURVE_BYTES = 64;

const ZAP = "inproc://zeromq.zap.01";
const HANDSHAKE_ERRORS = ["handshake:error:protocol", "handshake:error:auth", "handshake:error:other"] as const;

class ZeromqListener implements Listener {
	readonly refused = new Map<string, number>();
	readonly #context = new Context();
	readonly #router: Router;
	readonly #zap = new Reply({ context: this.#context, linger: 0 });
	readonly #server: Server = createServer({ noDelay: true }, (client) => this.#accept(client));
	readonly #endpoint: Endpoint;
	readonly #limits: ZeromqLimits;
	readonly #events: ConnectionEvents;
	/** Traffic of connections that have not sent their hello. */
	readonly #traffic = new Traffic();
	/** By their names in the library, and by where it connects to. */
	readonly #connections = new Map<string, ZeromqConnection>();
	readonly #endpoints = new Map<string, ZeromqConnection>();
	/** Numbers of sockets in use. */
	readonly #sockets = new Set<number>();
	readonly #probing: NodeJS.Timeout;
	#count = 0;
	#isClosed = false;

	constructor(endpoint: Endpoint, limits: ZeromqLimits, events: ConnectionEvents) {
		const { guard } = endpoint;
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#events = events;
		this.#server.maxConnections = CONNECTIONS_MAX;
		this.#router = new Router({
			context: this.#context,
			mandatory: true,
			sendTimeout: 0,
			// The bytes of waiting messages are bounded before they come here.
			sendHighWaterMark: NO_LIMIT,
			handshakeInterval: HANDSHAKE_MS,
			heartbeatInterval: HEARTBEAT_MS,
			heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
			reconnectInterval: NEVER,
			linger: 0,
			maxMessageSize: limits.messageBytesMax + CURVE_BYTES,
			...(guard && {
				curveServer: true,
				curvePublicKey: guard.curve.publicKey,
				curveSecretKey: guard.curve.secretKey,
				zapDomain: "stickslip",
			}),
		});
		this.#probing = setInterval(() => {
			for (const connection of [...this.#connections.values()]) connection.probe();
		}, PROBE_MS).unref();
	}

	get address(): string {
		const address = this.#server.address();
		return this.#endpoint.address(typeof address === "object" && address !== null ? address.port : 0);
	}

	async open(): Promise<void> {
		const { where, place, guard } = this.#endpoint;
		if (guard !== undefined) {
			await this.#zap.bind(ZAP);
			void this.#authenticate(guard.isKnown);
		}
		this.#watch();
		void this.#listen();
		// Sockets that a killed service has left; only their user may enter the folder.
		if ("path" in where) rmSync(where.path, { force: true });
		try {
			await new Promise<void>((resolve, reject) => {
				this.#server.once("error", reject);
				this.#server.listen(where, () => {
					// A failed connection must not end the service.
					this.#server.off("error", reject).on("error", () => this.#refuse("system"));
					resolve();
				});
			});
		} catch (error) {
			await this.close();
			throw bindRefusal(error, place);
		}
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		clearInterval(this.#probing);
		this.#server.close();
		// First the library's ends of connections: see #disconnect.
		this.#router.close();
		this.#zap.close();
		if (this.#connections.size > 0) await pause(NOTICE_MS);
		for (const connection of [...this.#connections.values()]) connection.end();
	}

	#accept(client: Socket): void {
		const { guard } = this.#endpoint;
		const { messageBytesMax, sockets } = this.#limits;
		this.#count += 1;
		const id = String(this.#count);
		// The library may still be about to connect to one that was in use a moment ago.
		let number = this.#count % SOCKETS_MAX;
		while (this.#sockets.has(number)) number = (number + 1) % SOCKETS_MAX;
		this.#sockets.add(number);
		const connection = new ZeromqConnection(client, {
			router: this.#router,
			id,
			path: sockets === undefined ? undefined : join(sockets, String(number)),
			mechanism: guard === undefined ? "NULL" : "CURVE",
			traffic: this.#traffic,
			bytesMax: messageBytesMax + UNDELIVERED_BYTES,
			connecting: (endpoint) => this.#endpoints.set(endpoint, connection),
			// Processes of the same user only check whether the service listens, and send nothing.
			refused: (reason) => guard !== undefined && this.#refuse(reason),
			gone: (endpoint, isMet) => {
				this.#connections.delete(id);
				this.#sockets.delete(number);
				this.#endpoints.delete(endpoint);
				if (!isMet && endpoint !== "") this.#disconnect(endpoint);
				this.#events.closed(connection);
			},
		});
		this.#connections.set(id, connection);
	}

	/** Only where the library has not connected: a message that it has sent in part would end the process (libzmq 4.3.5, clean_pipes). */
	#disconnect(endpoint: string): void {
		try {
			if (!this.#isClosed) this.#router.disconnect(endpoint);
		} catch {
			// The library has done so by itself.
		}
	}

	#watch(): void {
		this.#router.events.on("handshake", ({ address }) => this.#endpoints.get(address)?.opened());
		for (const event of this.#endpoint.guard === undefined ? [] : HANDSHAKE_ERRORS) {
			this.#router.events.on(event, () => this.#refuse(event.replace(/.*:/, "")));
		}
	}

	async #listen(): Promise<void> {
		for (;;) {
			const [id, ...frames] = await this.#received(this.#router);
			if (id === undefined) return;
			const connection = this.#connections.get(id.toString());
			if (connection === undefined) continue;
			connection.delivered(frames);
			this.#events.received(connection, frames);
		}
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

	#refuse(reason: string): void {
		this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
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
	const { host, port, advertise = advertisedHost(host), limits } = options;
	const address = (bound: number) => `tcp://${hostPort(advertise, bound)}`;
	const place = hostPort(host, port === 0 ? "*" : port);
	return await opened(new ZeromqListener({ where: { host, port }, place, guard: options, address }, limits, events));
}

/** A socket that only processes of the same user can reach: the caller has checked its folder. Also rejects if there are no such sockets. */
export async function listenLocally(path: string, limits: ZeromqLimits, events: ConnectionEvents): Promise<Listener> {
	const address = () => `ipc://${path}`;
	return await opened(new ZeromqListener({ where: { path }, place: path, address }, limits, events));
}

async function opened(listener: ZeromqListener): Promise<Listener> {
	await listener.open();
	return listener;
}
