/** What it costs ranks to talk to each other over a transport: measured constants, in seconds. */
import { atLeast, type Checked, oneOf, record } from "@stickslip/core/schema";
import { REDUCTIONS } from "./reductions.js";

const seconds = atLeast(0);

const isLineCost = record({ latency: seconds, perByte: seconds });

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
	/** With more ranks than cores: to wake one that waits, and to pass a core on. */
	crowded: record({ wake: seconds, turn: seconds }),
});
export type LineCosts = Checked<typeof isLineCosts>;

/** A transport that costs nothing: what is lost on it is lost by waiting for ranks that are late. */
export const FREE: LineCosts = {
	begin: { exchange: 0, message: 0, number: 0 },
	finish: { exchange: 0, message: 0, number: 0 },
	within: { latency: 0, perByte: 0 },
	reduction: { name: "doubling", step: 0, number: 0 },
	crowded: { wake: 0, turn: 0 },
};
