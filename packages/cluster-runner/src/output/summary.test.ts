import { describe, expect, it } from "vitest";
import { report } from "../../testing/report.js";
import { commonFolder, summary, tableFoot } from "./summary.js";

describe("the folder of a table", () => {
	it.each([
		[["data/a.h5", "data/b.h5"], "data/"],
		[["/x/data/a.h5", "/x/data/sub/b.h5"], "/x/data/"],
		[["/a.h5", "/b.h5"], "/"],
		[["/x/a.h5", "b.h5"], ""],
		[["a.h5", "/x/b.h5"], ""],
		[["one/a.h5", "on/b.h5"], ""],
		[["one/a.h5", "one"], ""],
		[["one/a.h5", "standard input"], ""],
		[["one/a.h5"], "one/"],
		[[], ""],
	])("of %j is %j", (names, folder) => {
		expect(commonFolder(names)).toBe(folder);
	});
});

describe("the remedies of a hard problem", () => {
	const remediesOf = (count: number) => {
		const remedies = Array.from({ length: count }, (_, k) => `after ${k} products: another phase`);
		return summary({ ...report, remedies }, undefined).filter((line) => /another phase|remedies/.test(line));
	};

	it("are a line each", () => {
		expect(remediesOf(0)).toEqual([]);
		expect(remediesOf(2)).toEqual([
			"  remedies    after 0 products: another phase",
			"              after 1 products: another phase",
		]);
	});

	it("are the last three and a count where there are many", () => {
		expect(remediesOf(3)).toHaveLength(3);
		expect(remediesOf(60)).toEqual([
			"  remedies    57 more before these (--json has all)",
			"              after 57 products: another phase",
			"              after 58 products: another phase",
			"              after 59 products: another phase",
		]);
	});
});

describe("ranks", () => {
	it("are a line each, the first of very many, and none where there is one", () => {
		const linesOf = (ranks: number) => {
			const perRank = Array.from({ length: ranks }, (_, rank) => ({ ...report.perRank[0]!, rank }));
			const lines = summary({ ...report, ranks, transport: ranks === 1 ? "self" : "threads", perRank });
			return lines.filter((line) => /^ +\d+ +12 |ranks? more/.test(line));
		};
		expect([linesOf(1), linesOf(3).length, linesOf(16).length, linesOf(20).length]).toEqual([[], 3, 16, 17]);
		expect([linesOf(17).at(-1), linesOf(20).at(-1)]).toEqual([
			"  and 1 rank more (--json has all)",
			"  and 4 ranks more (--json has all)",
		]);
	});
});

describe("the hash", () => {
	it("is there whole, to compare answers by", () => {
		expect(summary(report)).toContain("  hash        abc");
	});
});

describe("what was written", () => {
	it("is told only where it was", () => {
		const words = (written?: string) => summary(report, written).filter((line) => line.includes("written"));
		expect([words(), words("out.hdf5")]).toEqual([[], ["  written     out.hdf5"]]);
		const foot = tableFoot([report], { attempted: 2, missing: 1, unwritten: 1 });
		expect(foot.at(-1)).toMatch(
			/^1 of 3 solved in .*; 1 could not be read .*; 1 answer could not be written .*; 1 not/,
		);
	});
});
