import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { report } from "../../testing/report.js";
import { testFolder } from "../../testing/run-cli.js";
import { addReport, finishedIn, readReports } from "./reports.js";

describe("the reports of a run", () => {
	it("are printed again as they were, byte for byte", () => {
		const folder = testFolder();
		const strange: Report = { ...report, energy: 0.1 + 0.2, natural: 5e-324, merit: Number.NaN };
		addReport(folder, { input: 1, report });
		addReport(folder, { input: 0, report: strange });
		const found = readReports(folder);
		expect(found.map(({ input }) => input)).toEqual([0, 1]);
		expect(found.map((one) => JSON.stringify(one.report))).toEqual([JSON.stringify(strange), JSON.stringify(report)]);
		expect(found[0]?.report.merit).toBeNaN();
	});

	it("count as often as an input was finished only once, the last time", () => {
		const folder = testFolder();
		addReport(folder, { input: 0, report });
		addReport(folder, { input: 0, report: { ...report, hash: "def" } });
		expect(readReports(folder).map((one) => one.report.hash)).toEqual(["def"]);
	});

	it("survive a line that was cut, before and after them", () => {
		const folder = testFolder();
		const file = join(folder, "report.jsonl");
		addReport(folder, { input: 0, report });
		addReport(folder, { input: 1, report });
		truncateSync(file, readFileSync(file).length - 100);
		addReport(folder, { input: 2, report });
		expect(readReports(folder).map(({ input }) => input)).toEqual([0, 2]);
		appendFileSync(file, '{"input": 3');
		expect(readReports(folder).map(({ input }) => input)).toEqual([0, 2]);
	});

	it("are none where there is no file, or something else by its name", () => {
		const folder = testFolder();
		expect(readReports(folder)).toEqual([]);
		writeFileSync(join(folder, "report.jsonl"), "\0\n\n[]\n{}\nnull\n");
		expect(readReports(folder)).toEqual([]);
	});

	it.each([
		["a status that there is none of", { status: "done" }],
		["a history of words", { history: ["a"] }],
		["ranks without phases", { perRank: [{ ...report.perRank[0], phases: null }] }],
		["a lacking hash", { hash: undefined }],
		["an input before the first", { input: -1 }],
	])("are not taken with %s", (_, changes) => {
		expect(finishedIn(JSON.stringify({ input: 0, ...report }))).toBeDefined();
		expect(finishedIn(JSON.stringify({ input: 0, ...report, ...changes }))).toBeUndefined();
	});

	it("are not taken from a line that is nothing but brackets", () => {
		expect(finishedIn(`{"input":0,"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).toBeUndefined();
	});
});
