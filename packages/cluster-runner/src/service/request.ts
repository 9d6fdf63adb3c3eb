/** A request of a client, from its arrival until its answer is on its way. */
import type { Client } from "./client.js";
import type { Connection } from "./connection.js";
import type { Pattern } from "./patterns.js";
import type { Work } from "./work.js";

export interface RequestOptions {
	/** Continues when the connection of its client is lost. */
	readonly keep: boolean;
	readonly progress: boolean;
	/** Seconds from arrival. */
	readonly deadline: number | undefined;
	/** The pattern that it needs, which may not be released before its turn. */
	readonly pattern?: Pattern | undefined;
}

export class Request {
	/** The connection for the answer; undefined while there is none. */
	connection: Connection | undefined;
	state: "waiting" | "running" | "ended" = "waiting";
	/** How often it was passed to ranks. */
	attempts = 0;
	readonly arrived = performance.now();
	/** Ends the wait for the ranks at the deadline. */
	timer: NodeJS.Timeout | undefined;
	readonly #controller = new AbortController();

	constructor(
		readonly client: Client,
		readonly id: string,
		/** Of its message. */
		readonly bytes: number,
		public work: Work,
		readonly options: RequestOptions,
	) {
		options.pattern?.use();
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** Ends the solve at its next iteration. */
	cancel(): void {
		this.#controller.abort();
	}

	/** It is cancelled; called once. */
	leaveRanks(): void {
		this.options.pattern?.leave();
	}

	/** Its arrays are not needed while its answer is on its way. */
	end(): void {
		this.state = "ended";
		this.work = () => Promise.reject(new Error("the request has ended"));
		clearTimeout(this.timer);
	}

	/** Seconds until its deadline. */
	get left(): number | undefined {
		const { deadline } = this.options;
		return deadline === undefined ? undefined : Math.max(0, deadline - (performance.now() - this.arrived) / 1000);
	}
}
