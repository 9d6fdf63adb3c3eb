/** The page of predictions is that of what is recorded, and errors are counted as they should be. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { casesOf } from "./cases.js";
import { page, recordedRows, tiny } from "./main.js";
import { errorsOf, pageOf } from "./page.js";

describe("bench model", () => {
	it("has written docs/predictions.md of what it recorded (`npm run bench -- model page`)", () => {
		expect(readFileSync(page, "utf8")).toBe(
			pageOf(recordedRows("model-validation"), recordedRows("model-predictions")),
		);
	});

	it("judges errors by their size, apart where ranks share cores, and without cases that failed", () => {
		const row = (errorPercent: number, crowded: string, reason = "") => ({ errorPercent, crowded, reason });
		const rows = [row(-9, "no"), row(1, "no"), row(2, "no"), row(-20, "yes"), row(0, "no", "it failed")];
		expect(errorsOf(rows)).toEqual({ own: 9, crowded: 20, median: 2, failed: 1 });
	});

	it("compares one rank, all cores over every transport, crowded ranks and hosts apart", () => {
		const cases = casesOf(tiny, 2);
		expect(new Set(cases.map(({ ranks }) => ranks))).toEqual(new Set([1, 2, 4, 8]));
		expect(new Set(cases.map(({ transport }) => transport)).size).toBe(5);
		expect(cases.filter(({ isFitted }) => !isFitted).length).toBeGreaterThan(cases.length / 3);
		expect(cases.some(({ delayMs }) => delayMs === 2)).toBe(true);
		const many = cases.filter(({ group }) => group === "many-hosts");
		expect(new Set(many.map(({ ranks }) => ranks))).toEqual(new Set([4, 8]));
		expect(Math.min(...many.map(({ delayMs = 0 }) => delayMs))).toBe(2);
	});
});
