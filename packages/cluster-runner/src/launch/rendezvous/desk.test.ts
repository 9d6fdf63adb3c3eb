/** The desk of node 0 against nodes that are late, wrong, come again or are mad. */
import { Random, version } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { REMOTE_SILENCE_MS } from "../../ranks/messages.js";
import { Desk } from "./desk.js";
import { type FromDesk, isFromDesk, isToDesk, type ToDesk } from "./talk.js";

function deskOf(nodes: number) {
	const sent: [string, FromDesk][] = [];
	const told: string[] = [];
	const refusals: string[] = [];
	const clock = { now: 0 };
	const desk = new Desk({
		nodes,
		line: "same",
		refused: () => refusals.push(told.at(-1) ?? ""),
		send: (identity) => (message) => sent.push([identity, message]),
		now: () => clock.now,
		told: (line) => told.push(line),
	});
	const join = (node: number, rest: Partial<Extract<ToDesk, { kind: "join" }>> = {}, identity = `n${node}`) =>
		desk.take(identity, {
			kind: "join",
			version,
			line: "same",
			node,
			nodes,
			host: `h${node}`,
			pid: 10 + node,
			running: "",
			...rest,
		});
	const gather = (id: string, identity = "hub") =>
		desk.take(identity, { kind: "gather", id, hub: "curve://h:1", secret: "s" });
	/** What somebody was sent since this was last asked, without beats. */
	const heard = (identity: string) => {
		const own = sent.filter(([to, { kind }]) => to === identity && kind !== "beat").map(([, message]) => message);
		for (let i = sent.length - 1; i >= 0; i -= 1) if (sent[i]![0] === identity) sent.splice(i, 1);
		return own;
	};
	return { desk, join, gather, heard, told, refusals, clock };
}

const start = (id: string): FromDesk => ({ kind: "start", id, hub: "curve://h:1", secret: "s" });

