/** What a communicator has counted, between two moments. */
import type { Communicator, Traffic } from "./communicator.js";

export const NO_TRAFFIC: Traffic = { exchanges: 0, reductions: 0, messages: 0, bytes: 0, pack: 0, wait: 0, reduce: 0 };

/** What was exchanged since. */
function lessTraffic(now: Traffic, before: Traffic): Traffic {
	return {
		exchanges: now.exchanges - before.exchanges,
		reductions: now.reductions - before.reductions,
		messages: now.messages - before.messages,
		bytes: now.bytes - before.bytes,
		pack: now.pack - before.pack,
		wait: now.wait - before.wait,
		reduce: now.reduce - before.reduce,
	};
}

/** What a solve exchanges. */
export class TrafficCount {
	readonly #communicator: Communicator;
	#before: Traffic;

	constructor(communicator: Communicator) {
		this.#communicator = communicator;
		this.#before = communicator.traffic;
	}

	get traffic(): Traffic {
		return lessTraffic(this.#communicator.traffic, this.#before);
	}

	/** From now on `traffic` is what comes, and this. */
	startFrom(traffic: Traffic = NO_TRAFFIC): void {
		this.#before = lessTraffic(this.#communicator.traffic, traffic);
	}

	/** Something that is set up once, however often a solve is repeated or resumed: what it exchanges does not count. */
	leaveOut<Result>(work: () => Result): Result {
		const { traffic } = this;
		const result = work();
		this.startFrom(traffic);
		return result;
	}
}
