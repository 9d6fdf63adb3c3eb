/** A communicator that counts the seconds of a rank in it: what is exchanged, and waiting for other ranks. */
import type { Communicator, Exchange, HaloPlan, Merge, Traffic } from "@stickslip/core/parallel";

export class TimedCommunicator implements Communicator {
	readonly rank: number;
	readonly size: number;
	readonly transport: string;
	/** So far. */
	seconds = 0;
	readonly #inner: Communicator;

	constructor(inner: Communicator) {
		this.#inner = inner;
		this.rank = inner.rank;
		this.size = inner.size;
		this.transport = inner.transport;
	}

	get traffic(): Traffic {
		return this.#inner.traffic;
	}

	open(plan: HaloPlan): Exchange {
		const exchange = this.#timed(() => this.#inner.open(plan));
		return {
			begin: (values) => this.#timed(() => exchange.begin(values)),
			finish: (values) => this.#timed(() => exchange.finish(values)),
			close: () => exchange.close(),
		};
	}

	reduce(values: Float64Array, merge: Merge): void {
		this.#timed(() => this.#inner.reduce(values, merge));
	}

	broadcast(bytes: Uint8Array | undefined, root: number): Uint8Array {
		return this.#timed(() => this.#inner.broadcast(bytes, root));
	}

	gather(bytes: Uint8Array, root: number): Uint8Array[] | undefined {
		return this.#timed(() => this.#inner.gather(bytes, root));
	}

	barrier(): void {
		this.#timed(() => this.#inner.barrier());
	}

	poll(): void {
		this.#inner.poll();
	}

	abort(reason: string): void {
		this.#inner.abort(reason);
	}

	close(): void {
		this.#inner.close();
	}

	#timed<Result>(call: () => Result): Result {
		const start = performance.now();
		const result = call();
		this.seconds += (performance.now() - start) / 1000;
		return result;
	}
}
