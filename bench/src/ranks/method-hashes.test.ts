/** A sample of the bench method-hashes: every method on one pile, on three ranks. */
import { openSession } from "@stickslip/cluster-runner";
import { expect, it } from "vitest";
import { methodCases } from "./method-cases.js";
import { differences } from "./method-hashes.js";

it("every method has the hash and the counts of one rank, and refuses what one rank refuses", async () => {
	const cases = methodCases(1, ["coulomb", "frictionless", "rolling"]);
	expect(cases.filter(({ miscounted }) => miscounted !== undefined)).toEqual([]);
	const session = await openSession({ ranks: 3, transport: "threads", cutFrom: 0 });
	try {
		const found = await differences(session, cases);
		const wrong = found.flatMap((what, index) => (what === undefined ? [] : [`${cases[index]!.method}: ${what}`]));
		expect(wrong).toEqual([]);
	} finally {
		await session.close();
	}
	expect(new Set(cases.map(({ method }) => method)).size).toBeGreaterThan(10);
});
