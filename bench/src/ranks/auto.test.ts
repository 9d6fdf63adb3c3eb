/** Warm ranks solve one problem after another, with the bits of one rank; and what is made of their times. */
import { generate } from "@stickslip/core";
import { expect, it } from "vitest";
import { autoGoals, measureAuto, rowOf } from "./auto.js";
import { WarmRanks } from "./warm-ranks.js";

it.each(["threads", "zeromq"] as const)("two warm ranks against one, over %s", { timeout: 60_000 }, async (way) => {
	const ranks = new WarmRanks(2, way);
	try {
		const problems = (["planks", "spheres"] as const).map((kind) => generate(kind, { contacts: 300, seed: 3 }));
		for (const problem of problems) {
			const measured = await measureAuto(problem, 1e-2, 2, ranks);
			expect(measured.isSame).toBe(true);
			expect(measured.ratios).toHaveLength(2);
			const { all, ...parts } = measured.two;
			expect(Object.values(parts).every((milliseconds) => milliseconds <= all)).toBe(true);
		}
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
	const goal = { kind: "planks", contacts: 300, tolerance: 1e-2, seeds: [3, 4], target: 1.4 } as const;
	const row = rowOf(goal, "threads", [measured(10), measured(22.5)]);
	expect(row).toMatchObject({ speedup: 1.5, speedupLow: 0.5, speedupHigh: 2.25, held: "yes", speedupOfIterations: 2 });
	expect(rowOf(goal, "threads", [measured(10), measured(10)])).toMatchObject({ held: "no" });
	expect(rowOf(goal, "zeromq", [measured(10), measured(10)])).toMatchObject({ held: "", target: "" });
	expect(rowOf(goal, "zeromq", [measured(10), measured(10, false)])).toMatchObject({ held: "OTHER BITS" });
	expect(autoGoals(["planks-3000"])).toHaveLength(1);
	expect(autoGoals(["planks-1"])).toHaveLength(0);
});
