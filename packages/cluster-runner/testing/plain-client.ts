/** A client that sends given frames and shows what arrives: @stickslip/client would not send most of it. */
import { arraysOf, fromPacket, headOf, type NamedArrays, toFrames, toPacket } from "@stickslip/client/protocol";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { Dealer } from "zeromq";
import type { Served } from "./served.js";

export const PLAIN_TRANSPORTS = ["zeromq", "websocket"] as const;
export type PlainTransport = (typeof PLAIN_TRANSPORTS)[number];

export type Head = Readonly<Record<string, unknown>>;
export interface ReceivedMessage {
	readonly head: Record<string, unknown>;
	readonly arrays: NamedArrays;
}

type File = ReturnType<Served["file"]>;

const PATIENCE_MS = 100_000;

export class PlainClient {
	/** Messages that came, but for pings. */
	readonly #heard: ReceivedMessage[] = [];
	#wake: () => void = () => {};
	isClosed = false;

	private constructor(
		readonly sendFrames: (frames: Uint8Array[]) => void,
		/** As when the process ends. */
		readonly end: () => void,
	) {}

	/** Connected and not introduced. Ended with the test. */
	static async open(
		transport: PlainTransport,
		file: File,
		options: { readonly origin?: string } = {},
	): Promise<PlainClient> {
		const client = await (transport === "zeromq" ? PlainClient.#zeromq(file) : PlainClient.#webSocket(file, options));
		onTestFinished(() => client.end());
		return client;
	}

	/** Connected, and welcome. */
	static async welcome(transport: PlainTransport, file: File): Promise<PlainClient> {
		const client = await PlainClient.open(transport, file);
		client.send({ type: "hello", version: 1, client: "test", token: file.token });
		await client.next("welcome");
		return client;
	}

	send(head: Head, arrays?: NamedArrays): void {
		this.sendFrames(toFrames(head, arrays));
	}

	/** The next message, which has to be of this type. */
	async next(type?: string): Promise<ReceivedMessage> {
		const end = performance.now() + PATIENCE_MS;
		for (;;) {
			const heard = this.#heard.shift();
			if (heard !== undefined) {
				if (type === undefined || heard.head.type === type) return heard;
				throw new Error(`not ${type}: ${JSON.stringify(heard.head)}`);
			}
			if (this.isClosed || performance.now() > end) throw new Error(`no ${type ?? "message"}`);
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
				setTimeout(resolve, 100);
			});
		}
	}

	/** The next error, as its code and field. */
	async refusal(): Promise<string> {
		const { head } = await this.next("error");
		return `${head.id ?? "-"} ${head.code} ${head.field}`;
	}

	#take(frames: Uint8Array[]): void {
		const head = headOf(frames) as ReceivedMessage["head"];
		if (head.type === "ping") return;
		this.#heard.push({ head, arrays: arraysOf(head.arrays as [string, string][] | undefined, frames) });
		this.#wake();
	}

	#closed(): void {
		this.isClosed = true;
		this.#wake();
	}

	static async #zeromq({ zeromq, serviceKey, publicKey, secretKey }: File): Promise<PlainClient> {
		const dealer = new Dealer({
			curveServerKey: serviceKey!,
			curvePublicKey: publicKey!,
			curveSecretKey: secretKey!,
			linger: 0,
			sendHighWaterMark: 0,
			receiveHighWaterMark: 0,
		});
		let last = Promise.resolve();
		const client = new PlainClient(
			(frames) => {
				last = last.then(() => dealer.send(frames)).catch(() => {});
			},
			() => dealer.close(),
		);
		dealer.events.on("handshake:error:auth", () => client.#closed());
		dealer.connect(zeromq);
		const listen = async () => {
			for await (const frames of dealer) client.#take(frames);
		};
		listen().catch(() => {});
		return client;
	}

	static async #webSocket({ websocket }: File, options: { readonly origin?: string }): Promise<PlainClient> {
		const socket = new WebSocket(websocket, options);
		socket.binaryType = "nodebuffer";
		const client = new PlainClient(
			(frames) => socket.send(toPacket(frames)),
			() => socket.terminate(),
		);
		socket.on("message", (data) => client.#take(fromPacket(data as Buffer)));
		socket.on("close", () => client.#closed());
		await new Promise((resolve, reject) => {
			socket.on("open", resolve);
			socket.on("error", reject);
		});
		return client;
	}
}
