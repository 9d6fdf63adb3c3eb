/** A small part of the proof of laws, so that it does not rot. */
import { expect, it } from "vitest";
import { checkLaws } from "./laws.js";

it("checks some seeds of each set of laws", async () => {
	const faults: string[] = [];
	const rows = await checkLaws(100_000, 10, (fault) => faults.push(fault));
	expect(faults).toEqual([]);
	expect(rows.reduce((sum, { problems }) => sum + problems, 0)).toBe(20);
	expect(rows.length).toBe(11);
});
