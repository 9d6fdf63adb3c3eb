/** A start that is worse than zero is dropped by all ranks or by none: the bits and counts of one rank. */
import { generate, type SolveOptions, solve } from "@stickslip/core";
import { expect, test } from "vitest";
import { solveRanks } from "./solve-ranks.js";

const problem = generate("spheres", { contacts: 120, seed: 4 });
const found = solve(problem, { tolerance: 1e-4 }).reaction;

test.each(["energy", "natural", "merit"] as const)("%s", async (measure) => {
	const options: SolveOptions = { measure, tolerance: 1e-4, worseStart: "drop" };
	const cold = solve(problem, { ...options, worseStart: "use" }).report;
	for (const factor of [50, 0.9]) {
		const start = found.map((value) => factor * value);
		const one = solve(problem, { ...options, start }).report;
		expect(one.hash === cold.hash).toBe(factor === 50);
		for (const ranks of [2, 3]) {
			const { report } = await solveRanks(problem, { ...options, start, ranks, transport: "threads" });
			expect(report.hash).toBe(one.hash);
			expect([report.iterations, report.exchanges, report.reductions]).toEqual([
				one.iterations,
				one.exchanges,
				one.reductions,
			]);
		}
	}
});
