/** The hub against members that are late, wrong, foreign or faulty. */
import { Random, version } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { answer, bound, failureOf, hubOfTwo, taskOfNumbers } from "../../testing/hub-of-two.js";
import { isToMember, STATES } from "../protocol/messages.js";
import type { Task } from "./ranks.js";

describe("the hub", () => {
	it("starts each member's ranks, hands them their parts, tells all the addresses, and collects", async () => {
		const { hub, outcome, sent, hello, kinds } = hubOfTwo();
		hello(1);
		hello(0);
		const first = ["start", "large-message"];
		expect([kinds("m1"), kinds("m0")]).toEqual([first, first]);
		hub.take("m1", bound(1));
		expect(kinds("m1")).not.toContain("go");
		hub.take("m0", bound(0));
		const go = { kind: "go", endpoints: ["tcp://127.0.0.1:5000", "tcp://127.0.0.1:5001"] };
		expect(sent.filter(([, { kind }]) => kind === "go")).toEqual([
			["m0", go],
			["m1", go],
		]);
		answer(hub, 1);
		answer(hub, 0);
		expect(await outcome).toEqual([0, 1].map((rank) => ({ rank, numbers: Float64Array.of(rank, 2) })));
		hub.close();
		expect([hub.dropped, kinds("m0").at(-1), kinds("m1").at(-1)]).toEqual([0, "bye", "bye"]);
		// Later failures do not count.
		hub.lost(0, "was lost");
		expect(hub.failure).toBeUndefined();
	});

	it("makes the next member's parts when the one before has its own, where they are large", () => {
		const { hub, hello, kinds } = hubOfTwo(taskOfNumbers(undefined, 2 ** 20));
		hello(1);
		hello(0);
		expect([kinds("m1").includes("chunk"), kinds("m0")]).toEqual([true, ["start"]]);
		hub.take("m1", { kind: "received", task: 1 });
		expect(kinds("m0")).toContain("chunk");
		hub.take("m1", { kind: "received", task: 1 });
		expect(hub.dropped).toBe(1);
	});

	it("runs a task on one of its ranks alone", async () => {
		const { hub, outcome, hello, kinds } = hubOfTwo({ ...taskOfNumbers(), alone: 0 });
		hello(1);
		hello(0);
		expect([kinds("m0"), kinds("m1")]).toEqual([["start", "large-message"], ["start"]]);
		answer(hub, 0);
		expect(await outcome).toHaveLength(1);
		const next = hub.start(taskOfNumbers());
		answer(hub, 1);
		answer(hub, 0);
		expect(await next.outcome).toHaveLength(2);
	});

	it("runs tasks of single ranks side by side, a rank's in order, each with its own stop and progress", async () => {
		const progress: string[] = [];
		const own = (name: string, alone: number): Task<unknown> => {
			return { ...taskOfNumbers(), alone, onProgress: ([first]) => progress.push(`${name} ${first}`) };
		};
		const { hub, first, outcome, sent, hello } = hubOfTwo(own("a", 1));
		hello(0);
		hello(1);
		const second = hub.start(own("b", 1));
		const third = hub.start(own("c", 0));
		expect(() => hub.start(taskOfNumbers())).toThrow("one task at a time");
		hub.take("m1", { kind: "progress", rank: 1, numbers: [1] });
		hub.take("m0", { kind: "progress", rank: 0, numbers: [2] });
		hub.take("m0", { kind: "progress", rank: 1, numbers: [3] });
		hub.requestStop(second, 3);
		expect(sent.at(-1)).toEqual(["m1", { kind: "stop", task: second.number, code: 3 }]);
		answer(hub, 0);
		expect(await third.outcome).toHaveLength(1);
		answer(hub, 1);
		expect(await outcome).toEqual([{ rank: 1, numbers: Float64Array.of(1, 2) }]);
		hub.take("m1", { kind: "progress", rank: 1, numbers: [4] });
		answer(hub, 1);
		expect(await second.outcome).toHaveLength(1);
		expect(progress).toEqual(["a 1", "c 2", "b 4"]);
		// It has ended.
		hub.requestStop(first, 3);
		expect(sent.filter(([, { kind }]) => kind === "stop")).toHaveLength(1);
		const all = hub.start(taskOfNumbers());
		for (const rank of [0, 1]) answer(hub, rank);
		expect(await all.outcome).toHaveLength(2);
	});

	it("runs task after task, with requests for each, and is told of a loss between two by the next", async () => {
		const { hub, first, outcome, sent, hello, kinds } = hubOfTwo();
		for (const process of [0, 1]) {
			hello(process);
			hub.take(`m${process}`, bound(process));
		}
		hub.requestStop(first, 3);
		for (const rank of [0, 1]) answer(hub, rank);
		await outcome;
		// Stopping without a task has no effect.
		hub.requestStop(first, 3);
		const second = hub.start(taskOfNumbers());
		const largeMessages = (to: string) => kinds(to).filter((kind) => kind === "large-message").length;
		expect([largeMessages("m0"), largeMessages("m1")]).toEqual([2, 2]);
		expect(() => hub.start(taskOfNumbers())).toThrow("one task at a time");
		hub.requestStop(second, 2);
		const stops = sent.filter(([to, { kind }]) => to === "m0" && kind === "stop").map(([, message]) => message);
		expect(stops).toEqual([
			{ kind: "stop", task: 1, code: 3 },
			{ kind: "stop", task: 2, code: 2 },
		]);
		for (const rank of [1, 0]) answer(hub, rank);
		await second.outcome;
		hub.lost(1, "was lost (killed by SIGKILL)");
		expect((await failureOf(hub.start(taskOfNumbers()).outcome)).message).toBe("rank 1 was lost (killed by SIGKILL)");
	});

	it("tells a reason that is too long for a message as far as it fits", () => {
		const { hub, sent, hello } = hubOfTwo();
		hello(1);
		hub.lost(0, `was lost (missing: ${"node, ".repeat(2000)})`);
		const [, abort] = sent.at(-1)!;
		expect([abort.kind, isToMember(abort)]).toEqual(["abort", true]);
	});

	it.each<[string, (to: ReturnType<typeof hubOfTwo>) => void, RegExp]>([
		[
			"another version",
			({ hello }) => hello(1, "0.0.1"),
			/^rank 1 refuses its input: .*runs version 0.0.1 and the others \d/,
		],
		[
			"the wrong number of addresses",
			({ hub, hello }) => {
				hello(1);
				hub.take("m1", { kind: "bound", endpoints: [] });
			},
			/^rank 1 sent 0 addresses instead of 1$/,
		],
		[
			"an answer of another rank",
			({ hub, hello }) => {
				hello(1);
				answer(hub, 0, 1);
			},
			/^rank 1 sent an invalid message: an unexpected answer of rank 0$/,
		],
		[
			"a result that is none",
			({ hub, hello }) => {
				hello(0);
				answer(hub, 0, 0, 1);
			},
			/^rank 0 sent an invalid message: not a valid answer$/,
		],
		[
			"an answer without end",
			({ hub, hello }) => {
				hello(0);
				hub.take("m0", { kind: "large-message", id: 0, lengths: [2 ** 45] });
			},
			/^rank 0 sent an invalid message: large message 0 of \d+ bytes is above the limit/,
		],
		[
			"a silent start",
			({ hub, hello }) => {
				hello(0);
				hub.startTimeout(30);
			},
			/^rank 1 did not report within 30 s of its start$/,
		],
	])("refuses a member with %s, by name", async (_, go, message) => {
		const to = hubOfTwo();
		go(to);
		expect((await failureOf(to.outcome)).message).toMatch(message);
	});

	it("names the first failure and tells it to all, also to those that come later", async () => {
		const { hub, outcome, sent, hello } = hubOfTwo();
		hello(0);
		hub.take("m0", { kind: "failed", rank: 0, reason: "failed: no more paper" });
		hub.lost(0, "was lost (exit code 3)");
		hello(1);
		expect((await failureOf(outcome)).message).toBe("rank 0 failed: no more paper");
		const abort = { kind: "abort", rank: 0, reason: "failed: no more paper" };
		expect(sent.filter(([, { kind }]) => kind === "abort")).toEqual([
			["m0", abort],
			["m1", abort],
		]);
	});

	it("loses a member that is silent for 3 s and ends it, but not one that it did not listen to itself", async () => {
		const { hub, outcome, killed, clock, hello } = hubOfTwo();
		const steps = (until: number, speaking: readonly string[]) => {
			for (; clock.now < until; clock.now += 500) {
				for (const identity of speaking) hub.take(identity, { kind: "beat" });
				hub.beat();
			}
		};
		hello(0);
		hello(1);
		steps(1000, []);
		clock.now += 60_000;
		// Their last messages may still be on the way.
		steps(clock.now + 1500, []);
		expect(hub.failure).toBeUndefined();
		steps(clock.now + 4000, ["m0"]);
		expect((await failureOf(outcome)).message).toBe("rank 1 was lost (no heartbeat for 3 s)");
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

	it("survives any order of any messages, and always ends in an answer or an error that is told", () => {
		for (let seed = 0; seed < 300; seed += 1) {
			const random = new Random(seed);
			const { hub, first, clock } = hubOfTwo();
			const some: (() => void)[] = [
				() => hub.take(identity(), { kind: "hello", version, process: random.below(4), pid: 1 + random.below(9) }),
				() => hub.take(identity(), bound(random.below(3))),
				() => hub.take(identity(), { kind: "received", task: 1 }),
				() => hub.take(identity(), { kind: "ready", rank: random.below(3) }),
				() => hub.take(identity(), { kind: "unsaved", rank: random.below(3), iteration: 1, reason: "?" }),
				() => hub.take(identity(), { kind: "large-message", id: STATES + random.below(3), lengths: [random.below(9)] }),
				() => hub.take(identity(), { kind: "beat" }),
				() => hub.take(identity(), { kind: "failed", rank: random.below(2000) - 1, reason: "?" }),
				() =>
					hub.take(identity(), {
						kind: "large-message",
						id: random.below(3),
						lengths: [random.below(9), random.below(9)],
					}),
				() => hub.take(identity(), { kind: "chunk", id: random.below(3) }, new Uint8Array(random.below(9))),
				() => hub.lost(random.below(4), "was lost"),
				() => hub.requestStop(first, 1 + random.below(2)),
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
