import { methods } from "@stickslip/core";
import { expect, it } from "vitest";
import { flat, type PairRow, pairSummary, parseRow, type Solved } from "./methods-table.js";
import { pairNames, pairsOf } from "./pairs.js";

const side = (seconds: number): Solved => ({ seconds, by: "newton", score: { natural: 1e-5 } });
const row = (problem: string, ours?: Solved, siconos?: Solved): PairRow => ({
	pair: "NSN_AC",
	method: "newton",
	problem,
	contacts: 10,
	tolerance: 1e-4,
	ours,
	siconos,
});

it("says who solves more, what is lost, and the mean of ratios", () => {
	const rows = [row("four", side(1), side(4)), row("one", side(2), side(2)), row("ours", side(1))];
	expect(pairSummary(rows)).toEqual({
		held: true,
		lines: [
			"NSN_AC and newton",
			"  natural 1e-4: of 3 ours solves 3, Siconos 2; 2.00 times (geometric mean of 2, 0 below 1)",
			"    lost: none",
			"    only ours: ours",
			"  2.00 times (geometric mean of 2, 0 below 1) of 1.5: held",
		],
	});
	const lost = pairSummary([row("four", side(1), side(4)), row("theirs", undefined, side(1))]);
	expect(lost.held).toBe(false);
	expect(lost.lines.at(-1)).toMatch(/Siconos solves more: MISSED$/);
	expect(pairSummary([row("even", side(1), side(1))]).held).toBe(false);
});

it("reads its rows again", () => {
	for (const one of [row("both", side(0.5), side(2)), row("neither")]) {
		const cells = Object.fromEntries(Object.entries(flat(one)).map(([name, value]) => [name, String(value)]));
		expect(flat(parseRow(cells))).toEqual(flat(one));
	}
});

it("names pairs whose method is there, and those that are not", () => {
	const skipped: string[] = [];
	const there = pairsOf([], (line) => skipped.push(line));
	expect(there.length + skipped.length).toBe(pairNames.length);
	const known = methods().map(({ name }) => name);
	expect(there.every(({ method }) => known.includes(method))).toBe(true);
	expect(pairsOf(["NSGS"], () => {}).map(({ method }) => method)).toEqual(["gauss-seidel"]);
});
