import { describe, expect, it } from "vitest";
import type { Result } from "./rival.js";
import { line, type Row, ratio, summary } from "./table.js";

const result = (seconds: number, solved = true): Result => ({
	solved,
	seconds,
	secondsFirst: 10 * seconds,
	secondsWhole: 2 * seconds,
	by: "method",
	score: { natural: 1e-5, merit: 1e-9, energy: 1e-5 },
});
const row = (problem: string, contacts: number, ours: Result, siconos?: Result): Row => ({
	problem,
	contacts,
	tolerance: 1e-4,
	ours,
	siconos,
});

describe("what the comparison comes to", () => {
	const rows = [
		row("four", 100, result(1), result(4)),
		row("half", 2, result(2), result(1)),
		row("ours", 100, result(1)),
		row("theirs", 100, result(1, false), result(1)),
	];

	it("is a ratio only where both solved it", () => {
		expect(rows.map(ratio)).toEqual([4, 0.5, undefined, undefined]);
		expect(rows.map((each) => line(each).split("|")[3]?.trim().split("  ")[0])).toEqual([
			"4.00",
			"0.50",
			"only us",
			"lost",
		]);
	});

	it("is told with means, the smallest, what was not solved, and the harshest look", () => {
		const [solved, all, large, whole, lost] = summary(rows);
		expect(solved).toContain("4 problems, solved by ours 3, by the best of Siconos 3");
		expect(all).toContain("2, ours faster 1.41 times (geometric mean), smallest 0.50 (half), below 1 in 1");
		expect(large).toContain("1, ours faster 4.00 times");
		expect(whole).toContain("2, ours faster 0.71 times");
		expect(lost).toContain("not solved by ours: theirs");
	});
});
