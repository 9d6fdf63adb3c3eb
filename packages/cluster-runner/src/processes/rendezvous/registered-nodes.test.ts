/** The registry of node 0 against nodes that are late, wrong, restarted or send anything. */
import { Random, version } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { REMOTE_SILENCE_MS } from "../../protocol/messages.js";
import { NodeRegistry } from "./registered-nodes.js";
import { isFromRegistry, isToRegistry, type MessageFromRegistry, type MessageToRegistry } from "./registry-messages.js";

function registryOf(nodes: number) {
	const sent: [string, MessageFromRegistry][] = [];
	const printed: string[] = [];
	const refusals: string[] = [];
	const clock = { now: 0 };
	const nodeRegistry = new NodeRegistry({
		nodes,
		line: "same",
		onRefused: () => refusals.push(printed.at(-1) ?? ""),
		send: (identity) => (message) => sent.push([identity, message]),
		now: () => clock.now,
		print: (line) => printed.push(line),
	});
	const join = (
		node: number,
		rest: Partial<Extract<MessageToRegistry, { kind: "join" }>> = {},
		identity = `n${node}`,
	) =>
		nodeRegistry.take(identity, {
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
		nodeRegistry.take(identity, { kind: "gather", id, hub: "curve://h:1", secret: "s" });
	/** What a node was sent since the last call, without heartbeats. */
	const sentTo = (identity: string) => {
		const own = sent.filter(([to, { kind }]) => to === identity && kind !== "beat").map(([, message]) => message);
		for (let i = sent.length - 1; i >= 0; i -= 1) if (sent[i]![0] === identity) sent.splice(i, 1);
		return own;
	};
	return { nodeRegistry, join, gather, sentTo, printed, refusals, clock };
}

const start = (id: string): MessageFromRegistry => ({ kind: "start", id, hub: "curve://h:1", secret: "s" });

describe("the registry", () => {
	it("starts nodes that are there and those that come late, and says when all have ended", () => {
		const { nodeRegistry, join, gather, sentTo } = registryOf(2);
		join(0);
		expect([sentTo("n0"), nodeRegistry.missing]).toEqual([[{ kind: "welcome" }], [1]]);
		gather("a");
		expect(sentTo("n0")).toEqual([start("a")]);
		join(1);
		expect([sentTo("n1"), nodeRegistry.missing]).toEqual([[{ kind: "welcome" }, start("a")], []]);
		nodeRegistry.take("n0", { kind: "ended", id: "a", reason: "" });
		nodeRegistry.take("hub", { kind: "disperse", id: "a", milliseconds: 500 });
		expect([sentTo("n0"), sentTo("n1"), sentTo("hub")]).toEqual([
			[],
			[{ kind: "end", id: "a", milliseconds: 500 }],
			[],
		]);
		nodeRegistry.take("n1", { kind: "ended", id: "a", reason: "" });
		expect(sentTo("hub")).toEqual([{ kind: "gone", id: "a" }]);
		gather("b", "next");
		expect([sentTo("n0"), sentTo("n1")]).toEqual([[start("b")], [start("b")]]);
		nodeRegistry.over(0, false);
		expect([sentTo("n0"), sentTo("n1")].flat()).toEqual(new Array(2).fill({ kind: "over", code: 0, more: false }));
		join(1, { pid: 99 }, "late");
		expect(sentTo("late")).toContainEqual({ kind: "over", code: 0, more: false });
	});

	it("tells of a process that ended, of a node that came again, and of one that is silent", () => {
		const lost = (reason: string) => [{ kind: "lost", id: "a", node: 1, reason }];
		const begun = () => {
			const all = registryOf(2);
			for (const node of [0, 1]) all.join(node);
			all.gather("a");
			for (const who of ["n0", "n1", "hub"]) all.sentTo(who);
			return all;
		};
		const killed = begun();
		killed.nodeRegistry.take("n1", { kind: "ended", id: "a", reason: "was lost (killed by SIGKILL)" });
		expect(killed.sentTo("hub")).toEqual(lost("was lost (killed by SIGKILL)"));

		const again = begun();
		again.join(1, { pid: 99 }, "new");
		expect(again.sentTo("hub")).toEqual(lost("was lost (it was started again)"));
		// It waits for the next solve.
		expect(again.sentTo("new")).toEqual([{ kind: "welcome" }]);
		expect(again.sentTo("n1")).toEqual([{ kind: "refused", reason: "another process joined as node 1 (h1)" }]);
		again.gather("b");
		expect(again.sentTo("new")).toEqual([start("b")]);

		const silent = begun();
		for (let now = 0; now <= REMOTE_SILENCE_MS + 1000; now += 500) {
			silent.clock.now = now;
			for (const who of ["n0", "hub"]) silent.nodeRegistry.take(who, { kind: "beat" });
			silent.nodeRegistry.beat();
		}
		expect(silent.sentTo("hub")).toEqual(lost(`was lost (no heartbeat for ${REMOTE_SILENCE_MS / 1000} s)`));
		silent.nodeRegistry.take("n1", { kind: "beat" });
		expect(silent.sentTo("n1")).toEqual([{ kind: "again" }]);

		const left = begun();
		left.nodeRegistry.take("n1", { kind: "leave" });
		expect(left.sentTo("hub")).toEqual(lost("was lost (its node was ended)"));
	});

	it("lets a node whose connection broke go on with what it does", () => {
		const { nodeRegistry, join, gather, sentTo } = registryOf(1);
		join(0);
		gather("a");
		join(0, { running: "a" }, "anew");
		expect([sentTo("anew"), sentTo("hub")]).toEqual([[{ kind: "welcome" }], []]);
		nodeRegistry.take("anew", { kind: "ended", id: "a", reason: "was lost (exit code 3)" });
		expect(sentTo("hub")).toHaveLength(1);
	});

	it("turns away other versions, lines and counts, in one line, and a run that needs such a node with it", () => {
		const { join, sentTo, printed, refusals } = registryOf(2);
		join(1, { version: "0.0.9" });
		join(1, { nodes: 3 });
		join(1, { line: "other" });
		join(2);
		const lines = [
			`node 1 (h1) runs version 0.0.9 and node 0 ${version}`,
			"node 1 (h1) counts 3 nodes and node 0 2",
			"node 1 (h1) has another command than node 0: all nodes need the same one after --",
			"there is no node 2 (h2) among 2 nodes",
		];
		expect([printed, refusals]).toEqual([lines, lines.slice(0, 3)]);
		expect([...sentTo("n1"), ...sentTo("n2")]).toEqual(lines.map((reason) => ({ kind: "refused", reason })));
		join(1);
		join(1, { line: "other" }, "stranger");
		expect([refusals.length, sentTo("stranger")[0]?.kind]).toEqual([3, "refused"]);
		// Printed once: a node asks until it has an answer, and may have asked twice by then.
		expect(printed).toEqual(lines);
	});

	it("survives any order of any messages, says only what is in the protocol, and starts nobody twice, in 500 seeded rounds", () => {
		for (let seed = 0; seed < 500; seed += 1) {
			const random = new Random(seed);
			const { nodeRegistry, join, gather, sentTo, clock } = registryOf(3);
			const who = () => ["n0", "n1", "n2", "hub", "x"][random.below(5)]!;
			const id = () => ["a", "b", ""][random.below(3)]!;
			const some: (() => void)[] = [
				() => join(random.below(4), { pid: 1 + random.below(3), running: id() }, who()),
				() => gather(id() || "c", who()),
				() => nodeRegistry.take(who(), { kind: "ended", id: id(), reason: ["", "was lost"][random.below(2)]! }),
				() => nodeRegistry.take(who(), { kind: "disperse", id: id(), milliseconds: 0 }),
				() => nodeRegistry.take(who(), { kind: "kill", id: id(), node: random.below(3) }),
				() => nodeRegistry.take(who(), { kind: "leave" }),
				() => nodeRegistry.take(who(), { kind: "beat" }),
				() => {
					clock.now += random.below(3000);
					nodeRegistry.beat();
				},
			];
			for (let step = 0; step < 60; step += 1) {
				some[random.below(some.length)]!();
				for (const name of ["n0", "n1", "n2", "hub", "x"]) {
					const all = sentTo(name);
					expect(all.every(isFromRegistry), `seed ${seed}`).toBe(true);
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
		expect(strangers.filter((each) => isToRegistry(each))).toEqual([]);
	});
});
