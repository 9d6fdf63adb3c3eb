/** What it costs ranks to talk to each other over a transport: measured constants, in seconds. */
import { atLeast, type Checked, list, oneOf, record } from "@stickslip/core/schema";
import { REDUCTIONS } from "./reductions.js";

const seconds = atLeast(0);

const isLineCost = record({ latency: seconds, perByte: seconds });
const isWakeUpCost = record({ wait: seconds, seconds });
export type WakeUpCost = Checked<typeof isWakeUpCost>;
const WAKINGS_MAX = 100;

export const isLineCosts = record({
	/** Of an exchange without messages, for each message of it, and for each number packed or unpacked: at its beginning and at its end. */
	begin: record({ exchange: seconds, message: seconds, number: seconds }),
	finish: record({ exchange: seconds, message: seconds, number: seconds }),
	/** From one rank to another, on the same host. */
	within: isLineCost,
	reduction: record({
		name: oneOf(REDUCTIONS),
		/** Of a step in which a message is sent and received, besides its way; of a meeting, all of it. */
		step: seconds,
		/** For each number in a step, or in a meeting for each rank and number. */
		number: seconds,
	}),
	/** What it takes a rank with a core of its own to go on, after it has waited so long: it may have gone to sleep. */
	waking: list(isWakeUpCost, WAKINGS_MAX),
	/** The same with more ranks than cores, however long it has waited; and to pass a core on. */
	crowded: record({ wake: seconds, turn: seconds }),
});
export type LineCosts = Checked<typeof isLineCosts>;

/** After a wait of so many seconds; between points of the table as the logarithm of the wait has it. */
export function wakingAfter(table: readonly WakeUpCost[], wait: number): number {
	if (table.length === 0) return 0;
	let above = 0;
	while (above < table.length && table[above]!.wait < wait) above += 1;
	const high = table[Math.min(above, table.length - 1)]!;
	if (above === 0 || above === table.length) return high.seconds;
	const low = table[above - 1]!;
	const part = Math.log(wait / low.wait) / Math.log(high.wait / low.wait);
	return low.seconds + part * (high.seconds - low.seconds);
}

/** A transport that costs nothing: what is lost on it is lost by waiting for ranks that are late. */
export const FREE: LineCosts = {
	begin: { exchange: 0, message: 0, number: 0 },
	finish: { exchange: 0, message: 0, number: 0 },
	within: { latency: 0, perByte: 0 },
	reduction: { name: "doubling", step: 0, number: 0 },
	waking: [],
	crowded: { wake: 0, turn: 0 },
};
