/** The bench at a tiny size, so that it does not break unnoticed. */
import { generate } from "@stickslip/core";
import { expect, it } from "vitest";
import { isAsGood, losses } from "./gram-schmidt.js";

it("measures both lengths, and tells what is worse from what is as good", () => {
	const rows = losses("heap", generate("spheres", { contacts: 100 }), 2);
	expect(rows.map(({ m }) => m)).toEqual([10, 60]);
	for (const row of rows) {
		expect(row.directions).toBeGreaterThan(1);
		expect(row.directions).toBeLessThanOrEqual(row.m);
		expect(isAsGood(row)).toBe(true);
		expect(isAsGood({ ...row, ours: 4 * row.modified + 1e-13 })).toBe(false);
	}
});
