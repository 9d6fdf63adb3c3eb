import { describe, expect, it } from "vitest";
import type { Result } from "./rival.js";
import { flat, line, parseRow, type Row, ratio, summary } from "./table.js";

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

	it("is told with means, the smallest, what is slower, and what is lost", () => {
		const short = row("short", 1, result(4e-5), result(8e-5));
		const neither = row("neither", 9, result(1, false));
		expect(summary([...rows, short, neither])).toEqual([
			"natural 0.0001: 6 problems, solved by ours 4, by the best of Siconos 4",
			"  where Siconos takes over 0.1 ms: 2, ours faster 1.41 times (geometric mean), smallest 0.50 (half), below 1 in 1",
			"  all solved by both: 3, ours faster 1.59 times (geometric mean), smallest 0.50 (half), below 1 in 1",
			"  with our checks and set-up counted, theirs not: 3, ours faster 0.79 times (geometric mean), smallest 0.25 (half), below 1 in 1",
			"  slower than 0.9 of Siconos' best: half 0.50",
			"  lost, solved by Siconos alone: theirs 1000 ms",
			"  solved by neither: neither",
		]);
	});

	it("is read back from a result file as it was written", () => {
		for (const each of rows) {
			const cells = Object.entries(flat(each)).map(([name, value]) => [name, String(value)]);
			const again = parseRow(Object.fromEntries(cells) as Record<string, string>);
			expect(flat(again)).toEqual(flat(each));
			expect(line(again)).toBe(line(each));
		}
	});

	it("names none where there are none", () => {
		const said = summary(rows.slice(0, 1));
		expect(said.slice(-3).every((each) => each.endsWith(": none"))).toBe(true);
	});
});
