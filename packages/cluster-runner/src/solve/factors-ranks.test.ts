/** Linear systems on ranks: subdomains cross the ranks' borders, and no bit knows. */
import { generate } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { solveRanks } from "./solve-ranks.js";

const problem = generate("planks", { contacts: 70, seed: 2 });

describe.each([
	["newton", { linear: "lu" }],
	["newton", { linear: "krylov", subdomain: 16, overlap: 2, patience: 2 }],
	["newton", { linear: "krylov", subdomain: 25, overlap: 0, linearisation: "newt" }],
	["admm", { solve: "schwarz" }],
])("%s, %o", (method, settings) => {
	it("the same R on 1, 2 and 5 ranks, and the same counts", { timeout: 60_000 }, async () => {
		const found = [];
		for (const ranks of [1, 2, 5]) {
			const set = { operator: "assembled", ...settings };
			const options = { method, tolerance: 0, maxIterations: 6, set } as const;
			const { report } = await solveRanks(problem, { ...options, ranks, transport: "threads" });
			expect(report.ranks).toBe(ranks);
			const { hash, products, exchanges, reductions, energy } = report;
			found.push({ hash, products, exchanges, reductions, energy });
		}
		for (const other of found.slice(1)) expect(other).toEqual(found[0]);
	});
});