describe("the desk", () => {
	it("starts nodes that are there and those that come late, and says when all have ended", () => {
		const { desk, join, gather, heard } = deskOf(2);
		join(0);
		expect([heard("n0"), desk.missing]).toEqual([[{ kind: "welcome" }], [1]]);
		gather("a");
		expect(heard("n0")).toEqual([start("a")]);
		join(1);
		expect([heard("n1"), desk.missing]).toEqual([[{ kind: "welcome" }, start("a")], []]);
		desk.take("n0", { kind: "ended", id: "a", reason: "" });
		desk.take("hub", { kind: "disperse", id: "a", milliseconds: 500 });
		expect([heard("n0"), heard("n1"), heard("hub")]).toEqual([[], [{ kind: "end", id: "a", milliseconds: 500 }], []]);
		desk.take("n1", { kind: "ended", id: "a", reason: "" });
		expect(heard("hub")).toEqual([{ kind: "gone", id: "a" }]);
		gather("b", "next");
		expect([heard("n0"), heard("n1")]).toEqual([[start("b")], [start("b")]]);
		desk.over(0, false);
		expect([heard("n0"), heard("n1")].flat()).toEqual(new Array(2).fill({ kind: "over", code: 0, more: false }));
		join(1, { pid: 99 }, "late");
		expect(heard("late")).toContainEqual({ kind: "over", code: 0, more: false });
	});

	it("tells of a process that ended, of a node that came again, and of one that is silent", () => {
		const lost = (reason: string) => [{ kind: "lost", id: "a", node: 1, reason }];
		const begun = () => {
			const all = deskOf(2);
			for (const node of [0, 1]) all.join(node);
			all.gather("a");
			for (const who of ["n0", "n1", "hub"]) all.heard(who);
			return all;
		};
		const killed = begun();
		killed.desk.take("n1", { kind: "ended", id: "a", reason: "was lost (killed by SIGKILL)" });
		expect(killed.heard("hub")).toEqual(lost("was lost (killed by SIGKILL)"));

		const again = begun();
		again.join(1, { pid: 99 }, "new");
		expect(again.heard("hub")).toEqual(lost("was lost (it came again)"));
		// It waits for the next solve.
		expect(again.heard("new")).toEqual([{ kind: "welcome" }]);
		expect(again.heard("n1")).toEqual([{ kind: "refused", reason: "another process came as node 1 (h1)" }]);
		again.gather("b");
		expect(again.heard("new")).toEqual([start("b")]);

		const silent = begun();
		for (let now = 0; now <= REMOTE_SILENCE_MS + 1000; now += 500) {
			silent.clock.now = now;
			for (const who of ["n0", "hub"]) silent.desk.take(who, { kind: "beat" });
			silent.desk.beat();
		}
		expect(silent.heard("hub")).toEqual(lost(`was lost (no sign of life for ${REMOTE_SILENCE_MS / 1000} s)`));
		silent.desk.take("n1", { kind: "beat" });
		expect(silent.heard("n1")).toEqual([{ kind: "again" }]);

		const left = begun();
		left.desk.take("n1", { kind: "leave" });
		expect(left.heard("hub")).toEqual(lost("was lost (its node was ended)"));
	});

	it("lets a node whose connection broke go on with what it does", () => {
		const { desk, join, gather, heard } = deskOf(1);
		join(0);
		gather("a");
		join(0, { running: "a" }, "anew");
		expect([heard("anew"), heard("hub")]).toEqual([[{ kind: "welcome" }], []]);
		desk.take("anew", { kind: "ended", id: "a", reason: "was lost (exit code 3)" });
		expect(heard("hub")).toHaveLength(1);
	});

	it("turns away other versions, lines and counts, in one line, and a run that needs such a node with it", () => {
		const { join, heard, told, refusals } = deskOf(2);
		join(1, { version: "0.0.9" });
		join(1, { nodes: 3 });
		join(1, { line: "other" });
		join(2);
		const lines = [
			`node 1 (h1) runs version 0.0.9 and node 0 ${version}`,
			"node 1 (h1) counts 3 nodes and node 0 2",
			"node 1 (h1) has another line than node 0: all nodes need the same words behind the --",
			"there is no node 2 (h2) among 2 nodes",
		];
		expect([told, refusals]).toEqual([lines, lines.slice(0, 3)]);
		expect([...heard("n1"), ...heard("n2")]).toEqual(lines.map((reason) => ({ kind: "refused", reason })));
		join(1);
		join(1, { line: "other" }, "stranger");
		expect([refusals.length, heard("stranger")[0]?.kind]).toEqual([3, "refused"]);
	});

	it("survives any order of any messages, says only what is in the protocol, and starts nobody twice, in 500 seeded rounds", () => {
		for (let seed = 0; seed < 500; seed += 1) {
			const random = new Random(seed);
			const { desk, join, gather, heard, clock } = deskOf(3);
			const who = () => ["n0", "n1", "n2", "hub", "x"][random.below(5)]!;
			const id = () => ["a", "b", ""][random.below(3)]!;
			const some: (() => void)[] = [
				() => join(random.below(4), { pid: 1 + random.below(3), running: id() }, who()),
				() => gather(id() || "c", who()),
				() => desk.take(who(), { kind: "ended", id: id(), reason: ["", "was lost"][random.below(2)]! }),
				() => desk.take(who(), { kind: "disperse", id: id(), milliseconds: 0 }),
				() => desk.take(who(), { kind: "kill", id: id(), node: random.below(3) }),
				() => desk.take(who(), { kind: "leave" }),
				() => desk.take(who(), { kind: "beat" }),
				() => {
					clock.now += random.below(3000);
					desk.beat();
				},
			];
			for (let step = 0; step < 60; step += 1) {
				some[random.below(some.length)]!();
				for (const name of ["n0", "n1", "n2", "hub", "x"]) {
					const all = heard(name);
					expect(all.every(isFromDesk), `seed ${seed}`).toBe(true);
					expect(all.filter(({ kind }) => kind === "start").length, `seed ${seed}`).toBeLessThanOrEqual(3);
				}
			}
		}
	});

	it("hears nothing but its protocol", () => {
		const strangers: unknown[] = [
			{},
			{ kind: "join" },
			{ kind: "join", version, line: "same", node: -1, nodes: 2, host: "h", pid: 1, running: "" },
			{ kind: "gather", id: "a", hub: "x".repeat(301), secret: "" },
			{ kind: "beat", more: 1 },
			{ kind: "ended", id: "a", reason: "x".repeat(4001) },
		];
		expect(strangers.filter((each) => isToDesk(each))).toEqual([]);
	});
});
