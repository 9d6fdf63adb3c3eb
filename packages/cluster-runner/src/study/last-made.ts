/** Remembers the last thing that was made: cells that follow each other share a problem, and two large ones are never in memory for long. */

export class LastMade<Made> {
	#key: string | undefined;
	#making: Promise<Made> | undefined;

	get(key: string, make: () => Promise<Made>): Promise<Made> {
		if (this.#making === undefined || this.#key !== key) {
			this.#key = key;
			this.#making = make();
		}
		return this.#making;
	}
}
