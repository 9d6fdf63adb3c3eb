/** The tables in docs/scaling.md are what scripts/scaling.mjs makes of the committed results. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCsv, scalingTables, table, tablesOf, withTables } from "../scripts/scaling.mjs";
import { root } from "./tree.js";

const page = readFileSync(join(root, "docs/scaling.md"), "utf8");

describe("docs/scaling.md", () => {
	it("has the tables of the committed results (`npm run docs:scaling` makes them anew)", () => {
		expect(page).toBe(withTables(page, tablesOf()));
	});

	it("has a verdict for every cell that was measured", () => {
		const { rows } = parseCsv(readFileSync(join(root, "bench/results/scaling.csv"), "utf8"));
		expect(rows.length).toBeGreaterThan(3);
		for (const { verdict } of rows.filter(({ ranks }: Record<string, string>) => Number(ranks) > 1))
			expect(page).toContain(verdict);
	});
});

describe("the script", () => {
	const csv = [
		...["# processor: P", "# cores: 2", "# node: 20", "# date: D", "# revision: r"],
		"case,problem,method,transport,ranks,seconds,spread,speedup,efficiency,solveEfficiency,loadBalance,hash,others,verdict",
		'pile,p,"a|b",threads,2,1.23456,0.5,1.9,0.95,,0.99,abcdefghij,0.5,"95 %, most"',
	].join("\n");

	it("reads cells with commas and quotes, and writes bad results like good ones", () => {
		const { facts, rows } = parseCsv(csv);
		expect([facts.processor, rows[0].verdict, rows[0].method]).toEqual(["P", "95 %, most", "a|b"]);
		const made = scalingTables({ facts, rows });
		expect(made).toMatch(/\| a\\\|b +\| 2 threads \| 1.23 +\| 50.0 % \| 1.9 +\| 95.0 % +\| 99.0 %/);
		expect(made).toContain("0.50 cores busy");
	});

	it("writes between its marks alone", () => {
		const once = withTables(page, { scaling: "nothing" });
		expect(once.split("\n\nnothing\n\n")).toHaveLength(2);
		expect(withTables(once, tablesOf())).toBe(withTables(page, tablesOf()));
		expect(() => withTables("# A page", { scaling: "x" })).toThrow(/has no marks/);
		expect(table(["a", "b"], [["1", "2345"]])).toBe("| a   | b    |\n| --- | ---- |\n| 1   | 2345 |");
	});
});
