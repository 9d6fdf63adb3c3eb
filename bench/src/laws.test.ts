/** A small part of the proof of laws, so that it does not rot. */
import { expect, it } from "vitest";
import { checkLaws, rollingCost } from "./laws.js";

it("checks some seeds of each set of laws", async () => {
	const faults: string[] = [];
	const rows = await checkLaws(100_000, 10, (fault) => faults.push(fault));
	expect(faults).toEqual([]);
	expect(rows.reduce((sum, { problems }) => sum + problems, 0)).toBe(20);
	expect(rows.length).toBe(11);
});

it("measures both laws", () => {
	for (const [least, low, high] of Object.values(rollingCost("spheres", 2))) {
		expect(least).toBeGreaterThan(0);
		expect(least <= low && low <= high).toBe(true);
	}
});
