/** The hub against members that are late, wrong, foreign or mad. */
import { generate, Random, version } from "@stickslip/core";
import { type Outcome, prepare, RankError, runShare, SelfCommunicator } from "@stickslip/core/parallel";
import { cutShares } from "@stickslip/partition";
import { describe, expect, it } from "vitest";
import { memoryLog, open, Playground, stateAt } from "../testing/checkpoints.js";
import { Course } from "./course.js";
import { digestOf } from "./digest.js";
import { Hub } from "./hub.js";
import { STATES, type ToHub, type ToMember } from "./messages.js";
import { packParcel } from "./parcel.js";

const problem = generate("spheres", { contacts: 20 });
const prepared = prepare(problem, { maxIterations: 3 });
const { blocks } = prepared.plan;
const whole = cutShares(prepared, 1).share(0);
const shares = cutShares(prepared, 2);
const digest = digestOf(shares.share(0), prepared.options, "zeromq");

/** A hub of two members, what it has sent to whom, and a clock that the test moves. */
function hubOfTwo(course?: Course) {
	const sent: [string, ToMember][] = [];
	const killed: number[] = [];
	const clock = { now: 0 };
	const hub = new Hub({
		ranks: 2,
		processes: 2,
		blocks,
		digest: () => digest,
		task: (process) => ({
			digest,
			transport: "zeromq",
			ranks: 2,
			firstRank: process,
			ranksHere: 2,
			cores: [],
			library: undefined,
			patience: 10,
			options: prepared.options,
			shares: [shares.share(process)] as never,
			from: undefined,
			site: undefined,
		}),
		hasEndpoints: true,
		course,
		send: (identity) => (message) => sent.push([identity, message]),
		kill: (process) => killed.push(process),
		now: () => clock.now,
	});
	const hello = (process: number, theirs = version) =>
		hub.take(`m${process}`, { kind: "hello", version: theirs, process, pid: 1000 + process });
	const kinds = (identity: string) => sent.filter(([to]) => to === identity).map(([, { kind }]) => kind);
	return { hub, sent, killed, clock, hello, kinds };
}

/** An answer with these ids, made of that of one rank. */
function outcomeOf(rank: number, ids: Int32Array): Outcome {
	const all = runShare(whole, prepared.options, new SelfCommunicator(), { request: 0 });
	const numbers = (values: Float64Array) => Float64Array.from(ids, (_, i) => values[i]!).slice();
	const part = (values: Float64Array) => {
		const taken = new Float64Array(3 * ids.length);
		taken.set(numbers(values));
		return taken;
	};
	return { ...all, ids, reaction: part(all.reaction), velocity: part(all.velocity), rank: { ...all.rank, rank } };
}

function answer(hub: Hub, rank: number, ids: Int32Array, from = rank): void {
	for (const { message, bytes } of packParcel(rank, outcomeOf(rank, ids))) hub.take(`m${from}`, message, bytes);
}

const bound = (process: number): ToHub => ({ kind: "bound", digest, endpoints: [`tcp://127.0.0.1:${5000 + process}`] });

/** The ids of the blocks of either rank. */
const halves = [
	Int32Array.from({ length: blocks >> 1 }, (_, i) => i),
	Int32Array.from({ length: blocks - (blocks >> 1) }, (_, i) => i + (blocks >> 1)),
] as const;

async function failureOf(hub: Hub): Promise<RankError> {
	const error: unknown = await hub.outcomes.then(
		() => undefined,
		(reason) => reason,
	);
	if (!(error instanceof RankError)) throw new Error(`no RankError but ${String(error)}`);
	return error;
}

