/** Peers of the service that do not use the client package: a TCP socket that speaks WebSocket (RFC 6455) by hand, and a DEALER of libzmq. */
import { createHash, randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { Dealer } from "zeromq";

export interface RawPeer {
	send(...frames: readonly ArrayLike<number>[]): void;
	/** The frames of the next message. Rejects where none comes in time, or the connection was closed. */
	receive(): Promise<Uint8Array[]>;
	/** Whether the other side has closed the connection by now, or does so in time. */
	isClosed(): Promise<boolean>;
	close(): void;
}

const PATIENCE_MS = 100_000;

/** Messages that have come and those who wait for them. */
class Inbox {
	readonly #messages: Uint8Array[][] = [];
	readonly #waiting: ((message: Uint8Array[] | undefined) => void)[] = [];
	#isClosed = false;

	put(message: Uint8Array[]): void {
		const first = this.#waiting.shift();
		if (first === undefined) this.#messages.push(message);
		else first(message);
	}

	close(): void {
		this.#isClosed = true;
		for (const each of this.#waiting.splice(0)) each(undefined);
	}

	async take(): Promise<Uint8Array[]> {
		const message = this.#messages.shift();
		if (message !== undefined) return message;
		if (this.#isClosed) throw new Error("the connection was closed");
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error("no message came")), PATIENCE_MS);
			this.#waiting.push((found) => {
				clearTimeout(timer);
				if (found === undefined) reject(new Error("the connection was closed"));
				else resolve(found);
			});
		});
	}
}

const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const FINAL = 0x80;
const MASKED = 0x80;
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** The list of frames as one WebSocket message: their number, their lengths, and each at a multiple of 8 bytes. */
export function packetOf(frames: readonly ArrayLike<number>[]): number[] {
	const u32 = (value: number) => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
	const bytes = [...u32(frames.length), ...frames.flatMap(({ length }) => u32(length))];
	for (const frame of frames) {
		while (bytes.length % 8 !== 0) bytes.push(0);
		for (let k = 0; k < frame.length; k += 1) bytes.push(frame[k]!);
	}
	return bytes;
}

function framesOf(packet: Uint8Array): Uint8Array[] {
	const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
	const count = view.getUint32(0, true);
	let end = 4 + 4 * count;
	return Array.from({ length: count }, (_, k) => {
		const begin = 8 * Math.ceil(end / 8);
		end = begin + view.getUint32(4 + 4 * k, true);
		return packet.slice(begin, end);
	});
}

export class RawWebSocket implements RawPeer {
	readonly socket: Socket;
	readonly #inbox = new Inbox();
	readonly #closed: Promise<void>;
	#bytes = Buffer.alloc(0);

