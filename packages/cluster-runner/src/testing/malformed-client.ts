/** A client that the service knows, and that sends it malformed messages over one transport; it connects again whenever it is sent away. */
import { Malformed } from "./malformed.js";
import { pack, unpack } from "./message-pack.js";
import { type CurveAddress, type RawPeer, RawWebSocket, RawZeromq } from "./raw-peers.js";
import { pause } from "./wait.js";

export interface MalformedOptions {
	readonly details: CurveAddress & { readonly token: string; readonly websocket?: string };
	readonly transport: "zeromq" | "websocket";
	/** Of messages. */
	readonly count: number;
	readonly seed: number;
	/** Default: as fast as they are answered. */
	readonly perSecond?: number;
}

export interface MalformedReport {
	readonly sent: number;
	/** Of all that was answered, by code; `none` for messages that are no errors. */
	readonly answers: Readonly<Record<string, number>>;
	/** Connections that were made. */
	readonly connections: number;
}

/** Messages at a time. A WebSocket is closed for some of them, and then those behind are not read. */
const BATCH = { zeromq: 20, websocket: 1 } as const;
/** A service that takes this long is gone. */
const PATIENCE_MS = 100_000;

export async function sendMalformed(options: MalformedOptions): Promise<MalformedReport> {
	const { count, seed, transport, perSecond } = options;
	const malformed = new Malformed(seed);
	const answers: Record<string, number> = {};
	const began = performance.now();
	let [sent, connections] = [0, 0];
	let peer: RawPeer | undefined;
	try {
		while (sent < count) {
			if (peer === undefined) {
				peer = await connect(options);
				connections += 1;
			}
			const size = Math.min(BATCH[transport], count - sent);
			for (let k = 0; k < size; k += 1) {
				const frames = malformed.next();
				if (transport === "websocket") (peer as RawWebSocket).sendMessage(malformed.packet(frames));
				else peer.send(...frames);
			}
			sent += size;
			// Also of ZeroMQ, whose library ends a connection for a message that is too large.
			if (!(await isHeard(peer, options, `end.${seed}.${sent}`, answers))) {
				peer.close();
				peer = undefined;
			}
			if (perSecond !== undefined) await pause(Math.max(0, sent / perSecond - (performance.now() - began) / 1000));
		}
	} finally {
		peer?.close();
	}
	return { sent, answers, connections };
}

async function connect({ details, transport }: MalformedOptions): Promise<RawPeer> {
	const peer = transport === "zeromq" ? new RawZeromq(details) : await RawWebSocket.open(details.websocket ?? "");
	peer.send(helloOf(details.token));
	return peer;
}

const helloOf = (token: string) => pack({ type: "hello", version: 1, client: "spoilt", token });

/**
 * Whether the service has answered all that was sent before; false where it has closed the connection. Over ZeroMQ, where it cannot, another hello
 * makes this a client again.
 */
async function isHeard(
	peer: RawPeer,
	{ details, transport }: MalformedOptions,
	id: string,
	answers: Record<string, number>,
): Promise<boolean> {
	if (transport === "zeromq") peer.send(helloOf(details.token));
	peer.send(pack({ type: "fetch", id }));
	const end = performance.now() + PATIENCE_MS;
	while (performance.now() < end) {
		let head: Readonly<Record<string, unknown>>;
		try {
			head = unpack((await peer.receive())[0]!) as typeof head;
		} catch (error) {
			if (String(error).includes("closed")) return false;
			throw error;
		}
		if (head.id === id) return true;
		const code = String(head.code ?? "none");
		answers[code] = (answers[code] ?? 0) + 1;
	}
	throw new Error("the service goes on answering, but not what it was asked");
}
