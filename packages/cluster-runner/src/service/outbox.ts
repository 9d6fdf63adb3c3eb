/**
 * Messages on their way to one connection, in order. Only a few of them are with the transport at a time, which may copy them: the others are kept by
 * reference, so that an answer that is fetched again and again is in memory once.
 */
import type { Frames } from "./connection.js";
import { bytesOf } from "./kept-answers.js";
import type { ConnectionTraffic } from "./traffic.js";

/** Bytes that the transport may have; a larger message is given to it alone. */
const AHEAD_BYTES = 2 ** 20;
/** Memory that a message needs in addition to its bytes. */
const MESSAGE_BYTES = 256;
/** A client that accepts no byte for this long is lost. */
const STALLED_MS = 60_000;

interface Outgoing {
	readonly frames: Frames;
	readonly bytes: number;
	readonly done: (isSent: boolean) => void;
}

export class Outbox {
	readonly #traffic: ConnectionTraffic;
	/** Resolves when the system has the message; to false if it never will. */
	readonly #write: (frames: Frames) => Promise<boolean>;
	readonly #queue: Outgoing[] = [];
	readonly #ahead = new Set<Outgoing>();
	#aheadBytes = 0;
	#isEnded = false;
	/** Bytes that had left at the last look, and the time since which none have. */
	#left = 0;
	#since = performance.now();

	constructor(traffic: ConnectionTraffic, write: (frames: Frames) => Promise<boolean>) {
		this.#traffic = traffic;
		this.#write = write;
	}

	/** Messages that the system does not have yet. */
	get waiting(): number {
		return this.#queue.length + this.#ahead.size;
	}

	/** True if the transport has all messages. */
	get isHandedOver(): boolean {
		return this.#queue.length === 0;
	}

	push(frames: Frames): Promise<boolean> {
		if (this.#isEnded) return Promise.resolve(false);
		return new Promise((done) => {
			const bytes = bytesOf(frames) + MESSAGE_BYTES;
			if (this.waiting === 0) this.#since = performance.now();
			this.#traffic.queued(bytes);
			this.#queue.push({ frames, bytes, done });
			this.#next();
		});
	}

	/** Drops the messages that the transport does not have yet. */
	end(): void {
		this.#isEnded = true;
		for (const each of [...this.#ahead, ...this.#queue.splice(0)]) this.#settle(each, false);
	}

	/** True if messages wait and none has left for too long; `left` counts bytes and only grows. */
	isStalled(left: number): boolean {
		const now = performance.now();
		if (this.waiting === 0 || left !== this.#left) this.#since = now;
		this.#left = left;
		return now - this.#since > STALLED_MS;
	}

	#next(): void {
		for (let [next] = this.#queue; next !== undefined; [next] = this.#queue) {
			if (this.#ahead.size > 0 && this.#aheadBytes + next.bytes > AHEAD_BYTES) return;
			const message = next;
			this.#queue.shift();
			this.#ahead.add(message);
			this.#aheadBytes += message.bytes;
			void this.#write(message.frames).then((isSent) => {
				this.#settle(message, isSent);
				this.#next();
			});
		}
	}

	#settle(message: Outgoing, isSent: boolean): void {
		if (this.#ahead.delete(message)) this.#aheadBytes -= message.bytes;
		else if (isSent || !this.#isEnded) return;
		this.#traffic.read(message.bytes);
		message.done(isSent);
	}
}
