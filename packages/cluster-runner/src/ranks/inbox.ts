/** Messages on a port, taken one at a time: messages that arrive while no one waits are kept. */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Control } from "@stickslip/comm";

export class Inbox<Message> {
	readonly #kept: Message[] = [];
	readonly #port: MessagePort;
	#isClosed = false;
	#error: unknown;
	/** Of whoever waits. */
	#came: () => void = () => {};

	constructor(port: MessagePort) {
		this.#port = port;
		port.on("message", (message: Message) => {
			this.#kept.push(message);
			this.#came();
		});
		port.on("close", () => {
			this.#isClosed = true;
			this.#came();
		});
	}

	/** A waiting caller gets this error instead of a message. */
	fail(error: unknown): void {
		this.#error = error;
		this.#came();
	}

	/** The first matching message, if it is here already: no turn of the event loop is needed. */
	take<Wanted extends Message>(isWanted: (message: Message) => message is Wanted): Wanted | undefined {
		for (let more = true; more; ) {
			const at = this.#kept.findIndex(isWanted);
			if (at >= 0) return this.#kept.splice(at, 1)[0] as Wanted;
			// Node.js crashes if a closed port is used.
			if (this.#isClosed) return undefined;
			const received = receiveMessageOnPort(this.#port) as { message: Message } | undefined;
			if (received !== undefined) this.#kept.push(received.message);
			more = received !== undefined;
		}
		return undefined;
	}

	/** The first matching message. Throws if the other side has closed the port: then the run has ended, and control may hold the reason. */
	async next<Wanted extends Message>(
		control: Control,
		isWanted: (message: Message) => message is Wanted,
	): Promise<Wanted> {
		for (;;) {
			const wanted = this.take(isWanted);
			if (wanted !== undefined) return wanted;
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
