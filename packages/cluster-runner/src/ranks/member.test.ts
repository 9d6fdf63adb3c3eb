/** A process of a run against a hub that is faulty, silent or gone. Its ranks are fake. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random, version } from "@stickslip/core";
import { RankError } from "@stickslip/core/parallel";
import { describe, expect, it } from "vitest";
import { openCheckpointDirectory } from "../checkpoints/folder.js";
import { packLargeMessage } from "../protocol/large-message.js";
import { STATES, type StartMessage, type ToHub } from "../protocol/messages.js";
import { checkpointsIn, stateAt } from "../testing/checkpoints.js";
import type { LocalRanks, LocalRanksWatch, LocalRun, LocalTask } from "./local-ranks.js";
import { Member } from "./member.js";

const start: StartMessage = {
	kind: "start",
	program: "numbers",
	transport: "zeromq",
	ranks: 2,
	firstRank: 1,
	perProcess: 1,
	ranksHere: 2,
	cores: [],
	patience: 10,
};
const parts = { task: 1, isAlone: false, parts: [{ numbers: Float64Array.of(1, 2) }], from: [], directory: undefined };

/** A member, its messages, how it ended, and its ranks as promises. */
function member() {
	const said: ToHub[] = [];
	const ends: number[] = [];
	const clock = { now: 0 };
	const connected: (readonly string[])[] = [];
	const localRanks = {
		resolve: (_: unknown[]) => {},
		/** All of them end. */
		reject: (_: Error) => {},
		started: 0,
		closed: 0,
		parts: [] as unknown[],
		stops: [] as number[],
		watch: undefined as LocalRanksWatch | undefined,
	};
	const begin = (): LocalRanks => {
		localRanks.started += 1;
		let failure: RankError | undefined;
		let fail: (error: Error) => void = () => {};
		const ended = new Promise<void>((_, reject) => {
			localRanks.reject = (error) => {
				failure = error as RankError;
				reject(error);
				fail(error);
			};
		});
		const start = ({ part, watch }: LocalTask): LocalRun => {
			localRanks.parts.push(part(1).part);
			localRanks.watch = watch;
			const results = new Promise<unknown[]>((resolve, reject) => {
				localRanks.resolve = resolve;
				fail = reject;
			});
			return { results, stop: (code) => localRanks.stops.push(code) };
		};
		const close = async () => {
			localRanks.closed += 1;
		};
		const endpoints = Promise.resolve(["tcp://127.0.0.1:7"]);
		return {
			endpoints,
			ended,
			start,
			close,
			connect: (all) => connected.push(all),
			get failure() {
				return failure;
			},
		};
	};
	const one = new Member({
		process: 1,
		pid: 77,
		send: (message) => said.push(message),
		start: begin,
		end: (code) => ends.push(code),
		now: () => clock.now,
	});
	const give = (value: unknown) => {
		for (const { message, bytes } of packLargeMessage(0, value)) one.take(message, bytes);
	};
	return { one, said, ends, clock, connected, localRanks, give, kinds: () => said.map(({ kind }) => kind) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a member", () => {
	it("says hello, starts its ranks, tells where they are, connects them, and runs tasks until there are no more", async () => {
		const { one, said, ends, connected, localRanks, give, kinds } = member();
		expect(said).toEqual([{ kind: "hello", version, process: 1, pid: 77 }]);
		one.take(start);
		give(parts);
		await settled();
		expect(said.slice(1)).toMatchObject([
			{ kind: "log", rank: 1, event: "started", facts: { pid: 77 } },
			{ kind: "bound", endpoints: ["tcp://127.0.0.1:7"] },
		]);
		expect(localRanks.parts).toEqual(parts.parts);
		one.take({ kind: "go", endpoints: ["a", "b"] });
		expect(connected).toEqual([["a", "b"]]);
		one.take({ kind: "stop", task: 1, code: 2 });
		expect(localRanks.stops).toEqual([2]);
		localRanks.resolve([{ sum: 3 }]);
		await settled();
		expect(kinds().at(-1)).toBe("large-message");
		// It arrived too late, or belongs to the next task.
		one.take({ kind: "stop", task: 1, code: 2 });
		one.take({ kind: "stop", task: 2, code: 4 });
		expect(localRanks.stops).toEqual([2]);
		give({ ...parts, task: 2 });
		await settled();
		expect([localRanks.parts.length, localRanks.stops]).toEqual([2, [2, 4]]);
		localRanks.resolve([{ sum: 4 }]);
		await settled();
		one.take({ kind: "bye" });
		await settled();
		expect([ends, localRanks.started, localRanks.closed]).toEqual([[0], 1, 1]);
	});

	it("writes a rank's state where it sees the folder, and sends it where it does not", async () => {
		const folder = mkdtempSync(join(tmpdir(), "stickslip-member-"));
		try {
			const site = await openCheckpointDirectory(folder);
			const near = member();
			near.one.take(start);
			near.give({ ...parts, directory: site });
			near.one.take({ kind: "save", task: 1 });
			expect(near.one.control.saves).toBe(1);
			await settled();
			near.localRanks.watch?.ready(1);
			await near.localRanks.watch?.save(1, stateAt(7));
			expect(near.said.slice(-2)).toMatchObject([
				{ kind: "ready", rank: 1 },
				{ kind: "saved", rank: 1, iteration: 7, counts: { blocks: 12, bodies: 5, events: 1 } },
			]);
			expect(checkpointsIn(join(site.folder, "000000000007"))).toEqual(["part-0001"]);
			await near.localRanks.watch?.save(1, stateAt(7));
			expect(near.said.at(-1)).toMatchObject({
				kind: "unsaved",
				rank: 1,
				iteration: 7,
				reason: expect.stringMatching("EEXIST"),
			});
			const far = member();
			far.one.take(start);
			far.give({ ...parts, directory: { ...site, token: "another" } });
			await far.localRanks.watch?.save(1, stateAt(7));
			expect(far.said.slice(-1)).toMatchObject([{ kind: "large-message", id: STATES + 1 }]);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it("passes on which of its ranks failed, and ends with code 3", async () => {
		const { one, said, ends, localRanks, give } = member();
		one.take(start);
		give(parts);
		one.control.abort(1, "failed: no more ink");
		localRanks.reject(new RankError(1, "failed: no more ink"));
		await settled();
		expect([said.at(-1), ends]).toEqual([{ kind: "failed", rank: 1, reason: "failed: no more ink" }, [3]]);
	});

	it("ends its ranks when another failed, and at once where it has none yet", () => {
		const begun = member();
		begun.one.take(start);
		begun.give(parts);
		begun.one.take({ kind: "abort", rank: 0, reason: "was lost" });
		expect(begun.one.control.failure()).toEqual({ rank: 0, reason: "was lost" });
		expect(begun.ends).toEqual([]);
		const fresh = member();
		fresh.one.take({ kind: "abort", rank: 0, reason: "was lost" });
		expect(fresh.ends).toEqual([3]);
	});

	it("ends when the hub, once heard, is silent for 15 s, in which this process itself ran", () => {
		const { one, ends, clock } = member();
		const wait = (until: number) => {
			for (; clock.now < until; clock.now += 500) one.beat();
		};
		wait(20_000);
		expect(ends).toEqual([]);
		one.take({ kind: "beat" });
		wait(clock.now + 8000);
		clock.now += 60_000;
		wait(clock.now + 6000);
		expect(ends).toEqual([]);
		wait(clock.now + 2000);
		expect(ends).toEqual([3]);
	});

	it.each<[string, unknown]>([
		["nothing", {}],
		["something more", { ...parts, gift: 1 }],
		["a state that is none", { ...parts, from: [{ iteration: 1 }] }],
		["a folder without a token", { ...parts, directory: { folder: "/tmp" } }],
	])("refuses a task with %s", (_, task) => {
		const { one, said, ends, localRanks, give } = member();
		one.take(start);
		give(task);
		expect(said.at(-1)).toMatchObject({
			kind: "failed",
			rank: -1,
			reason: "the hub sent an invalid message: not a valid task",
		});
		expect([ends, localRanks.parts]).toEqual([[], []]);
		expect(one.control.failure()).toEqual({ rank: -1, reason: "not a valid task" });
	});

	it("refuses a task before it has ranks, and ranks twice", () => {
		const early = member();
		early.give(parts);
		expect(early.ends).toEqual([3]);
		const twice = member();
		twice.one.take(start);
		twice.one.take(start);
		expect(twice.said.at(-1)).toMatchObject({ kind: "failed", reason: expect.stringMatching("started twice") });
	});

	it("survives any order of any messages", () => {
		for (let seed = 0; seed < 300; seed += 1) {
			const random = new Random(seed);
			const { one, ends, clock, localRanks, give } = member();
			const some: (() => void)[] = [
				() => give({ ...parts, task: 1 + random.below(3), isAlone: random.below(2) === 1 }),
				() => one.take(start),
				() => localRanks.resolve([{}]),
				() => one.take({ kind: "go", endpoints: [] }),
				() => one.take({ kind: "stop", task: 1 + random.below(2), code: 1 + random.below(2) }),
				() => one.take({ kind: "large-message", id: random.below(2), lengths: [random.below(9)] }),
				() => one.take({ kind: "chunk", id: random.below(2) }, new Uint8Array(random.below(9))),
				() => one.take({ kind: "beat" }),
				() => one.take({ kind: "bye" }),
				() => one.report(),
				() => {
					clock.now += random.below(2000);
					one.beat();
				},
			];
			for (let step = 0; step < 40; step += 1) some[random.below(some.length)]!();
			expect(ends.length, `seed ${seed}`).toBeLessThanOrEqual(1);
		}
	});
});
