/**
 * What the conformance suite runs on every rank of a transport: each program talks, and checks what it hears against an answer that
 * it computes by itself from the seed. A program throws where something is wrong and returns plain data that a test compares.
 */
import { Random } from "@stickslip/core";
import { assert, type HaloPlan, REDUCE_MAX, type Traffic } from "@stickslip/core/parallel";
import { sleep } from "../base/patience.js";
import { add, exchangeOnce, least, most, noise, open, type Program, same, union } from "./checks.js";
import { faults } from "./faults.js";
import { lifetimes } from "./lifetimes.js";
import { field, oneWayPlan, randomPlan } from "./plans.js";

/** Messages and bytes of one exchange: a neighbour to whom nothing is said gets no message. */
function halo(plan: HaloPlan): { messages: number; bytes: number } {
	let messages = 0;
	for (let i = 0; i < plan.targets.length; i += 1) if (plan.sendStart[i + 1]! > plan.sendStart[i]!) messages += 1;
	return { messages, bytes: plan.send.length * plan.width * 8 };
}

function counts({ exchanges, reductions, messages, bytes }: Traffic): number[] {
	return [exchanges, reductions, messages, bytes];
}

const since = (traffic: Traffic, start: readonly number[]): number[] =>
	counts(traffic).map((count, i) => count - (start[i] ?? 0));

/** Milliseconds of the one clock that all processes of a machine share; the beginnings of their own are not known to the millisecond. */
function monotonic(): number {
	return Number(process.hrtime.bigint()) / 1e6;
}

