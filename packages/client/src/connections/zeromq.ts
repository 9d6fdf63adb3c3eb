/** A connection over ZeroMQ, encrypted by CURVE or over a socket of the same machine and user: for Node.js. */
import { existsSync } from "node:fs";
import type { Dealer } from "zeromq";
import {
	CONNECT_TIMEOUT_MS,
	type Connection,
	type ConnectionEvents,
	type ConnectionLoss,
	type OpenConnection,
} from "./connection.js";

export interface ZeromqAddress {
	/** tcp://host:port, or ipc://path. */
	readonly zeromq: string;
	/** ipc://path of a socket that only its user can reach, without encryption; on other machines it is not there. */
	readonly local?: string;
	/** The service's public key, and both keys of the client: Z85. */
	readonly serviceKey: string;
	readonly publicKey: string;
	readonly secretKey: string;
}

/** How long what was sent last has to leave when the connection is closed. */
const LINGER_MS = 1000;
const HEARTBEAT_MS = 3000;
/** A service that does not answer heartbeats for so long is lost. */
const SILENT_MS = 15_000;
/** libzmq's name for "do not connect again". */
const NEVER = -1;
const NO_LIMIT = 0;
/** While one piece is encrypted here, the one before is decrypted there. */
const PIECE_BYTES = 2 ** 18;

/** The addon is loaded here, by those who use it. */
export async function zeromqOpener(address: ZeromqAddress): Promise<OpenConnection> {
	const { Dealer } = await import("zeromq");
	const keys = {
		curveServerKey: address.serviceKey,
		curvePublicKey: address.publicKey,
		curveSecretKey: address.secretKey,
	};
	const path = address.local?.replace(/^ipc:\/\//, "");
	/** Whether nothing listened there the last time: then the next connection uses the other address. */
	let isRefused = false;
	return (events) => {
		const isLocal = path !== undefined && !isRefused && existsSync(path);
		const dealer = new Dealer({
			...(!isLocal && keys),
			ipv6: address.zeromq.includes("["),
			linger: LINGER_MS,
			// A lost connection accepts no message, even if the loss was not noticed yet.
			sendTimeout: LINGER_MS,
			reconnectInterval: NEVER,
			handshakeInterval: CONNECT_TIMEOUT_MS,
			connectTimeout: CONNECT_TIMEOUT_MS,
			heartbeatInterval: HEARTBEAT_MS,
			heartbeatTimeout: SILENT_MS,
			sendHighWaterMark: NO_LIMIT,
			receiveHighWaterMark: NO_LIMIT,
		});
		isRefused = isLocal;
		const opened = () => {
			isRefused = false;
			events.opened();
		};
		const place = isLocal ? address.local! : address.zeromq;
		return new ZeromqConnection(dealer, place, !isLocal, { ...events, opened });
	};
}

class ZeromqConnection implements Connection {
	readonly pieceBytes: number;
	readonly #dealer: Dealer;
	readonly #events: ConnectionEvents;
	readonly #opening: NodeJS.Timeout;
	/** libzmq takes one message after another. */
	#sent: Promise<void> = Promise.resolve();
	#isOpen = false;
	#isOver = false;

	constructor(dealer: Dealer, address: string, isEncrypted: boolean, events: ConnectionEvents) {
		this.pieceBytes = isEncrypted ? PIECE_BYTES : Number.POSITIVE_INFINITY;
		this.#dealer = dealer;
		this.#events = events;
		this.#opening = setTimeout(() => this.#lose({ reason: "did not answer in time" }), CONNECT_TIMEOUT_MS);
		this.#watch();
		dealer.connect(address);
		void this.#listen();
	}

	send(frames: readonly Uint8Array[]): void {
		if (this.#isOver) return;
		const parts = frames.map(unshared);
		// What a connection that is lost has not sent is sent again over the next one.
		this.#sent = this.#sent.then(() => this.#dealer.send(parts)).catch(() => {});
	}

	async close(): Promise<void> {
		if (this.#isOver) return;
		this.#end();
		await this.#sent;
		this.#dealer.close();
	}

	#watch(): void {
		const { events } = this.#dealer;
		events.on("handshake", () => {
			clearTimeout(this.#opening);
			if (this.#isOver || this.#isOpen) return;
			this.#isOpen = true;
			this.#events.opened();
		});
		events.on("handshake:error:auth", () => {
			this.#lose({ reason: "does not accept the keys of this client", isRefusal: true });
		});
		for (const event of ["handshake:error:protocol", "handshake:error:other"] as const) {
			events.on(event, () => this.#lose({ reason: "is not a service, or has other keys" }));
		}
		events.on("disconnect", () => {
			this.#lose({ reason: this.#isOpen ? "closed the connection" : "closed the connection before its handshake" });
		});
		events.on("close", () => this.#lose({ reason: "could not be reached" }));
	}

	async #listen(): Promise<void> {
		try {
			for (;;) {
				const frames = await this.#dealer.receive();
				if (!this.#isOver) this.#events.received(frames);
			}
		} catch (error) {
			// The socket was closed, by this side or by the end of the process.
			if (!this.#isOver) this.#lose({ reason: error instanceof Error ? error.message : String(error) });
		}
	}

	#lose(loss: ConnectionLoss): void {
		if (this.#isOver) return;
		this.#end();
		this.#dealer.linger = 0;
		this.#dealer.close();
		this.#events.lost(loss);
	}

	#end(): void {
		this.#isOver = true;
		clearTimeout(this.#opening);
	}
}

/** libzmq sends from the array's own memory, in which shared memory has no place. */
function unshared(frame: Uint8Array): Uint8Array {
	return frame.buffer instanceof ArrayBuffer ? frame : Uint8Array.from(frame);
}
