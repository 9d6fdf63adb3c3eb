/** The two benches of first-order methods at a tiny size. */
import { describe, expect, test } from "vitest";
import { cellOf, generated, RULES } from "./rho-rules.js";
import { compared, isInOrder, settled } from "./settled-spheres.js";

describe("rho-rules", () => {
	test("all rules take all problems, and say what they took", () => {
		for (const problem of generated(1)) {
			for (const rule of RULES) {
				const { status, products, error } = cellOf(problem, rule, "1");
				expect(["solved", "iteration-limit", "diverged"]).toContain(status);
				expect(products).toBeGreaterThan(0);
				if (status === "solved") expect(error).toBeLessThanOrEqual(1e-3);
			}
		}
	});
});

test("settled spheres: a few that have begun to touch, in both laws", () => {
	const problem = settled(30, 60);
	expect(problem.contacts).toBeGreaterThan(20);
	for (const law of ["relaxed", "frictionless"] as const) {
		const rows = compared(problem, 30, law);
		expect(rows.map(({ method, status }) => [method, status])).toEqual([
			["jacobi", "solved"],
			["sor", "solved"],
			["apgd", "solved"],
		]);
		expect(isInOrder(rows)).toBe(true);
		expect(isInOrder([...rows].reverse().map((row, k) => ({ ...row, method: rows[k]!.method })))).toBe(false);
	}
});
