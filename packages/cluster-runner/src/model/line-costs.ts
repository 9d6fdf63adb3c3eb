/** What it costs ranks to talk to each other over a transport: measured constants, in seconds. */
import { atLeast, type Checked, integer, list, oneOf, record } from "@stickslip/core/schema";
import { REDUCTIONS } from "./reductions.js";

const seconds = atLeast(0);

const isLineCost = record({ latency: seconds, perByte: seconds });
/** What a message of so many numbers takes one end, by ascending numbers: libraries send long messages in other ways than short ones. */
const isMessageCost = record({ numbers: integer(1), seconds });
export type MessageCost = Checked<typeof isMessageCost>;
const isEndCosts = record({ exchange: seconds, messages: list(isMessageCost, 100), less: seconds });
/** Of an exchange without messages, and of a message of it with what is packed or unpacked; each after the first takes so much less. */
export type EndCosts = Checked<typeof isEndCosts>;
const isWakeUpCost = record({ wait: seconds, seconds });
export type WakeUpCost = Checked<typeof isWakeUpCost>;
const WAKINGS_MAX = 100;

export const isLineCosts = record({
	/** At the beginning of an exchange and at its end. */
	begin: isEndCosts,
	finish: isEndCosts,
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
export function wakeUpSeconds(table: readonly WakeUpCost[], wait: number): number {
	if (table.length === 0) return 0;
	let above = 0;
	while (above < table.length && table[above]!.wait < wait) above += 1;
	const high = table[Math.min(above, table.length - 1)]!;
	if (above === 0 || above === table.length) return high.seconds;
	const low = table[above - 1]!;
	const part = Math.log(wait / low.wait) / Math.log(high.wait / low.wait);
	return low.seconds + part * (high.seconds - low.seconds);
}

/** What a message takes both ends, on average, where an exchange has many. */
export function nextMessageSeconds({ begin, finish }: Pick<LineCosts, "begin" | "finish">): number {
	return (messageSeconds(begin, 1) - begin.less + messageSeconds(finish, 1) - finish.less) / 2;
}

/** Of a message of so many numbers: between the points of the table, and beyond its end, as the line through the nearest two has it. */
export function messageSeconds({ messages }: EndCosts, numbers: number): number {
	const last = messages.length - 1;
	if (last < 0) return 0;
	let above = 0;
	while (above < last && messages[above]!.numbers < numbers) above += 1;
	const high = messages[above]!;
	if (above === 0) return high.seconds;
	const low = messages[above - 1]!;
	return low.seconds + ((numbers - low.numbers) * (high.seconds - low.seconds)) / (high.numbers - low.numbers);
}

/** A transport that costs nothing: what is lost on it is lost by waiting for ranks that are late. */
export const FREE: LineCosts = {
	begin: { exchange: 0, messages: [], less: 0 },
	finish: { exchange: 0, messages: [], less: 0 },
	within: { latency: 0, perByte: 0 },
	reduction: { name: "doubling", step: 0, number: 0 },
	waking: [],
	crowded: { wake: 0, turn: 0 },
};
