/**
 * A communicator that writes down what a solve asks of it, and when. It belongs to one rank of any number, and no others are there: ghosts hold the values
 * that it is given, and reductions return what they returned in the solve of the whole. So a share does by itself, and can be timed at, what it does among others.
 */
import type { Communicator, Exchange, HaloPlan, Traffic } from "@stickslip/core/parallel";
import type { TraceEvent } from "./trace.js";

const nothing: Traffic = { exchanges: 0, reductions: 0, messages: 0, bytes: 0, pack: 0, wait: 0, reduce: 0 };

export interface RecordingOptions {
	readonly rank: number;
	readonly size: number;
	/** How many plans a halo opens. */
	readonly plans: number;
	/** What ghosts of plans of width 3 hold, by place; zeros where absent. */
	readonly ghosts?: Float64Array | undefined;
	/** What the reduction with this number returns, from 0, before `begin` and since; its own numbers where undefined. */
	readonly reducedBefore?: readonly Float64Array[] | undefined;
	readonly reduced?: ((index: number) => Float64Array | undefined) | undefined;
	/** Whether to keep what reductions returned, and the vector of the last exchange. */
	readonly keeps?: boolean | undefined;
}

export class RecordingCommunicator implements Communicator {
	readonly rank: number;
	readonly size: number;
	readonly transport = "self";
	readonly events: TraceEvent[] = [];
	/** Plans that have been opened, by number. */
	readonly #plans: HaloPlan[] = [];
	/** The vector of the last exchange of the first plan, as it was then, and what reductions returned. */
	last: Float64Array | undefined;
	readonly keptBefore: Float64Array[] = [];
	readonly kept: Float64Array[] = [];
	readonly #options: RecordingOptions;
	#then = performance.now();
	#exchanges = 0;
	#reductions = 0;
	#isBegun = false;

	constructor(options: RecordingOptions) {
		this.rank = options.rank;
		this.size = options.size;
		this.#options = options;
	}

	get traffic(): Traffic {
		return { ...nothing, exchanges: this.#exchanges, reductions: this.#reductions };
	}

	/** Called where the first solve begins: what was recorded so far is of the set-up. */
	begin(): void {
		this.events.length = 0;
		this.#reductions = 0;
		this.#isBegun = true;
		this.#then = performance.now();
	}

	open(plan: HaloPlan): Exchange {
		// Scales of ghosts come once, at set-up: as if they were like the first of its own.
		if (plan.width === 1)
			return { begin: () => {}, finish: (values) => fillOnce(values, plan.receive), close: () => {} };
		const of = this.#numberOf(plan);
		let begun = 0;
		return {
			begin: () => {
				begun = performance.now();
			},
			finish: (values) => {
				const now = performance.now();
				this.events.push({ what: "exchange", of, before: (begun - this.#then) / 1000, during: (now - begun) / 1000 });
				this.#exchanges += 1;
				const { keeps, ghosts } = this.#options;
				if (keeps && of === 0) this.#keep(values);
				if (ghosts !== undefined && plan.width === 3) fill(values, plan.receive, ghosts);
				this.#then = performance.now();
			},
			close: () => {},
		};
	}

	/** Of those opened after the halo's, one the other way has the number of the one that it reverses. */
	#numberOf(plan: HaloPlan): number {
		const isReversed = ({ send, receive }: HaloPlan) => send === plan.receive && receive === plan.send;
		const known = this.#plans.length < this.#options.plans ? -1 : this.#plans.findIndex(isReversed);
		return known >= 0 ? known : this.#plans.push(plan) - 1;
	}

	reduce(values: Float64Array): void {
		const now = performance.now();
		const { reduced, reducedBefore, keeps } = this.#options;
		this.events.push({ what: "reduce", of: values.length, before: (now - this.#then) / 1000, during: 0 });
		const known = this.#isBegun ? reduced?.(this.#reductions) : reducedBefore?.[this.#reductions];
		if (known?.length === values.length) values.set(known);
		if (keeps) (this.#isBegun ? this.kept : this.keptBefore).push(values.slice());
		this.#reductions += 1;
		this.#then = performance.now();
	}

	/** Ranks hear here of components of W that cross them: none does, so that reductions have the sums of the whole problem's. */
	broadcast(): Uint8Array {
		return new Uint8Array(0);
	}

	gather(bytes: Uint8Array): Uint8Array[] {
		return Array.from({ length: this.size }, () => bytes.slice());
	}

	barrier(): void {}

	poll(): void {}

	abort(reason: string): void {
		throw new Error(reason);
	}

	close(): void {}

	#keep(values: Float64Array): void {
		if (this.last?.length !== values.length) this.last = values.slice();
		else this.last.set(values);
	}
}

function fill(values: Float64Array, places: Int32Array, from: Float64Array): void {
	for (const place of places) {
		for (let i = 3 * place; i < 3 * place + 3; i += 1) values[i] = from[i]!;
	}
}

function fillOnce(values: Float64Array, places: Int32Array): void {
	for (const place of places) values[place] = values[0]!;
}
