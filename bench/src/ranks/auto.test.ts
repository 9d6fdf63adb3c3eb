/** Warm ranks solve one problem after another, with the bits of one rank; and what is made of their times. */
import { generate, solve } from "@stickslip/core";
import { expect, it } from "vitest";
import { autoGoals, measureAuto, rowOf } from "./auto.js";
import { autoProblem } from "./auto-problems.js";
import { WarmRanks } from "./warm-ranks.js";

it("two warm ranks against one, over threads and zeromq", async () => {
	const ranks = new Map((["threads", "zeromq"] as const).map((way) => [way, new WarmRanks(2, way)]));
	try {
		const problems = (["planks", "spheres", "drum"] as const).map((kind) => autoProblem(kind, 300, 3));
		for (const problem of problems) {
			const measured = await measureAuto(problem, 1e-2, 2, ranks);
			expect([...measured.keys()]).toEqual(["threads", "zeromq"]);
			for (const { isSame, ratios, two } of measured.values()) {
				expect(isSame).toBe(true);
				expect(ratios).toHaveLength(2);
				const { all, ...parts } = two;
				expect(Object.values(parts).every((milliseconds) => milliseconds <= all)).toBe(true);
			}
		}
	} finally {
		for (const warm of ranks.values()) await warm.end();
	}
});

it.each(["threads", "zeromq"] as const)("many solves on two warm ranks, over %s", async (way) => {
	const ranks = new WarmRanks(2, way);
	try {
		const problem = generate("planks", { contacts: 900, seed: 3 });
		const options = { maxIterations: 3 };
		const seen = new Set<string>();
		const afterSolves = async (count: number) => {
			for (let i = 1; i <= count; i += 1) {
				const { solution, held } = await ranks.solve(problem, options, i === count);
				const { hash, exchanges, reductions, perRank } = solution.report;
				const counts = perRank.map((rank) => [rank.exchanges, rank.reductions, rank.messages, rank.bytes]);
				seen.add(JSON.stringify({ hash, exchanges, reductions, counts }));
				if (i === count) return held;
			}
			return [];
		};
		const few = 40;
		const before = await afterSolves(few);
		const after = await afterSolves(3 * few);
		// Each solve's counters are its own, not the communicator's since it was made.
		expect([...seen]).toHaveLength(1);
		expect(JSON.parse([...seen][0]!)).toMatchObject({ hash: solve(problem, options).report.hash });
		// Three numbers per contact of a rank and solve would be 1.3 megabytes and more; code that is compiled meanwhile is half of one.
		for (const [rank, bytes] of after.entries()) expect(bytes! - before[rank]!).toBeLessThan(2 ** 20);
	} finally {
		await ranks.end();
	}
});

it("says what is held, and that other bits are not", () => {
	const phases = { plan: 1, partition: 1, cut: 1, build: 1, iterations: 4, assemble: 1, all: 10 };
	const measured = (all: number, isSame = true) => ({
		one: { all, iterations: 8 },
		two: phases,
		ratios: [all / 20, all / 10],
		iterations: 7,
		isSame,
	});
	const targets = { threads: 1.4, zeromq: 1.6 };
	const goal = { kind: "planks", contacts: 300, tolerance: 1e-2, seeds: [3, 4], targets } as const;
	const row = rowOf(goal, "threads", [measured(10), measured(22.5)]);
	expect(row).toMatchObject({ speedup: 1.5, speedupLow: 0.5, speedupHigh: 2.25, held: "yes", speedupOfIterations: 2 });
	expect(rowOf(goal, "threads", [measured(10), measured(10)])).toMatchObject({ held: "no" });
	expect(rowOf(goal, "zeromq", [measured(10), measured(22.5)])).toMatchObject({ held: "no", target: 1.6 });
	expect(rowOf(goal, "zeromq", [measured(10), measured(10, false)])).toMatchObject({ held: "OTHER BITS" });
	expect(autoGoals(["planks-3000"])).toHaveLength(1);
	expect(autoGoals(["planks-1"])).toHaveLength(0);
});
