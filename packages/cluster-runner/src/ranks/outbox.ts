/** What a rank sends to its process, in order: at once, or held for a while so that several things go in one message. */
import type { MessagePort } from "node:worker_threads";
import type { FromRank } from "./rank.js";

/** Sends something at once, with the memory that moves with it. */
export type Send = (message: FromRank, moved?: readonly ArrayBuffer[]) => void;

export class Outbox {
	/** When the first held entry was added. */
	since = 0;
	readonly #port: MessagePort;
	#held: FromRank[] = [];
	#moved: ArrayBuffer[] = [];

	constructor(port: MessagePort) {
		this.#port = port;
	}

	/** It may go later, with others. */
	hold(message: FromRank, moved: readonly ArrayBuffer[] = []): void {
		if (this.#held.length === 0) this.since = performance.now();
		this.#held.push(message);
		this.#moved.push(...moved);
	}

	send(message: FromRank, moved?: readonly ArrayBuffer[]): void {
		this.hold(message, moved);
		this.flush();
	}

	flush(): void {
		if (this.#held.length === 0) return;
		this.#port.postMessage(this.#held, this.#moved);
		this.#held = [];
		this.#moved = [];
	}
}
