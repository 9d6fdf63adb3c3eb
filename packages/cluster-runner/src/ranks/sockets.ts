/** The two ends of the control connection as sockets: frames are put in order of sending, checked on arrival, and dropped where they are not ours. */
import { Dealer, Router } from "zeromq";
import { FRAME_BYTES_MAX, Frames } from "./frames.js";
import { isToHub, isToMember, type Send, type ToHub, type ToMember } from "./messages.js";

/** How long what was sent last has to leave when a socket is closed. */
const LINGER_MS = 1000;
/** No limit on messages that wait: what is sent is bounded by the protocol, and dropping any of it would end the run. */
const NO_LIMIT = 0;

/** One after another: a socket takes its next message when the one before is with the library. */
class Outbox {
	readonly #socket: { send(parts: Uint8Array[]): Promise<void> };
	#last: Promise<void> = Promise.resolve();

	constructor(socket: { send(parts: Uint8Array[]): Promise<void> }) {
		this.#socket = socket;
	}

	push(parts: Uint8Array[]): void {
		// A closed socket sends nothing: the other side is then told by silence, or told already.
		this.#last = this.#last.then(() => this.#socket.send(parts)).catch(() => {});
	}

	get empty(): Promise<void> {
		return this.#last;
	}
}

export class HubSocket {
	/** Frames that were no messages of this run. */
	dropped = 0;
	readonly #router = new Router({
		maxMessageSize: FRAME_BYTES_MAX,
		linger: LINGER_MS,
		sendHighWaterMark: NO_LIMIT,
		receiveHighWaterMark: NO_LIMIT,
	});
	readonly #outbox = new Outbox(this.#router);
	readonly #frames: Frames<ToMember, ToHub>;
	#isClosed = false;

	constructor(key: Uint8Array) {
		this.#frames = new Frames(key, isToHub);
	}

	/** Listens on this machine only; returns the address. */
	async open(): Promise<string> {
		await this.#router.bind("tcp://127.0.0.1:*");
		return this.#router.lastEndpoint ?? "";
	}

	/** Until the socket is closed. */
	async listen(take: (identity: string, message: ToHub, bytes?: Uint8Array) => void): Promise<void> {
		for (;;) {
			const parts = await received(this.#router, () => this.#isClosed);
			if (parts === undefined) return;
			const [identity, ...rest] = parts;
			const read = this.#frames.read(rest);
			if (identity === undefined || read === undefined) this.dropped += 1;
			else take(Buffer.from(identity).toString("hex"), read.message, read.bytes);
		}
	}

	sender(identity: string): Send<ToMember> {
		const address = Buffer.from(identity, "hex");
		return (message, bytes) => this.#outbox.push([address, ...this.#frames.write(message, bytes)]);
	}

	async close(): Promise<void> {
		await this.#outbox.empty;
		this.#isClosed = true;
		this.#router.close();
	}
}

export class MemberSocket {
	dropped = 0;
	readonly #dealer = new Dealer({
		maxMessageSize: FRAME_BYTES_MAX,
		linger: LINGER_MS,
		sendHighWaterMark: NO_LIMIT,
		receiveHighWaterMark: NO_LIMIT,
	});
	readonly #outbox = new Outbox(this.#dealer);
	readonly #frames: Frames<ToHub, ToMember>;
	#isClosed = false;

	/** `gone` is called where the hub hangs up, as the system does for one that died, or does not listen: it did before this process began. */
	constructor(hub: string, key: Uint8Array, gone: () => void) {
		this.#frames = new Frames(key, isToMember);
		for (const event of ["disconnect", "connect:retry"] as const) {
			this.#dealer.events.on(event, () => {
				if (!this.#isClosed) gone();
			});
		}
		this.#dealer.connect(hub);
	}

	readonly send: Send<ToHub> = (message, bytes) => this.#outbox.push(this.#frames.write(message, bytes));

	async listen(take: (message: ToMember, bytes?: Uint8Array) => void): Promise<void> {
		for (;;) {
			const parts = await received(this.#dealer, () => this.#isClosed);
			if (parts === undefined) return;
			const read = this.#frames.read(parts);
			if (read === undefined) this.dropped += 1;
			else take(read.message, read.bytes);
		}
	}

	/** Resolves when all that was sent is with the library, which has LINGER_MS to deliver it. */
	async close(): Promise<void> {
		await this.#outbox.empty;
		this.#isClosed = true;
		this.#dealer.close();
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
