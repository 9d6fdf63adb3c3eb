/** The bench `browser` at a tiny size. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BrowserRow, compare } from "./compare.js";
import { findChromium } from "./pages.js";
import { takeScreenshot } from "./screenshot.js";

describe.skipIf(findChromium() === undefined)("browser (needs chromium)", () => {
	it("compares ten problems on one rank and two: same hashes", async () => {
		const told: BrowserRow[] = [];
		const rows = await compare({ rounds: 1, contacts: 60 }, (row) => told.push(row));
		expect(told).toEqual(rows);
		expect(rows.map(({ ranks, hash }) => `${ranks} ${hash}`)).toEqual([
			...Array(10).fill("1 same"),
			...Array(10).fill("2 same"),
		]);
		for (const { node, chromium } of rows) expect(Math.min(Number(node), Number(chromium))).toBeGreaterThan(0);
	});

	it("takes a picture of the page", async () => {
		const folder = mkdtempSync(join(tmpdir(), "stickslip-picture-"));
		try {
			const file = join(folder, "page.png");
			expect(await takeScreenshot(file)).toBeGreaterThan(10_000);
			expect(readFileSync(file).subarray(1, 4).toString()).toBe("PNG");
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
