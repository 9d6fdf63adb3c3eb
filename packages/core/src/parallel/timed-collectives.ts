/** What a communicator takes, for whoever measures steps of a simulation. */
import type { Communicator, Exchange, HaloPlan, Merge, Traffic } from "./communicator.js";

/** A communicator that also counts the seconds of collective calls which its traffic leaves out: they are rare in a solve, and not in a step. */
export class TimedCollectives implements Communicator {
	readonly rank: number;
	readonly size: number;
	readonly transport: string;
	collectiveSeconds = 0;
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

	/** All that it has taken so far: packing, waiting, reductions and other collective calls. */
	get seconds(): number {
		const { pack, wait, reduce } = this.traffic;
		return pack + wait + reduce + this.collectiveSeconds;
	}

	open(plan: HaloPlan): Exchange {
		return this.#timed(() => this.#inner.open(plan));
	}

	reduce(values: Float64Array, merge: Merge): void {
		this.#inner.reduce(values, merge);
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
		const started = performance.now();
		const result = call();
		this.collectiveSeconds += (performance.now() - started) / 1000;
		return result;
	}
}