export const programs: Readonly<Record<string, Program>> = {
	identity: ({ rank, size, transport }) => ({ rank, size, transport }),

	"exchanges with random plans": (communicator, seed) => {
		for (let which = 0; which < 12; which += 1) {
			const tied = open(communicator, randomPlan(communicator.rank, communicator.size, seed + which));
			for (let round = 0; round < 5; round += 1) exchangeOnce(communicator, tied, round);
		}
	},

	"several plans in turn": (communicator, seed) => {
		const { rank, size } = communicator;
		const tied = [0, 1, 2, 3].map((which) => open(communicator, randomPlan(rank, size, seed + which)));
		// All ranks draw the same order.
		const random = new Random(seed, 1);
		for (let round = 0; round < 60; round += 1) exchangeOnce(communicator, tied[random.below(4)]!, round);
	},

	"a reduction between begin and finish": (communicator, seed) => {
		const { rank, size } = communicator;
		const tied = open(communicator, randomPlan(rank, size, seed));
		for (let round = 0; round < 40; round += 1) {
			const sum = Float64Array.of(rank + round);
			exchangeOnce(communicator, tied, round, () => communicator.reduce(sum, add));
			assert(sum[0] === (size * (size - 1)) / 2 + size * round, "a reduction between the halves of an exchange");
		}
	},

	"large blocks": (communicator, seed) => {
		const plan = randomPlan(communicator.rank, communicator.size, seed, { blocks: 4000, chance: 1 });
		const tied = open(communicator, plan);
		for (let round = 0; round < 4; round += 1) exchangeOnce(communicator, tied, round);
	},

	/** Only where a transport is strict: whoever reads what has not arrived sees that. */
	"early reads": (communicator, seed) => {
		const { rank, size } = communicator;
		const { plan, exchange } = open(communicator, randomPlan(rank, size, seed));
		const values = field(plan, rank, 0).fill(1);
		exchange.begin(values);
		const arriving = values.subarray(plan.own * plan.width);
		assert(arriving.every(Number.isNaN), "arriving places are NaN until they have arrived");
		assert(
			values.subarray(0, plan.own * plan.width).every((value) => value === 1),
			"own places are as they were",
		);
		exchange.finish(values);
		assert(
			arriving.every((value) => value === 1),
			"what arrived is there",
		);
	},

	/** The sender waits for nobody, and may be as far ahead as the transport lets it. */
	"a fast sender": (communicator) => {
		const { rank, size } = communicator;
		const tied = open(communicator, oneWayPlan(rank, size, 5));
		for (let round = 0; round < 300; round += 1) {
			if (rank === size - 1 && round % 100 === 50) sleep(20);
			exchangeOnce(communicator, tied, round);
		}
	},

	/** The sender opens the next plan while its last message to a slow receiver is still on its way. */
	"plans that grow": (communicator) => {
		const { rank, size } = communicator;
		for (let round = 0; round < 12; round += 1) {
			const tied = open(communicator, oneWayPlan(rank, size, 1 + 3 ** Math.min(round, 8)));
			if (rank === size - 1) sleep(round);
			exchangeOnce(communicator, tied, round);
		}
	},

	reductions: (communicator, seed) => {
		const { rank, size } = communicator;
		const lengths = [1, 4, 0, 3, 64, 1000, REDUCE_MAX, 2];
		for (const [which, length] of lengths.entries()) {
			const of = (r: number) => {
				const random = new Random(seed + which, r);
				return Float64Array.from({ length }, () => random.below(2 ** 40) - 2 ** 39);
			};
			const all = Array.from({ length: size }, (_, r) => of(r));
			for (const merge of [add, most, least]) {
				const mine = of(rank);
				communicator.reduce(mine, merge);
				const want = all[0]!.slice();
				for (const one of all.slice(1)) merge(want, one);
				assert(same(mine, want), `${merge.name} of ${length} numbers is wrong`);
			}
			const part = Float64Array.from({ length }, (_, i) => (i % size === rank ? all[rank]![i]! : Number.NaN));
			communicator.reduce(part, union);
			assert(
				part.every((value, i) => value === all[i % size]![i]),
				`union of ${length} numbers is wrong`,
			);
		}
	},

	"thousands of rounds": (communicator, seed) => {
		const { rank, size } = communicator;
		const tied = open(communicator, randomPlan(rank, size, seed, { blocks: 4, chance: 0.7 }));
		const values = new Float64Array(4);
		for (let round = 0; round < 2000; round += 1) {
			if (round % 3 === 0) exchangeOnce(communicator, tied, round);
			values.set([round + rank, 1, rank === round % size ? round : 0, 0 - rank]);
			communicator.reduce(values, add);
			const ranks = (size * (size - 1)) / 2;
			assert(same(values, [size * round + ranks, size, round, 0 - ranks]), `round ${round}: ${values.join(" ")}`);
		}
	},

	broadcasts: (communicator, seed) => {
		const { rank, size } = communicator;
		const random = new Random(seed);
		for (const length of [0, 1, 7, 64, 65_537, 2 ** 20, random.below(5000), random.below(300_000)]) {
			const root = random.below(size);
			const given = noise(seed, length, length);
			const got = communicator.broadcast(rank === root ? given : undefined, root);
			assert(same(got, given), `a broadcast of ${length} bytes from rank ${root}`);
			// A rank's result is its own: writing into it must not affect others.
			got.fill(rank);
			if (rank === root) assert(same(given, noise(seed, length, length)), "the root's bytes were written to");
		}
	},

	gathers: (communicator, seed) => {
		const { rank, size } = communicator;
		const random = new Random(seed);
		for (const length of [0, 1, 7, 1000, 65_537, 2 ** 20]) {
			const root = random.below(size);
			// Ranks give different lengths, some nothing.
			const lengthOf = (r: number) => (r % 3 === 2 ? 0 : Math.floor(length / (1 + (r % 2))));
			const got = communicator.gather(noise(seed, rank, lengthOf(rank)), root);
			assert((got !== undefined) === (rank === root), "root gets all, others nothing");
			for (const [r, bytes] of (got ?? []).entries()) {
				assert(same(bytes, noise(seed, r, lengthOf(r))), `rank ${r}'s part of a gather of ${length} bytes`);
			}
			assert(got === undefined || got.length === size, "one part for each rank");
		}
	},

	/** Each rank says when it came to the barrier and when it left; nobody leaves before all have come. */
	barriers: (communicator, seed) => {
		const random = new Random(seed, communicator.rank);
		const times: number[][] = [];
		for (let round = 0; round < 5; round += 1) {
			sleep(random.below(20));
			const came = monotonic();
			communicator.barrier();
			times.push([came, monotonic()]);
		}
		return times;
	},

	/** Exactly the messages of halos, and what was asked for; a transport's reductions may take any number of messages. */
	counters: (communicator, seed) => {
		const { rank, size } = communicator;
		const plan = randomPlan(rank, size, seed, { blocks: 50, chance: 0.6 });
		const start = counts(communicator.traffic);
		const tied = open(communicator, plan);
		const opened = counts(communicator.traffic);
		for (let round = 0; round < 7; round += 1) exchangeOnce(communicator, tied, round);
		const between = communicator.traffic;
		for (let round = 0; round < 11; round += 1) communicator.reduce(new Float64Array(4), add);
		communicator.barrier();
		communicator.broadcast(rank === 0 ? new Uint8Array(10) : undefined, 0);
		const after = communicator.traffic;
		const { messages, bytes } = halo(plan);
		assert(same(opened, start), "a plan that is opened counts nothing");
		assert(
			same(since(between, start), [7, 0, 7 * messages, 7 * bytes]),
			`7 exchanges of ${messages} messages and ${bytes} bytes: ${JSON.stringify(between)}`,
		);
		const [exchanges, reductions, more, further] = since(after, counts(between));
		assert(exchanges === 0 && reductions === 11, "exchanges and reductions as done, others not counted");
		assert(more! >= 0 && further! >= 0, "counters only grow");
		assert(same(since(between, start), [7, 0, 7 * messages, 7 * bytes]), "traffic is a copy");
		for (const time of [after.pack, after.wait, after.reduce]) assert(time >= 0 && time < 60, "times are in seconds");
	},

	/** Programmer errors assert at once and without sending anything, so the communicator keeps working. */
	strictness: (communicator, seed) => {
		const { rank, size } = communicator;
		const complaints: string[] = [];
		const refused = (what: string, attempt: () => void) => {
			try {
				attempt();
			} catch (error) {
				if (error instanceof Error && error.message.startsWith("assertion failed")) return;
			}
			complaints.push(`${what} is not refused`);
		};
		const plan = randomPlan(rank, size, seed);
		const other = open(communicator, plan);
		const { exchange } = open(communicator, plan);
		const values = field(plan, rank, 0);
		refused("finish without begin", () => exchange.finish(values));
		exchange.begin(values);
		refused("a second begin", () => exchange.begin(values));
		refused("another plan's begin", () => other.exchange.begin(values));
		refused("another plan's finish", () => other.exchange.finish(values));
		refused("close during an exchange", () => communicator.close());
		refused("an exchange's close while it is under way", () => exchange.close());
		exchange.finish(values);
		refused("a second finish", () => exchange.finish(values));
		refused("too long a reduction", () => communicator.reduce(new Float64Array(REDUCE_MAX + 1), add));
		refused("a root that is not a rank", () => communicator.gather(new Uint8Array(1), size));
		exchange.close();
		exchange.close();
		refused("a closed exchange's begin", () => exchange.begin(values));
		exchangeOnce(communicator, other, 1);
		return complaints;
	},

	...lifetimes,
	...faults,
};
