/** Ten million: what counts as missed, and a small heap by two ranks. */
import { expect, it } from "vitest";
import { missed, rowOf } from "./ten-million.js";
import { solveOnce } from "./ten-million-child.js";

const solved = {
	...{ contacts: 1000, secondsMade: 1, secondsAll: 2, seconds: 1e-4, status: "solved", iterations: 10 },
	...{ energy: 1e-3, rankBytes: 700_000, peakBytes: 1e6, hash: "0123456789abcdef0123" },
};

it("tells what grew too much", () => {
	const small = rowOf(solved, 2);
	expect(small.nanoseconds).toBeCloseTo(10, 12);
	const large = { ...small, contacts: 100_000 };
	expect(missed([small, large, { ...large, contacts: 1e7, nanoseconds: 12.9 }])).toEqual([]);
	const heavy = { ...large, contacts: 1e7, nanoseconds: 26, rankBytes: 1000, peakBytes: 2001, status: "stalled" };
	expect(missed([small, large, heavy])).toEqual([
		"10000000 contacts: stalled at energy 1.0e-3",
		"10000000 contacts: a peak of 20.0 GB",
		"bytes per contact: 1.43 times the least, above 1.3",
		"time of a sweep: 2.60 times the least, above 2.5",
		"time of a sweep from 100000 contacts on: 2.60 times the least, above 1.3",
	]);
});

it("solves a heap by two ranks without W", async () => {
	const found = await solveOnce(300, 2, 500);
	expect(found).toMatchObject({ status: "solved" });
	expect(found.energy).toBeLessThanOrEqual(1e-2);
	expect(found.rankBytes / found.contacts).toBeGreaterThan(500);
});
