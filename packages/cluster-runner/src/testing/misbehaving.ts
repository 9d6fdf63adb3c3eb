/** Connections of a client that the service knows, and that means harm: they drip, do not read, or send messages that have no end. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Dealer } from "zeromq";
import { pack } from "./message-pack.js";
import { packetOf } from "./raw-peers.js";
import { frame, handshake } from "./websocket-words.js";
import { frameHeader, plainHandshake } from "./zmtp-words.js";

export interface MisbehavingDetails {
	readonly zeromq: string;
	readonly websocket?: string | undefined;
	readonly local?: string | undefined;
	readonly serviceKey: string;
	readonly publicKey: string;
	readonly secretKey: string;
	readonly token: string;
}

/** How they connect: encrypted over ZeroMQ, over the socket of the same machine, or over WebSocket. */
export const WAYS = ["curve", "local", "websocket"] as const;
export type Way = (typeof WAYS)[number];

export interface Misbehaving {
	/** Bytes that were sent. */
	readonly bytes: () => number;
	stop(): void;
}

const DRIP_MS = 100;
const CHUNK = Buffer.alloc(2 ** 16);
/** A library that has not noticed yet that its connection is closed aborts when its socket is closed in the middle of a message (libzmq 4.3.5, clean_pipes). */
const CLOSE_MS = 5000;
const BINARY = 2;
const FINAL = 0x80;
const PATIENCE_MS = 60_000;

export interface DripOptions {
	/** Connections, over the ways in turn. */
	readonly count: number;
	/** Bytes of each message that are sent at full speed; the rest follows a byte at a time. */
	readonly bytes: number;
	/** Announced bytes of each message (default: twice those). */
	readonly announced?: number;
}

/** Messages that never end. */
export async function drip(
	details: MisbehavingDetails,
	ways: readonly Way[],
	{ count, bytes: bytesEach, announced = 2 * bytesEach }: DripOptions,
): Promise<Misbehaving> {
	const ends: (() => void)[] = [];
	let bytes = 0;
	const add = (more: number) => {
		bytes += more;
	};
	for (let k = 0; k < count; k += 1) {
		const way = ways[k % ways.length]!;
		if (way === "curve") ends.push(await dripEncrypted(details, { bytes: bytesEach, announced }, add));
		else {
			const socket = await welcomed(details, way);
			socket.write(way === "local" ? frameHeader(announced, true) : frame(FINAL | BINARY, announced));
			ends.push(pour(socket, bytesEach, add));
		}
	}
	return {
		bytes: () => bytes,
		stop() {
			for (const end of ends) end();
		},
	};
}

function pour(socket: Socket, bytesEach: number, add: (more: number) => void): () => void {
	let sent = 0;
	const more = () => {
		while (sent < bytesEach && !socket.destroyed) {
			sent += CHUNK.length;
			add(CHUNK.length);
			if (!socket.write(CHUNK)) return;
		}
	};
	socket.on("drain", more);
	more();
	const timer = setInterval(() => socket.writableLength === 0 && socket.write(CHUNK.subarray(0, 1)), DRIP_MS);
	return () => {
		clearInterval(timer);
		socket.destroy();
	};
}

/** Asks again and again for one answer, and reads none: over each connection as often as the service takes it, at most `times`. */
export async function fetchUnread(
	details: MisbehavingDetails,
	ways: readonly Way[],
	{ id, count, times }: { readonly id: string; readonly count: number; readonly times: number },
): Promise<Misbehaving> {
	const head = pack({ type: "fetch", id });
	let bytes = 0;
	const ends: (() => void)[] = [];
	for (let k = 0; k < count; k += 1) {
		const way = ways[k % ways.length]!;
		if (way === "curve") {
			const dealer = dealerOf(details, details.zeromq, 1);
			ends.push(() => dealer.close());
			const ask = async () => {
				await dealer.send(helloOf(details));
				await dealer.receive();
				for (let time = 0; time < times; time += 1) {
					await dealer.send(Uint8Array.from(head));
					bytes += head.length;
				}
			};
			ask().catch(() => {});
			continue;
		}
		const socket = await welcomed(details, way);
		socket.pause();
		ends.push(() => socket.destroy());
		const words = messageOf(way, head);
		let time = 0;
		const ask = () => {
			while (time < times && !socket.destroyed) {
				time += 1;
				bytes += words.length;
				if (!socket.write(words)) return;
			}
		};
		socket.on("drain", ask);
		ask();
	}
	return {
		bytes: () => bytes,
		stop() {
			for (const end of ends) end();
		},
	};
}

