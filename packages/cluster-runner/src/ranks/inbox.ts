/** Messages on a port, taken one at a time: messages that arrive while nobody waits are kept. */
import type { MessagePort } from "node:worker_threads";
import type { Control } from "@stickslip/comm";

export class Inbox<Message> {
	readonly #kept: Message[] = [];
	#isClosed = false;
	#error: unknown;
	/** Of whoever waits. */
	#came: () => void = () => {};

	constructor(port: MessagePort) {
		port.on("message", (message: Message) => {
			this.#kept.push(message);
			this.#came();
		});
		port.on("close", () => {
			this.#isClosed = true;
			this.#came();
		});
	}

	/** Whoever waits gets this error instead of a message. */
	fail(error: unknown): void {
		this.#error = error;
		this.#came();
	}

	/** The first that is wanted. Throws where the other side has closed the port: then the run has ended, and control may know why. */
	async next<Wanted extends Message>(
		control: Control,
		isWanted: (message: Message) => message is Wanted,
	): Promise<Wanted> {
		for (;;) {
			const at = this.#kept.findIndex(isWanted);
			if (at >= 0) return this.#kept.splice(at, 1)[0] as Wanted;
			if (this.#error !== undefined) throw this.#error;
			if (this.#isClosed) {
				control.check();
				throw new Error("the process ended the run before it began");
			}
			await new Promise<void>((resolve) => {
				this.#came = resolve;
			});
		}
	}
}