	private constructor(socket: Socket) {
		this.socket = socket;
		this.#closed = new Promise((resolve) => {
			socket.once("close", () => {
				this.#inbox.close();
				resolve();
			});
		});
		socket.on("error", () => {});
	}

	/** After the handshake; `headers` are added to it. Rejects with the status where it is refused. */
	static async open(address: string, headers: readonly string[] = []): Promise<RawWebSocket> {
		const { hostname, port } = new URL(address);
		const socket = connect(Number(port), hostname);
		const peer = new RawWebSocket(socket);
		const key = randomBytes(16).toString("base64");
		const lines = ["GET / HTTP/1.1", `Host: ${hostname}:${port}`, "Upgrade: websocket", "Connection: Upgrade"];
		socket.write([...lines, `Sec-WebSocket-Key: ${key}`, "Sec-WebSocket-Version: 13", ...headers, "", ""].join("\r\n"));
		const head = await peer.#head();
		if (!head.startsWith("HTTP/1.1 101 ")) {
			socket.destroy();
			throw new Error(head.split("\r\n")[0]);
		}
		const accept = createHash("sha1")
			.update(key + GUID)
			.digest("base64");
		if (!head.includes(`Sec-WebSocket-Accept: ${accept}`))
			throw new Error("the handshake was answered with another key");
		socket.on("data", (bytes) => peer.#take(bytes));
		peer.#take(Buffer.alloc(0));
		return peer;
	}

	send(...frames: readonly ArrayLike<number>[]): void {
		this.sendMessage(packetOf(frames));
	}

	/** As one message, whatever it is. */
	sendMessage(bytes: ArrayLike<number>, operation = BINARY): void {
		this.socket.write(maskedFrame(bytes, operation));
	}

	receive(): Promise<Uint8Array[]> {
		return this.#inbox.take();
	}

	isClosed(): Promise<boolean> {
		return within(this.#closed);
	}

	close(): void {
		this.socket.destroy();
	}

	#head(): Promise<string> {
		return new Promise((resolve, reject) => {
			const take = (bytes: Buffer) => {
				this.#bytes = Buffer.concat([this.#bytes, bytes]);
				const end = this.#bytes.indexOf("\r\n\r\n");
				if (end < 0) return;
				this.socket.off("data", take);
				const head = this.#bytes.subarray(0, end).toString("latin1");
				this.#bytes = this.#bytes.subarray(end + 4);
				resolve(head);
			};
			this.socket.on("data", take);
			this.socket.once("close", () => reject(new Error("the connection was closed in the handshake")));
		});
	}

	/** Frames of the service: in one piece, not masked. */
	#take(more: Buffer): void {
		this.#bytes = Buffer.concat([this.#bytes, more]);
		for (;;) {
			const bytes = this.#bytes;
			if (bytes.length < 2) return;
			const short = bytes[1]!;
			const begin = short < 126 ? 2 : short === 126 ? 4 : 10;
			if (bytes.length < begin) return;
			const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
			if (bytes.length < begin + length) return;
			const payload = Uint8Array.from(bytes.subarray(begin, begin + length));
			this.#bytes = bytes.subarray(begin + length);
			const operation = bytes[0]! & 15;
			if (operation === BINARY) this.#inbox.put(framesOf(payload));
			if (operation === PING) this.sendMessage(payload, PONG);
			if (operation === CLOSE) this.socket.end(maskedFrame(payload, CLOSE));
		}
	}
}

function maskedFrame(bytes: ArrayLike<number>, operation: number): Buffer {
	const { length } = bytes;
	const mask = randomBytes(4);
	const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
	head[0] = FINAL | operation;
	head[1] = MASKED | (length < 126 ? length : length < 65_536 ? 126 : 127);
	if (head.length === 4) head.writeUInt16BE(length, 2);
	if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
	return Buffer.concat([head, mask, Buffer.from(Uint8Array.from(bytes, (byte, k) => byte ^ mask[k % 4]!))]);
}

/** What a connection file has for ZeroMQ. */
export interface CurveAddress {
	readonly zeromq: string;
	readonly serviceKey: string;
	readonly publicKey: string;
	readonly secretKey: string;
}

export class RawZeromq implements RawPeer {
	readonly #dealer: Dealer;
	readonly #inbox = new Inbox();
	#last: Promise<void> = Promise.resolve();

	constructor({ zeromq, serviceKey, publicKey, secretKey }: CurveAddress) {
		const curve = { curveServerKey: serviceKey, curvePublicKey: publicKey, curveSecretKey: secretKey };
		this.#dealer = new Dealer({ ...curve, linger: 0 });
		this.#dealer.events.on("disconnect", () => this.#inbox.close());
		this.#dealer.connect(zeromq);
		void this.#listen();
	}

	send(...frames: readonly ArrayLike<number>[]): void {
		const parts = frames.map((frame) => Uint8Array.from(frame));
		this.#last = this.#last.then(() => this.#dealer.send(parts)).catch(() => {});
	}

	receive(): Promise<Uint8Array[]> {
		return this.#inbox.take();
	}

	/** ZeroMQ does not close valid connections: a former client has to say hello again. */
	async isClosed(): Promise<boolean> {
		return false;
	}

	close(): void {
		this.#inbox.close();
		this.#dealer.close();
	}

	async #listen(): Promise<void> {
		try {
			for (;;) this.#inbox.put((await this.#dealer.receive()).map((frame) => Uint8Array.from(frame)));
		} catch {
			// The socket was closed.
			this.#inbox.close();
		}
	}
}

async function within(promise: Promise<void>): Promise<boolean> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<boolean>((resolve) => {
		timer = setTimeout(() => resolve(false), PATIENCE_MS);
	});
	const isThere = await Promise.race([promise.then(() => true), late]);
	clearTimeout(timer);
	return isThere;
}
