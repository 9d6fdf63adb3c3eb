/**
 * Hostile connections at a port, without the keys, with limits on their number, bytes and time. Each follows the protocol of the port as far as its kind
 * does, and reconnects when it is disconnected.
 */
import { connect, type Socket } from "node:net";
import { type WebSocketStrangerKind, websocketWords } from "./websocket-words.js";
import { STRANGER_KINDS, type StrangerKind, zmtpWords } from "./zmtp-words.js";

/** What a stranger sends first, and then repeatedly: as fast as possible, or at this interval. */
export interface Words {
	readonly begin: Uint8Array;
	readonly again?: Uint8Array;
	readonly everyMs?: number;
}

export interface StrangersOptions {
	readonly host?: string;
	readonly port: number;
	/** Taken in turn; by default all kinds for ZeroMQ. */
	readonly kinds?: readonly (StrangerKind | WebSocketStrangerKind)[];
	/** Connections at a time. */
	readonly count: number;
	/** All that is sent; nothing more leaves afterwards. Default 1 GiB. */
	readonly bytesMax?: number;
	/** After which they end by themselves. Default 60 s. */
	readonly seconds?: number;
	/** Between a disconnection and the next attempt. Default 0.1 s. */
	readonly pauseSeconds?: number;
}

export interface Strangers {
	/** Connections made so far. */
	readonly connected: number;
	/** Of these, how many the other side has ended. */
	readonly sentAway: number;
	/** Connections that are open now. */
	readonly open: number;
	/** Bytes sent so far. */
	readonly bytes: number;
	/** Closes all connections. */
	stop(): void;
}

const MiB = 2 ** 20;
const SECONDS = 60;

/** They come at once. */
export function sendStrangers(options: StrangersOptions): Strangers {
	return new Crowd(options);
}

class Crowd implements Strangers {
	connected = 0;
	sentAway = 0;
	bytes = 0;
	readonly #options: Required<StrangersOptions>;
	readonly #sockets = new Set<Socket>();
	readonly #timers = new Set<NodeJS.Timeout>();
	#isClosed = false;

	constructor(options: StrangersOptions) {
		const { host = "127.0.0.1", kinds = STRANGER_KINDS, bytesMax = 1024 * MiB } = options;
		const { seconds = SECONDS, pauseSeconds = 0.1 } = options;
		this.#options = { ...options, host, kinds, bytesMax, seconds, pauseSeconds };
		this.#after(seconds, () => this.stop());
		for (let index = 0; index < options.count; index += 1) this.#come(kinds[index % kinds.length]!);
	}

	get open(): number {
		return this.#sockets.size;
	}

	stop(): void {
		this.#isClosed = true;
		for (const timer of this.#timers) clearTimeout(timer);
		for (const socket of this.#sockets) socket.destroy();
		this.#sockets.clear();
	}

	#come(kind: StrangerKind | WebSocketStrangerKind): void {
		if (this.#isClosed) return;
		const { host, port, pauseSeconds } = this.#options;
		const socket = connect({ host, port, noDelay: true });
		this.#sockets.add(socket);
		let isConnected = false;
		socket.on("connect", () => {
			isConnected = true;
			this.connected += 1;
			this.#speak(socket, kind);
		});
		// Input is ignored, but has to be read, or the connection stalls.
		socket.on("data", () => {});
		socket.on("error", () => {});
		socket.on("close", () => {
			if (!this.#sockets.delete(socket)) return;
			if (isConnected) this.sentAway += 1;
			this.#after(pauseSeconds, () => this.#come(kind));
		});
	}

	#speak(socket: Socket, kind: StrangerKind | WebSocketStrangerKind): void {
		const { begin, again, everyMs } = wordsOf(kind);
		this.#send(socket, begin);
		if (again === undefined) return;
		if (everyMs !== undefined) {
			const timer = setInterval(() => this.#send(socket, again), everyMs);
			socket.once("close", () => clearInterval(timer));
			return;
		}
		const more = () => {
			// For as long as the system takes it; then when it has taken what waits.
			while (this.#send(socket, again));
		};
		socket.on("drain", more);
		more();
	}

	/** False where nothing more can be sent now. */
	#send(socket: Socket, bytes: Uint8Array): boolean {
		if (this.#isClosed || socket.destroyed || this.bytes + bytes.length > this.#options.bytesMax) return false;
		this.bytes += bytes.length;
		return bytes.length === 0 || socket.write(bytes);
	}

	#after(seconds: number, act: () => void): void {
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			act();
		}, 1000 * seconds);
		this.#timers.add(timer);
	}
}

function wordsOf(kind: StrangerKind | WebSocketStrangerKind): Words {
	return kind.startsWith("ws-") ? websocketWords(kind as WebSocketStrangerKind) : zmtpWords(kind as StrangerKind);
}
