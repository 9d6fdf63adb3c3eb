/** Ids of answers that the service need not keep any longer, gathered so that they take few messages. */

/** So many at a time, or what there is after a while. */
const COUNT = 256;
const WAIT_MS = 500;

export class ForgetQueue {
	readonly #send: (ids: readonly string[]) => void;
	#ids: string[] = [];
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(send: (ids: readonly string[]) => void) {
		this.#send = send;
	}

	add(ids: readonly string[]): void {
		this.#ids.push(...ids);
		if (this.#ids.length >= COUNT) this.flush();
		else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS);
	}

	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const ids = this.#ids.splice(0);
		if (ids.length > 0) this.#send(ids);
	}
}
