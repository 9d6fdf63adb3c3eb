/** The test's side of a relay: see relay.ts. All of it blocks, so that wires in this thread can be on both ends. */
import { Worker } from "node:worker_threads";
import { assert } from "@stickslip/core/parallel";
import { sleep } from "../base/patience.js";
import { type Bundle, bundle } from "./bundle.js";
import { modes, type RelayData, words } from "./relay.js";

const RECORD_BYTES = 64 * 1024;
/** Limit of waits, which only guards against hanging. */
const WAIT_MS = 100_000;

export class Link {
	/** Where to connect to instead. */
	readonly endpoint: string;
	readonly #words = new Int32Array(new SharedArrayBuffer(4 * 8));
	readonly #record = new Uint8Array(new SharedArrayBuffer(RECORD_BYTES));
	readonly #worker: Worker;

	/** In front of tcp://127.0.0.1:PORT; `program` is relayProgram(). */
	constructor(program: Bundle, endpoint: string) {
		const port = Number(endpoint.split(":").at(-1));
		const workerData: RelayData = { port, words: this.#words, record: this.#record };
		this.#worker = new Worker(program.file, { workerData });
		Atomics.wait(this.#words, words.listensOn, 0, WAIT_MS);
		assert(this.#words[words.listensOn]! > 0, "a relay listens");
		this.endpoint = `tcp://127.0.0.1:${this.#words[words.listensOn]}`;
	}

	/** What was said into the link until now. */
	get record(): Uint8Array {
		return this.#record.slice(0, Atomics.load(this.#words, words.recorded));
	}

	/** From now on what is said is passed on, held up, or lost. */
	set mode(mode: keyof typeof modes) {
		Atomics.store(this.#words, words.mode, modes[mode]);
	}

	/** Returns when so many bytes have been lost. */
	waitForLoss(bytes: number): void {
		this.#until(() => this.#words[words.swallowed]! >= bytes, "bytes to be lost");
	}

	waitForConnections(count: number): void {
		this.#until(() => this.#words[words.connections]! >= count, "connections");
	}

	/** Resets all connections; new ones are taken. */
	cut(): void {
		const before = this.#words[words.cuts]!;
		this.#worker.postMessage("cut");
		this.#until(() => this.#words[words.cuts]! > before, "the cut");
	}

	async end(): Promise<void> {
		await this.#worker.terminate();
	}

	#until(isSo: () => boolean, what: string): void {
		const end = performance.now() + WAIT_MS;
		while (!isSo()) {
			assert(performance.now() < end, `a relay waits for ${what}`);
			sleep(1);
		}
	}
}

export function relayProgram(): Bundle {
	return bundle(new URL("./relay.ts", import.meta.url));
}
