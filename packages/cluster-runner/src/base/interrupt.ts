/**
 * Ctrl-C, the SIGTERM of a scheduler, or a closed terminal: the first asks the solve to stop, which then returns its best iterate; the second ends the
 * process at once. Only handled while something listens, so that reading a file can be interrupted as usual.
 */
import { handleSignals } from "./signals.js";

const interruptedCode = 130;

/** A scheduler may signal all processes of a job at once, and a supervisor forwards the signal it got: this counts as one request. */
const echoMs = () => (process.connected === true ? 500 : 0);

export class Interrupt {
	readonly #controller = new AbortController();
	readonly #onRequest: () => void;
	/** How many nested tasks listen. */
	#depth = 0;
	#leave: () => void = () => {};
	/** When the first came. */
	#first = -Infinity;

	/** `told` is called at the first Ctrl-C. */
	constructor(onRequest: () => void) {
		this.#onRequest = onRequest;
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** Listens for as long as the work takes. */
	async during<Result>(work: () => Promise<Result>): Promise<Result> {
		this.#depth += 1;
		if (this.#depth === 1) this.#leave = handleSignals(this.#caught);
		try {
			return await work();
		} finally {
			this.#depth -= 1;
			if (this.#depth === 0) this.#leave();
		}
	}

	/** The same as the first Ctrl-C, requested in another way; after one it does nothing. `reason` becomes that of the signal. */
	request(reason?: unknown): void {
		if (this.signal.aborted) return;
		this.#controller.abort(reason);
		this.#onRequest();
	}

	readonly #caught = (signal: NodeJS.Signals) => {
		const milliseconds = performance.now();
		if (this.signal.aborted) {
			// Both the shell and the system may report that the terminal was closed.
			if (signal === "SIGHUP") return;
			if (milliseconds - this.#first > echoMs()) process.exit(interruptedCode);
			return;
		}
		this.#first = milliseconds;
		this.request();
	};
}
