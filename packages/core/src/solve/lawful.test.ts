/** Problems with laws whose solution is known by construction: a sample here, thousands with `npm test -- --thorough` and `npm run prove -- laws`. */
import { describe, expect, test } from "vitest";
import { checkLawful, checkUnsolvable } from "../testing/lawful-checks.js";

const SEEDS = process.env.STICKSLIP_THOROUGH === "1" ? 4000 : 150;

describe("random problems with laws", () => {
	test(`seeds 0 to ${SEEDS - 1} hold`, { timeout: 600_000 }, () => {
		const faults: string[] = [];
		for (let seed = 0; seed < SEEDS; seed += 1) faults.push(...checkLawful(seed).faults);
		expect(faults).toEqual([]);
	});

	test(`seeds 0 to ${SEEDS - 1} of problems without a solution, or with extreme numbers, end in numbers`, {
		timeout: 600_000,
	}, () => {
		const faults: string[] = [];
		for (let seed = 0; seed < SEEDS; seed += 1) faults.push(...checkUnsolvable(seed));
		expect(faults).toEqual([]);
	});
});
