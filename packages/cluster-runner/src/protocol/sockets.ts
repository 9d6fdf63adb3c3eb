/**
 * The two ends of the control connection as sockets: frames are put in order of sending, checked on arrival, and dropped if they do not belong to the run.
 * On ports all of them are encrypted (CURVE), on loopback too: a stranger cannot finish the handshake without the run's key, and until it is finished the
 * library holds one frame per connection at most. Without encryption it would accept the parts of a message that never ends. In a folder that only its user
 * may enter there are no strangers, and a message of a megabyte takes a sixth of the time.
 */
import { isIPv6 } from "node:net";
import { InputError } from "@stickslip/core";
import { assert } from "@stickslip/core/parallel";
import type { Check } from "@stickslip/core/schema";
import { curveKeyPair, Dealer, Router } from "zeromq";
import { codeOf } from "../base/errors.js";
import { FRAME_BYTES_MAX, Frames, TO_HUB_BYTES_MAX } from "./frames.js";
import { hostPort } from "./host-port.js";
import { type Keys, z85 } from "./keys.js";
import { type ListenAddress, LOOPBACK } from "./listen-address.js";
import { isToHub, isToMember, type Send, type ToHub, type ToMember } from "./messages.js";

/** How long closing a socket waits for the last messages to be sent. */
const LINGER_MS = 1000;
/** No limit on waiting messages: the protocol bounds them, and dropping any of them would end the run. */
const NO_LIMIT = 0;
/** A client that does not authenticate within this time is disconnected. */
const HANDSHAKE_MS = 3000;
/** A hub on another host that refuses connections for so long is lost. */
export const REFUSED_MS = 10_000;
/** What encryption adds to a frame at most. */
const CURVE_BYTES_MAX = 64;

const settings = {
	handshakeInterval: HANDSHAKE_MS,
	linger: LINGER_MS,
	sendHighWaterMark: NO_LIMIT,
	receiveHighWaterMark: NO_LIMIT,
} as const;

const HANDSHAKE_ERRORS = ["handshake:error:protocol", "handshake:error:auth", "handshake:error:other"] as const;

/** One after another: a socket takes its next message when the one before is with the library. */
class Outbox {
	readonly #socket: { send(parts: Uint8Array[]): Promise<void> };
	#last: Promise<void> = Promise.resolve();

	constructor(socket: { send(parts: Uint8Array[]): Promise<void> }) {
		this.#socket = socket;
	}

	push(parts: Uint8Array[]): void {
		// A closed socket sends nothing: the other side notices the missing heartbeats, or has been notified.
		this.#last = this.#last.then(() => this.#socket.send(parts)).catch(() => {});
	}

	get empty(): Promise<void> {
		return this.#last;
	}
}

/** The address and port on which a hub listens. */
export interface BindAddress {
	readonly at: ListenAddress;
	/** Any free port by default. */
	readonly port?: number;
}

/** A socket in a folder that only its user may enter. */
export interface PrivatePath {
	readonly path: string;
}

const HERE: BindAddress = { at: { bind: LOOPBACK, advertised: LOOPBACK } };

/** The listening socket: receives messages of one type, and sends those of another. */
export class ServerSocket<Out, In> {
	/** Frames that were not messages of this run. */
	dropped = 0;
	/** Connections that did not know the run's key. */
	refused = 0;
	readonly #router: Router;
	readonly #outbox: Outbox;
	readonly #frames: Frames<Out, In>;
	readonly #place: BindAddress | PrivatePath;
	#isClosed = false;

