/**
 * Ctrl-C, or the SIGTERM of a scheduler: the first asks the solve to stop, which then returns its best iterate; the second ends the process at once. Armed only
 * while something listens, so that reading a file can be interrupted as everywhere else.
 */
const interruptedCode = 130;
/** Ctrl-C, and what schedulers send. */
const signals = ["SIGINT", "SIGTERM"] as const;

export class Interrupt {
	readonly #controller = new AbortController();
	readonly #told: () => void;

	/** `told` is called at the first Ctrl-C. */
	constructor(told: () => void) {
		this.#told = told;
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** Listens for as long as the work takes. */
	async during<Result>(work: () => Promise<Result>): Promise<Result> {
		for (const signal of signals) process.on(signal, this.#caught);
		try {
			return await work();
		} finally {
			for (const signal of signals) process.off(signal, this.#caught);
		}
	}

	readonly #caught = () => {
		if (this.signal.aborted) process.exit(interruptedCode);
		this.#controller.abort();
		this.#told();
	};
}
