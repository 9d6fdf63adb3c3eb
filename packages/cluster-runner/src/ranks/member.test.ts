/** A process of a run against a hub that is mad, silent or gone. Its ranks are played here. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Control } from "@stickslip/comm";
import { generate, Random, version } from "@stickslip/core";
import { type Outcome, prepare, RankError } from "@stickslip/core/parallel";
import { cutShares } from "@stickslip/partition";
import { describe, expect, it } from "vitest";
import { runDigest } from "../base/digest.js";
import { openCheckpointDirectory } from "../checkpoints/folder.js";
import { packLargeMessage } from "../protocol/large-message.js";
import { STATES, type ToHub } from "../protocol/messages.js";
import { isMemberTask, type MemberTask } from "../protocol/plain.js";
import { checkpointsIn, stateAt } from "../testing/checkpoints.js";
import type { LocalRanks, LocalRanksWatch } from "./local-ranks.js";
import { Member } from "./member.js";

const prepared = prepare(generate("spheres", { contacts: 20 }), { tolerance: 1e-7, set: { seed: 3 } });
const shares = cutShares(prepared, 2);
const digest = runDigest(shares.share(0), prepared.options, "zeromq");

function taskOf(rest: Partial<MemberTask> = {}): MemberTask {
	const own = { shares: [shares.share(1)] as never, options: prepared.options };
	const none = { library: undefined, from: undefined, site: undefined };
	return {
		digest,
		transport: "zeromq",
		ranks: 2,
		firstRank: 1,
		ranksHere: 2,
		cores: [],
		patience: 10,
		...own,
		...none,
		...rest,
	};
}

/** A member, what it has said, how it ended, and its ranks as promises. */
function member() {
	const said: ToHub[] = [];
	const ends: number[] = [];
	const clock = { now: 0 };
	const connected: (readonly string[])[] = [];
	const watch: LocalRanksWatch | undefined = undefined;
	const localRanks = {
		resolve: (_: Outcome[]) => {},
		reject: (_: Error) => {},
		started: 0,
		watch: watch as LocalRanksWatch | undefined,
	};
	const start = (_task: MemberTask, _control: Control, watch: LocalRanksWatch): LocalRanks => {
		localRanks.started += 1;
		localRanks.watch = watch;
		const outcomes = new Promise<Outcome[]>((resolve, reject) => {
			localRanks.resolve = resolve;
			localRanks.reject = reject;
		});
		return { endpoints: Promise.resolve(["tcp://127.0.0.1:7"]), connect: (all) => connected.push(all), outcomes };
	};
	const one = new Member({
		process: 1,
		pid: 77,
		send: (message) => said.push(message),
		start,
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
	it("says hello, takes its task, tells where its ranks are, connects them and ends when all have come", async () => {
		const { one, said, ends, connected, give, kinds } = member();
		expect(said).toEqual([{ kind: "hello", version, process: 1, pid: 77 }]);
		give(taskOf());
		await settled();
		expect(said.slice(1)).toMatchObject([
			{ kind: "taken" },
			{ kind: "log", rank: 1, event: "started", facts: { pid: 77 } },
			{ kind: "bound", digest, endpoints: ["tcp://127.0.0.1:7"] },
		]);
		one.take({ kind: "go", endpoints: ["a", "b"] });
		expect(connected).toEqual([["a", "b"]]);
		one.take({ kind: "stop", code: 2 });
		expect(one.control.stop).toBe(2);
		one.take({ kind: "bye" });
		expect([ends, kinds().at(-1)]).toEqual([[0], "bound"]);
	});

	it("writes a rank's state where it sees the folder, and sends it where it does not", async () => {
		const folder = mkdtempSync(join(tmpdir(), "stickslip-member-"));
		try {
			const site = await openCheckpointDirectory(folder);
			const near = member();
			near.give(taskOf({ site }));
			near.one.take({ kind: "save" });
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
			far.give(taskOf({ site: { ...site, token: "another" } }));
			await far.localRanks.watch?.save(1, stateAt(7));
			expect(far.said.slice(-2)).toMatchObject([{ kind: "piece" }, { kind: "piece", id: STATES + 1 }]);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it("does not begin with another problem than the others', and says which it has", () => {
		const { said, localRanks, give } = member();
		give(taskOf({ options: { ...prepared.options, tolerance: 1e-5 } }));
		expect(localRanks.started).toBe(0);
		expect(said.at(-1)).toMatchObject({ kind: "bound" });
		expect(said.at(-1)).not.toMatchObject({ digest });
	});

	it("passes on which of its ranks failed, and ends with code 3", async () => {
		const { one, said, ends, localRanks, give } = member();
		give(taskOf());
		one.control.abort(1, "failed: no more ink");
		localRanks.reject(new RankError(1, "failed: no more ink"));
		await settled();
		expect([said.at(-1), ends]).toEqual([{ kind: "failed", rank: 1, reason: "failed: no more ink" }, [3]]);
	});

	it("ends its ranks when another failed, and at once where it has none yet", () => {
		const begun = member();
		begun.give(taskOf());
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
		["a transport that is none", { ...taskOf(), transport: "tea" }],
		["a rank too many", { ...taskOf(), ranks: 1025 }],
		["something more", { ...taskOf(), gift: 1 }],
		[
			"a share with an array of another kind",
			{ ...taskOf(), shares: [{ ...shares.share(1), ids: new Float64Array(3) }] },
		],
		["a share whose lengths do not fit", { ...taskOf(), shares: [{ ...shares.share(1), q: new Float64Array(2) }] }],
	])("refuses a task with %s", (_, task) => {
		expect(isMemberTask(task)).toBe(false);
		const { said, ends, localRanks, give } = member();
		give(task);
		const [failed] = said.slice(1);
		expect(failed).toMatchObject({
			kind: "failed",
			rank: -1,
			reason: "the hub sent an invalid message: not a valid task",
		});
		expect([ends, localRanks.started]).toEqual([[3], 0]);
	});

	it("survives any order of any messages", () => {
		for (let seed = 0; seed < 300; seed += 1) {
			const random = new Random(seed);
			const { one, ends, clock, give } = member();
			const some: (() => void)[] = [
				() => give(taskOf()),
				() => one.take({ kind: "go", endpoints: [] }),
				() => one.take({ kind: "stop", code: 1 + random.below(2) }),
				() => one.take({ kind: "parcel", id: random.below(2), lengths: [random.below(9)] }),
				() => one.take({ kind: "piece", id: random.below(2) }, new Uint8Array(random.below(9))),
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
