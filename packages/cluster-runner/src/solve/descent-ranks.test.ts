/** Gauss-Newton between the anchors of sweeps, on ranks: the same bits and counts. */
import { generate } from "@stickslip/core";
import { expect, it } from "vitest";
import { solveRanks } from "./solve-ranks.js";

it.each(["assembled", "matrix-free"])("%s: the same R on 1, 2 and 3 ranks, and the same counts", async (operator) => {
	const heap = generate("spheres", { contacts: 4100, seed: 6 });
	const found = [];
	for (const ranks of [1, 2, 3]) {
		// Two tries fail before one reaches the tolerance.
		const options = { tolerance: 1.5e-3, maxIterations: 500, set: { operator, descent: 3 } } as const;
		const { report } = await solveRanks(heap, { ...options, ranks, transport: "threads" });
		const { status, hash, iterations, products, exchanges, reductions, energy } = report;
		expect(status).toBe("solved");
		expect(products).toBeGreaterThan(iterations);
		found.push({ hash, iterations, products, exchanges, reductions, energy });
	}
	for (const other of found.slice(1)) expect(other).toEqual(found[0]);
});
