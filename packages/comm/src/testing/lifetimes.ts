/** Programs for communicators that live from task to task: plans that are opened and closed, and idle ranks. */
import { Random } from "@stickslip/core";
import { assert } from "@stickslip/core/parallel";
import { sleep } from "../base/patience.js";
import { add, exchangeOnce, open, type Program } from "./checks.js";
import { type HeldMemory, heldMemory } from "./memory.js";
import { oneWayPlan, randomPlan, type Tied } from "./plans.js";
import { isThorough } from "./thorough.js";

/** How many plans are opened. With more ranks than cores a round takes milliseconds. */
const PLANS = { many: 5000, few: 200 };
const FEW_FROM_RANKS = isThorough ? 6 : 3;
/** How many of them differ, and how many are open at a time. */
const KINDS = 48;
const OPEN_MAX = 4;
/** Ranks run ahead of each other by fewer rounds than these. */
const ROUNDS_APART = 9;

/** Ranks are idle for longer than they have patience. */
const IDLE_MS = 3000;
const IDLE_PATIENCE_SECONDS = 2.5;
const POLL_MS = 20;
const IDLE_BYTES = 3_000_000;

export const lifetimes: Readonly<Record<string, Program>> = {
	/** Plans of all sizes are opened, used and closed, some open at a time, in no order. Returns what this rank held after a fifth of them, and at the end. */
	"thousands of plans": (communicator, seed) => {
		const { rank, size } = communicator;
		// All ranks draw the same.
		const random = new Random(seed, 1);
		const plans = size < FEW_FROM_RANKS ? PLANS.many : PLANS.few;
		const kinds = Array.from({ length: KINDS }, (_, kind) =>
			randomPlan(rank, size, seed + kind, { blocks: [2, 20, 200][kind % 3]!, chance: kind % 4 === 3 ? 1 : 0.6 }),
		);
		const tied: Tied[] = [];
		const held: HeldMemory[] = [];
		for (let round = 0; round < plans; round += 1) {
			if (tied.length === OPEN_MAX) for (const one of tied.splice(random.below(OPEN_MAX))) one.exchange.close();
			// All kinds first, so that what stays for later plans is there, and then any.
			tied.push(open(communicator, kinds[round < KINDS ? round : random.below(KINDS)]!));
			exchangeOnce(communicator, tied[random.below(tied.length)]!, round);
			if (round % ROUNDS_APART === 0) communicator.barrier();
			if (round + 1 === plans / 5 || round + 1 === plans) held.push(heldMemory());
		}
		for (const { exchange } of tied) exchange.close();
		return held;
	},

	/** The sender is plans ahead of a slow receiver: what it sent by closed ones is read by the receiver's, in order. */
	"plans closed while their messages are on their way": (communicator) => {
		const { rank, size } = communicator;
		for (let round = 0; round < 150; round += 1) {
			const blocks = 1 + ((37 * round) % 101);
			const tied = open(communicator, oneWayPlan(rank, size, blocks));
			if (rank === size - 1 && round % 50 === 7) sleep(30);
			exchangeOnce(communicator, tied, round);
			tied.exchange.close();
		}
	},

	/** All are idle for longer than any would wait, one of them longest; before that, one has sent more than a network takes at once. */
	"idle ranks": (communicator, seed, patience) => {
		const { rank, size } = communicator;
		const tied = open(communicator, randomPlan(rank, size, seed));
		exchangeOnce(communicator, tied, 1);
		communicator.barrier();
		const { seconds } = patience;
		patience.seconds = IDLE_PATIENCE_SECONDS;
		const root = seed % size;
		const sent = communicator.broadcast(rank === root ? new Uint8Array(IDLE_BYTES).fill(seed) : undefined, root);
		assert(sent.length === IDLE_BYTES && sent.at(-1) === seed, "what an idle rank has sent arrives");
		const end = performance.now() + IDLE_MS + (rank === root ? 300 : 0);
		while (performance.now() < end) {
			sleep(POLL_MS);
			communicator.poll();
		}
		const sum = Float64Array.of(rank);
		communicator.reduce(sum, add);
		assert(sum[0] === (size * (size - 1)) / 2, "a reduction after idle seconds");
		exchangeOnce(communicator, tied, 2);
		tied.exchange.close();
		// Not before all have come here: whoever is idle next has the patience that it began with.
		communicator.barrier();
		patience.seconds = seconds;
	},
};
