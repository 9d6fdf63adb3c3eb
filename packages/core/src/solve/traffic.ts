/** What a communicator has counted, between two moments. */
import type { Traffic } from "../parallel/communicator.js";

export const NO_TRAFFIC: Traffic = { exchanges: 0, reductions: 0, messages: 0, bytes: 0, pack: 0, wait: 0, reduce: 0 };

/** What was exchanged since. */
export function lessTraffic(now: Traffic, before: Traffic): Traffic {
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