	constructor({ frames, curve }: Keys, isMessage: Check<In>, place: BindAddress | PrivatePath = HERE) {
		this.#frames = new Frames(frames, isMessage);
		this.#place = place;
		this.#router = new Router({
			...settings,
			maxMessageSize: TO_HUB_BYTES_MAX + CURVE_BYTES_MAX,
			...("at" in place && {
				ipv6: isIPv6(place.at.bind),
				curveServer: true,
				curvePublicKey: z85(curve.publicKey),
				curveSecretKey: z85(curve.secretKey),
			}),
		});
		this.#outbox = new Outbox(this.#router);
		for (const event of HANDSHAKE_ERRORS) {
			this.#router.events.on(event, () => {
				this.refused += 1;
			});
		}
	}

	/** Begins to listen; returns the address: curve://host:port, or ipc://path. */
	async open(): Promise<string> {
		if ("path" in this.#place) {
			const address = `ipc://${this.#place.path}`;
			await this.#router.bind(address);
			return address;
		}
		const { at, port } = this.#place;
		try {
			await this.#router.bind(`tcp://${hostPort(at.bind, port ?? "*")}`);
		} catch (error) {
			await this.close();
			throw bindRefusal(error, hostPort(at.bind, port ?? "*"));
		}
		const bound = /:(\d+)$/.exec(this.#router.lastEndpoint ?? "")?.[1] ?? "";
		return `curve://${hostPort(at.advertised, bound)}`;
	}

	/** Until the socket is closed. */
	async listen(take: (identity: string, message: In, bytes?: Uint8Array) => void): Promise<void> {
		for (;;) {
			const parts = await received(this.#router, () => this.#isClosed);
			if (parts === undefined) return;
			const [identity, ...rest] = parts;
			const read = this.#frames.read(rest);
			if (identity === undefined || read === undefined) this.dropped += 1;
			else take(Buffer.from(identity).toString("hex"), read.message, read.bytes);
		}
	}

	sender(identity: string): Send<Out> {
		const address = Buffer.from(identity, "hex");
		return (message, bytes) => this.#outbox.push([address, ...this.#frames.write(message, bytes)]);
	}

	async close(): Promise<void> {
		await this.#outbox.empty;
		this.#isClosed = true;
		this.#router.close();
	}
}

/** Why a server cannot listen at an address. */
export function bindRefusal(error: unknown, place: string): unknown {
	const code = codeOf(error) ?? "";
	const problems: Readonly<Record<string, readonly [string, string]>> = {
		EADDRINUSE: ["the port is in use", "choose another port, or end what listens there"],
		EADDRNOTAVAIL: ["is not an address of this host", "give --listen one that is, or 0.0.0.0 for all"],
		EACCES: ["cannot be listened on (permission denied)", "choose a port from 1024"],
	};
	const [problem, remedy] = problems[code] ?? [];
	return problem === undefined ? error : new InputError("network", place, problem, remedy ?? "");
}

/** Events of a connection besides messages. */
export interface ConnectionEvents {
	/** The connection was closed or refused: the other side, which started before this process, has ended. */
	readonly gone: () => void;
	/** The process that listens there does not have the run's key. */
	readonly refused?: () => void;
}

/** The connecting socket. */
export class ClientSocket<Out, In> {
	dropped = 0;
	readonly send: Send<Out>;
	readonly #dealer: Dealer;
	readonly #outbox: Outbox;
	readonly #frames: Frames<Out, In>;
	#isClosed = false;

	/** A hub that refuses connections for longer than `refusedMs` is lost. */
	constructor(address: string, keys: Keys, isMessage: Check<In>, events: ConnectionEvents, refusedMs = REFUSED_MS) {
		this.#frames = new Frames(keys.frames, isMessage);
		this.#dealer = new Dealer({
			...settings,
			ipv6: address.includes("["),
			maxMessageSize: FRAME_BYTES_MAX + CURVE_BYTES_MAX,
			...(address.startsWith("curve:") && clientOf(keys)),
		});
		this.#outbox = new Outbox(this.#dealer);
		this.send = (message, bytes) => {
			const parts = this.#frames.write(message, bytes);
			// The other side would close the connection without a reason.
			for (const { length } of parts) {
				assert(
					length <= TO_HUB_BYTES_MAX,
					`a frame of ${length} bytes to the hub, and ${TO_HUB_BYTES_MAX} are the most`,
				);
			}
			this.#outbox.push(parts);
		};
		this.#watch(events, refusedMs);
		this.#dealer.connect(address.replace(/^curve:/, "tcp:"));
	}

	async listen(take: (message: In, bytes?: Uint8Array) => void): Promise<void> {
		for (;;) {
			const parts = await received(this.#dealer, () => this.#isClosed);
			if (parts === undefined) return;
			const read = this.#frames.read(parts);
			if (read === undefined) this.dropped += 1;
			else take(read.message, read.bytes);
		}
	}

	/** Resolves when everything has been passed to the library, which has LINGER_MS to deliver it. */
	async close(): Promise<void> {
		await this.#outbox.empty;
		this.#isClosed = true;
		this.#dealer.close();
	}

	#watch(listener: ConnectionEvents, refusedMs: number): void {
		const startedAt = performance.now();
		const { events } = this.#dealer;
		const gone = () => {
			if (!this.#isClosed) listener.gone();
		};
		let hasHandshake = false;
		let connected = startedAt;
		let isTimeout = false;
		events.on("connect", () => {
			connected = performance.now();
		});
		events.on("handshake", () => {
			hasHandshake = true;
		});
		// A connection that is closed before the handshake was not with the run's hub: another process may listen there. A hub that is stopped for some
		// seconds is connected by the system but does not respond; that connection times out here, and is made again.
		events.on("disconnect", () => {
			isTimeout = !hasHandshake && performance.now() - connected >= HANDSHAKE_MS / 2;
			if (hasHandshake || (refusedMs === 0 && !isTimeout)) gone();
		});
		events.on("connect:retry", () => {
			if (!isTimeout && performance.now() - startedAt >= refusedMs) gone();
			isTimeout = false;
		});
		for (const event of HANDSHAKE_ERRORS) events.on(event, () => this.#isClosed || listener.refused?.());
	}
}

function clientOf({ curve }: Keys) {
	const own = curveKeyPair();
	return { curveServerKey: z85(curve.publicKey), curvePublicKey: own.publicKey, curveSecretKey: own.secretKey };
}

export class HubSocket extends ServerSocket<ToMember, ToHub> {
	constructor(keys: Keys, place?: BindAddress | PrivatePath) {
		super(keys, isToHub, place);
	}
}

export class MemberSocket extends ClientSocket<ToHub, ToMember> {
	constructor(hub: string, keys: Keys, gone: () => void, refusedMs?: number) {
		super(hub, keys, isToMember, { gone }, refusedMs);
	}
}

/** The next message, or undefined once the socket is closed. */
async function received(
	socket: { receive(): Promise<Buffer[]> },
	isClosed: () => boolean,
): Promise<Buffer[] | undefined> {
	try {
		return await socket.receive();
	} catch (error) {
		if (isClosed()) return undefined;
		throw error;
	}
}
