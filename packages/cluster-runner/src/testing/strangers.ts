/**
 * Strangers at a port: connections that do not know the run's key and mean harm, with limits on their number, bytes and time. Each speaks ZeroMQ's
 * protocol (ZMTP 3) as far as its kind does, and comes again when it is sent away.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

export const STRANGER_KINDS = [
	/** Connects, and says nothing. */
	"silent",
	/** Bytes that are no protocol. */
	"garbage",
	/** Half of ZeroMQ's greeting, and then nothing. */
	"half-greeting",
	/** Without encryption: parts of one message that never ends. */
	"endless-message",
	/** Says that it encrypts, and then sends such parts in the place of the handshake. */
	"endless-handshake",
	/** Says that it encrypts, and sends one part of the largest size that a hub takes in, but for its last byte. */
	"large-part",
	/** The same of the largest size that a rank takes in, which is too large for a hub. */
	"larger-part",
	/** The handshake of CURVE as it should be, but for a key that is not the server's. */
	"wrong-key",
] as const;
export type StrangerKind = (typeof STRANGER_KINDS)[number];

export interface StrangersOptions {
	readonly host?: string;
	readonly port: number;
	/** Taken in turn; all unless said. */
	readonly kinds?: readonly StrangerKind[];
	/** Connections at a time. */
	readonly count: number;
	/** All that is sent; nothing more leaves afterwards. Default 1 GiB. */
	readonly bytesMax?: number;
	/** When they leave by themselves. Default 60 s. */
	readonly seconds?: number;
	/** Between being sent away and coming again. Default 0.1 s. */
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
const PART_BYTES = 65_536;
/** What a hub takes in of one frame, and what a rank does. */
const LARGE_BYTES = 96 * 1024;
const LARGER_BYTES = 128 * 1024;

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

	#come(kind: StrangerKind): void {
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
		// What the other side says is of no interest, but the connection stalls if nobody reads it.
		socket.on("data", () => {});
		socket.on("error", () => {});
		socket.on("close", () => {
			if (!this.#sockets.delete(socket)) return;
			if (isConnected) this.sentAway += 1;
			this.#after(pauseSeconds, () => this.#come(kind));
		});
	}

	#speak(socket: Socket, kind: StrangerKind): void {
		const [begin, again] = wordsOf(kind);
		this.#send(socket, begin);
		const more = () => {
			if (again === undefined) return;
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

/** What a stranger says first, and then for ever. */
function wordsOf(kind: StrangerKind): readonly [Uint8Array, Uint8Array?] {
	switch (kind) {
		case "silent":
			return [Buffer.alloc(0)];
		case "garbage":
			return [randomBytes(100), randomBytes(PART_BYTES)];
		case "half-greeting":
			return [greeting("CURVE").subarray(0, 20)];
		case "endless-message":
			return [Buffer.concat([greeting("NULL"), command("READY", property("Socket-Type", "DEALER"))]), endlessPart];
		case "endless-handshake":
			return [greeting("CURVE"), endlessPart];
		case "large-part":
			return [largePart(LARGE_BYTES)];
		case "larger-part":
			return [largePart(LARGER_BYTES)];
		case "wrong-key":
			return [Buffer.concat([greeting("CURVE"), command("HELLO", helloOfCurve())])];
	}
}

function largePart(bytes: number): Buffer {
	return Buffer.concat([greeting("CURVE"), part(Buffer.alloc(bytes)).subarray(0, -1)]);
}

/** Signature, version 3.0, the mechanism in 20 bytes, not the server, and nothing up to 64 bytes. */
function greeting(mechanism: string): Buffer {
	const bytes = Buffer.alloc(64);
	bytes.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0]);
	bytes.write(mechanism, 12);
	return bytes;
}

const MORE = 1;
const LONG = 2;
const COMMAND = 4;

function part(body: Uint8Array): Buffer {
	const head = Buffer.alloc(9);
	head[0] = MORE | LONG;
	head.writeBigUInt64BE(BigInt(body.length), 1);
	return Buffer.concat([head, body]);
}

const endlessPart = part(Buffer.alloc(PART_BYTES));

function command(name: string, data: Uint8Array): Buffer {
	const body = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), data]);
	return Buffer.concat([Buffer.from([COMMAND, body.length]), body]);
}

function property(name: string, value: string): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(value.length);
	return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)]);
}

/** Version 1.0, padding, a public key, a nonce, and a box that opens with the server's key alone: here nobody's. */
function helloOfCurve(): Buffer {
	return Buffer.concat([Buffer.from([1, 0]), Buffer.alloc(72), randomBytes(32 + 8 + 80)]);
}