describe("the hub", () => {
	it("hands each member its task when the one before has its own, tells all the addresses, and collects", async () => {
		const { hub, sent, hello, kinds } = hubOfTwo();
		hello(1);
		hello(0);
		expect([new Set(kinds("m1")), kinds("m0")]).toEqual([new Set(["parcel", "piece"]), []]);
		hub.take("m1", { kind: "taken" });
		expect(new Set(kinds("m0"))).toEqual(new Set(["parcel", "piece"]));
		hub.take("m0", { kind: "taken" });
		hub.take("m1", bound(1));
		expect(kinds("m1")).not.toContain("go");
		hub.take("m0", bound(0));
		const go = { kind: "go", endpoints: ["tcp://127.0.0.1:5000", "tcp://127.0.0.1:5001"] };
		expect(sent.filter(([, { kind }]) => kind === "go")).toEqual(
			[
				["m1", go],
				["m0", go],
			].reverse(),
		);
		answer(hub, 1, halves[1]);
		answer(hub, 0, halves[0]);
		const outcomes = await hub.outcomes;
		expect(outcomes.map(({ rank }) => rank.rank)).toEqual([0, 1]);
		expect([hub.dropped, kinds("m0").at(-1), kinds("m1").at(-1)]).toEqual([0, "bye", "bye"]);
		// What comes afterwards is no failure of the run.
		hub.lost(0, "was lost");
		expect(hub.failure).toBeUndefined();
	});

	it.each<[string, (to: ReturnType<typeof hubOfTwo>) => void, RegExp]>([
		[
			"another version",
			({ hello }) => hello(1, "0.0.1"),
			/^rank 1 refuses its input: .*runs version 0.0.1 and the others \d/,
		],
		[
			"another problem",
			({ hub, hello }) => {
				hello(1);
				hub.take("m1", { kind: "bound", digest: "0", endpoints: ["tcp://x:1"] });
			},
			/^rank 1 has another problem or other options than the others$/,
		],
		[
			"the wrong number of addresses",
			({ hub, hello }) => {
				hello(1);
				hub.take("m1", { kind: "bound", digest, endpoints: [] });
			},
			/^rank 1 told 0 addresses instead of 1$/,
		],
		[
			"an answer of another rank",
			({ hub, hello }) => {
				hello(1);
				answer(hub, 0, halves[0], 1);
			},
			/^rank 1 sent what makes no sense: an answer of rank 0 that nobody waits for$/,
		],
		[
			"an answer for contacts that are not there",
			({ hub, hello }) => {
				hello(0);
				answer(hub, 0, Int32Array.of(blocks));
			},
			/^rank 0 sent what makes no sense: an answer that is none$/,
		],
		[
			"an answer without end",
			({ hub, hello }) => {
				hello(0);
				hub.take("m0", { kind: "parcel", id: 0, lengths: [2 ** 45] });
			},
			/^rank 0 sent what makes no sense: parcel 0 of \d+ bytes is above the limit/,
		],
		[
			"answers that overlap",
			({ hub, hello }) => {
				hello(0);
				hello(1);
				answer(hub, 0, halves[0]);
				answer(hub, 1, halves[0]);
			},
			/^the ranks' answers do not make up the whole/,
		],
		[
			"a silent start",
			({ hub, hello }) => {
				hello(0);
				hub.startOver(30);
			},
			/^rank 1 did not report within 30 s of its start$/,
		],
	])("refuses a member with %s, by name", async (_, go, message) => {
		const to = hubOfTwo();
		go(to);
		expect((await failureOf(to.hub)).message).toMatch(message);
	});

	it("names the first failure and tells it to all, also to those that come later", async () => {
		const { hub, sent, hello } = hubOfTwo();
		hello(0);
		hub.take("m0", { kind: "failed", rank: 0, reason: "failed: no more paper" });
		hub.lost(0, "was lost (exit code 3)");
		hello(1);
		expect((await failureOf(hub)).message).toBe("rank 0 failed: no more paper");
		const abort = { kind: "abort", rank: 0, reason: "failed: no more paper" };
		expect(sent.filter(([, { kind }]) => kind === "abort")).toEqual([
			["m0", abort],
			["m1", abort],
		]);
	});

	it("loses a member that is silent for 3 s and ends it, but not one that it did not listen to itself", async () => {
		const { hub, killed, clock, hello } = hubOfTwo();
		const steps = (until: number, speaking: readonly string[]) => {
			for (; clock.now < until; clock.now += 500) {
				for (const identity of speaking) hub.take(identity, { kind: "beat" });
				hub.beat();
			}
		};
		hello(0);
		hello(1);
		steps(2500, []);
		clock.now += 60_000;
		hub.beat();
		expect(hub.failure).toBeUndefined();
		steps(clock.now + 4000, ["m0"]);
		expect((await failureOf(hub)).message).toBe("rank 1 was lost (no sign of life for 3 s)");
		expect(killed).toEqual([1]);
	});

	it("drops and counts what strangers and parrots say", () => {
		const { hub, hello } = hubOfTwo();
		hello(0);
		hub.take("stranger", bound(1));
		hub.take("stranger", { kind: "failed", rank: 1, reason: "so I say" });
		hub.take("twin", { kind: "hello", version, process: 0, pid: 1 });
		hub.take("m0", { kind: "hello", version, process: 1, pid: 1 });
		hub.take("m0", bound(0));
		hub.take("m0", bound(0));
		hub.take("tenth", { kind: "hello", version, process: 9, pid: 1 });
		expect([hub.dropped, hub.failure]).toEqual([6, undefined]);
	});

	it("asks rank 0's process to save when a checkpoint is due and all ranks iterate, and keeps what they save", async () => {
		const play = new Playground();
		try {
			const log = memoryLog();
			const keeper = await open(play.folder(), { log });
			const { hub, hello, kinds } = hubOfTwo(new Course({ ranks: 2, keeper, log }));
			keeper.request();
			hello(0);
			hello(1);
			hub.take("m0", { kind: "ready", rank: 0 });
			hub.take("m1", { kind: "ready", rank: 0 });
			hub.beat();
			expect([kinds("m0").includes("save"), hub.dropped]).toEqual([false, 1]);
			hub.take("m1", { kind: "ready", rank: 1 });
			hub.beat();
			hub.beat();
			expect(["m0", "m1"].map((to) => kinds(to).filter((kind) => kind === "save").length)).toEqual([1, 0]);
			hub.take("m1", { kind: "unsaved", rank: 1, iteration: 7, reason: "the disk is full" });
			for (const { message, bytes } of packParcel(STATES, stateAt(7))) hub.take("m0", message, bytes);
			await keeper.settle();
			expect([hub.failure, keeper.lost, keeper.last]).toEqual([undefined, "the disk is full", undefined]);
			hub.take("m1", { kind: "log", rank: 1, level: "warn", event: "hot", facts: { degrees: 90 } });
			expect(log.lines.map(({ event }) => event)).toEqual([
				...["connected", "connected", "ready", "ready", "ready"],
				...["unsaved", "saved", "checkpoint-lost", "hot"],
			]);
			for (const { message, bytes } of packParcel(STATES, { iteration: 7 })) hub.take("m0", message, bytes);
			expect((await failureOf(hub)).message).toBe("rank 0 sent what makes no sense: a state that is none");
			await keeper.close();
		} finally {
			play.remove();
		}
	});

	it("refuses a state in the name of another rank", async () => {
		const { hub, hello } = hubOfTwo();
		hello(0);
		for (const { message, bytes } of packParcel(STATES + 1, stateAt(7))) hub.take("m0", message, bytes);
		expect((await failureOf(hub)).message).toMatch(/^rank 0 sent what makes no sense: /);
	});

	it("survives any order of any messages, and always ends in an answer or an error that is told", () => {
		for (let seed = 0; seed < 300; seed += 1) {
			const random = new Random(seed);
			const { hub, clock } = hubOfTwo();
			const some: (() => void)[] = [
				() => hub.take(identity(), { kind: "hello", version, process: random.below(4), pid: 1 + random.below(9) }),
				() => hub.take(identity(), bound(random.below(3))),
				() => hub.take(identity(), { kind: "taken" }),
				() => hub.take(identity(), { kind: "ready", rank: random.below(3) }),
				() => hub.take(identity(), { kind: "unsaved", rank: random.below(3), iteration: 1, reason: "?" }),
				() => hub.take(identity(), { kind: "parcel", id: STATES + random.below(3), lengths: [random.below(9)] }),
				() => hub.take(identity(), { kind: "beat" }),
				() => hub.take(identity(), { kind: "failed", rank: random.below(2000) - 1, reason: "?" }),
				() =>
					hub.take(identity(), { kind: "parcel", id: random.below(3), lengths: [random.below(9), random.below(9)] }),
				() => hub.take(identity(), { kind: "piece", id: random.below(3) }, new Uint8Array(random.below(9))),
				() => hub.lost(random.below(4), "was lost"),
				() => hub.requestStop(1 + random.below(2)),
				() => {
					clock.now += random.below(2000);
					hub.beat();
				},
			];
			const identity = () => `m${random.below(3)}`;
			for (let step = 0; step < 60; step += 1) some[random.below(some.length)]!();
			const { failure } = hub;
			expect(failure === undefined || failure instanceof RankError, `seed ${seed}`).toBe(true);
		}
	});
});
