/** Programs in which a rank fails or is late; afterwards the communicator is useless. */
import { Random } from "@stickslip/core";
import { sleep } from "../base/patience.js";
import { add, exchangeOnce, open, type Program } from "./checks.js";
import { randomPlan } from "./plans.js";

/** How long a late rank is away, and how long the others then wait: longer than a busy machine keeps any of them from running. */
const AWAY_MS = 6500;
const SHORT_PATIENCE_SECONDS = 4;
const LONG_BYTES = 3_000_000;

const late = ["late in a reduction", "late in an exchange", "late in a barrier", "late behind another"];

export const faults: Readonly<Record<string, Program>> = {
	"an abort": (communicator, seed) => {
		const random = new Random(seed);
		const [who, when] = [random.below(communicator.size), random.below(50)];
		for (let round = 0; round < 1000; round += 1) {
			if (communicator.rank === who && round === when) communicator.abort(`gives up in round ${round}`);
			if (round % 2 === 0) communicator.barrier();
			else communicator.reduce(new Float64Array(3), add);
		}
	},

	/** No rank waits: the others notice it when they poll. */
	"an abort among idle ranks": (communicator, seed) => {
		const { rank, size } = communicator;
		communicator.barrier();
		if (rank === seed % size) {
			sleep(100);
			communicator.abort("gives up in round 0");
		}
		const end = performance.now() + AWAY_MS;
		while (performance.now() < end) {
			communicator.poll();
			sleep(5);
		}
		return "learned of nothing";
	},

	/** Rank `seed` modulo size leaves right after it has sent what a network takes only while its sender looks on: see mpi/away.test.ts. */
	"away with a long message": (communicator, seed, patience) => {
		const { rank, size } = communicator;
		const away = seed % size;
		communicator.barrier();
		patience.seconds = SHORT_PATIENCE_SECONDS;
		const bytes = communicator.broadcast(rank === away ? new Uint8Array(LONG_BYTES) : undefined, away);
		if (rank === away) sleep(AWAY_MS);
		return bytes.length;
	},

	...Object.fromEntries(late.map((name) => [name, lateProgram(name)])),
};

/** Rank `seed` modulo size goes away for longer than the others' patience, in a call that needs it. */
function lateProgram(name: string): Program {
	return (communicator, seed, patience) => {
		const { rank, size } = communicator;
		const all = randomPlan(rank, size, seed, { blocks: 3, chance: 1 });
		const tied = open(communicator, all);
		communicator.barrier();
		patience.seconds = SHORT_PATIENCE_SECONDS;
		if (rank === seed % size) {
			sleep(AWAY_MS);
			return "was away";
		}
		if (name === "late in an exchange") exchangeOnce(communicator, tied, 0);
		else if (name === "late in a barrier") communicator.barrier();
		else if (name === "late in a reduction") communicator.reduce(new Float64Array(4), add);
		// Only one rank waits for the late one itself; the others wait for that one, and name the late one all the same.
		else if (rank === (seed + 1) % size) exchangeOnce(communicator, tied, 0);
		else communicator.reduce(new Float64Array(4), add);
		return "was not kept waiting";
	};
}