/** One message of many frames at full speed. */
export async function sendEndless(
	details: MisbehavingDetails,
	frameBytes: number,
	frames: number,
): Promise<Misbehaving> {
	let bytes = 0;
	const sizes = { bytes: Number.POSITIVE_INFINITY, announced: frames * frameBytes, frameBytes };
	const stop = await dripEncrypted(details, sizes, (more) => {
		bytes += more;
	});
	return { bytes: () => bytes, stop };
}

function dealerOf(
	{ serviceKey, publicKey, secretKey }: MisbehavingDetails,
	address: string,
	readAhead: number,
): Dealer {
	const keys = { curveServerKey: serviceKey, curvePublicKey: publicKey, curveSecretKey: secretKey };
	const dealer = new Dealer({ ...keys, linger: 0, receiveHighWaterMark: readAhead, sendHighWaterMark: 0 });
	dealer.connect(address);
	return dealer;
}

/** Through a relay of its own, which stops in the middle of what the library sends. */
async function dripEncrypted(
	details: MisbehavingDetails,
	{ bytes, announced = 2 * bytes, frameBytes = 2 ** 20 }: Omit<DripOptions, "count"> & { readonly frameBytes?: number },
	count: (more: number) => void,
): Promise<() => void> {
	const port = Number(/:(\d+)$/.exec(details.zeromq)?.[1]);
	const sockets: Socket[] = [];
	const relay: Server = createServer((near) => {
		const far = connect(port, "127.0.0.1");
		sockets.push(near, far);
		for (const socket of [near, far]) socket.on("error", () => {});
		far.pipe(near);
		let passed = 0;
		near.on("data", (chunk) => {
			if (passed > bytes) return;
			passed += chunk.length;
			count(chunk.length);
			if (far.write(chunk)) return;
			near.pause();
			far.once("drain", () => near.resume());
		});
	});
	relay.listen(0, "127.0.0.1");
	await once(relay, "listening");
	const { port: own } = relay.address() as { port: number };
	const dealer = dealerOf(details, `tcp://127.0.0.1:${own}`, 0);
	await dealer.send(helloOf(details));
	await dealer.receive();
	const body = Buffer.alloc(frameBytes);
	dealer.send(Array.from({ length: Math.ceil(announced / frameBytes) }, () => body)).catch(() => {});
	return () => {
		relay.close();
		for (const socket of sockets) socket.destroy();
		setTimeout(() => dealer.close(), CLOSE_MS);
	};
}

/** A connection by hand, after its welcome. A busy service may send it away before it has read its hello. */
async function welcomed(details: MisbehavingDetails, way: "local" | "websocket"): Promise<Socket> {
	for (const end = performance.now() + PATIENCE_MS; ; ) {
		try {
			return await welcomedOnce(details, way);
		} catch (error) {
			if (performance.now() > end) throw error;
		}
	}
}

async function welcomedOnce(details: MisbehavingDetails, way: "local" | "websocket"): Promise<Socket> {
	const { local = "", websocket = "" } = details;
	const socket =
		way === "local" ? connect(local.replace(/^ipc:\/\//, "")) : connect(Number(new URL(websocket).port), "127.0.0.1");
	socket.on("error", () => {});
	await once(socket, "connect");
	const welcome = new Promise<void>((resolve, reject) => {
		const refuse = () => reject(new Error(`not welcome over ${way}`));
		const timer = setTimeout(refuse, PATIENCE_MS);
		socket.once("close", refuse);
		let heard = Buffer.alloc(0);
		socket.on("data", (bytes) => {
			heard = Buffer.concat([heard, bytes]).subarray(-4096);
			if (!heard.includes("welcome")) return;
			clearTimeout(timer);
			socket.removeAllListeners("data");
			socket.on("data", () => {});
			resolve();
		});
	});
	socket.write(way === "local" ? plainHandshake() : handshake());
	socket.write(messageOf(way, helloOf(details)));
	await welcome;
	return socket;
}

/** One message of one frame. */
function messageOf(way: "local" | "websocket", body: ArrayLike<number>): Buffer {
	if (way === "local") return Buffer.concat([frameHeader(body.length, true), Buffer.from(Uint8Array.from(body))]);
	const packet = packetOf([body]);
	return Buffer.concat([frame(FINAL | BINARY, packet.length), Buffer.from(packet)]);
}

function helloOf({ token }: MisbehavingDetails): Uint8Array {
	return Uint8Array.from(pack({ type: "hello", version: 1, client: "misbehaving", token }));
}
