/** The benches `scaling` and `sensitivity` at a tiny size, and the page of a study in Chromium. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { barPlot, type LinePlot, linePlot } from "@stickslip/cluster-runner/study";
import { buildSync } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, launchChromium } from "../browser/pages.js";
import { takePagePicture } from "./page-picture.js";
import { fullSizes, missed, rowOf, runCase, type ScalingRecord, scalingCases } from "./scaling.js";
import { runSensitivity, sensitivityRow } from "./sensitivity.js";
import { sensitivityCases } from "./sensitivity-cases.js";

const folder = mkdtempSync(join(tmpdir(), "stickslip-scaling-"));
const [pile] = scalingCases;
let records: ScalingRecord[] = [];

beforeAll(() => {
	const tiny = { ...fullSizes, contacts: 600, rounds: 1, transports: "threads" };
	records = runCase(pile!, tiny, folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("scaling", () => {
	it("has a row for each cell, with one answer for each method", () => {
		expect(records.map(({ method, ranks }) => `${method} ${ranks}`)).toEqual(
			["gauss-seidel", "pqn-diagonal", "auto"].flatMap((method) => [`${method} 1`, `${method} 2`]),
		);
		for (const [index, record] of records.entries()) {
			if (index % 2 === 1) expect(record.hash).toBe(records[index - 1]!.hash);
			const row = rowOf("pile", record);
			expect(Object.values(row).every((cell) => cell !== undefined)).toBe(true);
			expect(Number(row.iterationFactor)).toBe(1);
		}
	});

	it("says what was not reached", () => {
		const [one] = records;
		const two = { ...one!, ranks: 2, transport: "threads", efficiency: 0.9, product: 0.9, loadBalance: 1 };
		expect(missed(pile!, [one!, { ...two, efficiency: 0.96, product: 0.96 }])).toEqual([]);
		expect(missed(pile!, [two])).toEqual([expect.stringMatching(/efficiency 90.0 % instead of 95.0 %/)]);
		expect(missed(pile!, [{ ...two, efficiency: 1, loadBalance: 0.9 }])).toHaveLength(2);
	});

	it("sensitivity: a row with the report's numbers beside ours", () => {
		const [, , tabulated] = sensitivityCases("tables");
		const windows = [
			{ skip: 0, steps: 4 },
			{ skip: 6, steps: 4 },
		];
		const [record] = runSensitivity({ ...tabulated!, scene: "drum:bodies=20" }, windows, folder);
		const row = sensitivityRow(tabulated!, record!);
		expect(row).toMatchObject({ steps: 8, theirSeconds: 467, theirIterations: 9 });
		expect(row.method).toContain("deltaRelativeTo=mean delta=0.01 epsilon=0.25 m=10");
		const names = sensitivityCases("coarse").map(({ name }) => name);
		const figures = new Set(names.flatMap((name) => /^Figures? (\d+)(?: and (\d+))?/.exec(name)?.slice(1) ?? []));
		expect(
			[...figures]
				.filter(Boolean)
				.map(Number)
				.sort((a, b) => a - b),
		).toEqual([...Array(12).keys()].map((k) => k + 2));
	});
});

describe.skipIf(findChromium() === undefined)("the page of a study (needs chromium)", () => {
	let chromium: Browser;
	const told: string[] = [];
	beforeAll(async () => {
		chromium = await launchChromium();
	});
	afterAll(() => chromium?.close());

	async function open(width: number): Promise<Page> {
		const page = await chromium.newPage({ viewport: { width, height: 800 } });
		page.on("console", (message) => told.push(message.text()));
		page.on("pageerror", (error) => told.push(error.message));
		await page.goto(pathToFileURL(join(folder, "pile", "strong.html")).href);
		return page;
	}

	/** Of plots that are shown: how wide they are, how high their text is, and how many lines have an extent. */
	const shownPlots = (page: Page) =>
		page.locator("figure svg:visible").evaluateAll((plots) =>
			plots.map((plot) => ({
				width: plot.getBoundingClientRect().width,
				text: Math.min(...[...plot.querySelectorAll("text")].map((each) => each.getBoundingClientRect().height)),
				drawn: [...plot.querySelectorAll("polyline, rect")].filter((each) => {
					const { width, height } = each.getBoundingClientRect();
					return width > 0 && height > 0;
				}).length,
			})),
		);

	it.each([
		["a desk", 1000],
		["a telephone", 360],
	])("is readable on %s: plots drawn, nothing wider than the page", async (_, width) => {
		const page = await open(width);
		const plots = await shownPlots(page);
		// Speed-up, efficiency, and the phases of each method.
		expect(plots).toHaveLength(5);
		for (const plot of plots) {
			expect(plot.drawn).toBeGreaterThan(0);
			expect(plot.width).toBeLessThanOrEqual(width);
			expect(plot.text).toBeGreaterThan(10);
		}
		expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
		expect(await page.locator("table").first().isVisible()).toBe(true);
		expect(told).toEqual([]);
		await page.close();
	});

	it("draws in a page what Node.js draws", async () => {
		const entry = fileURLToPath(new URL("../../../packages/cluster-runner/dist/study/", import.meta.url));
		const contents = 'export { linePlot } from "./line-plot.js"; export { barPlot } from "./bar-plot.js";';
		const { outputFiles } = buildSync({
			...{ stdin: { contents, resolveDir: entry }, bundle: true, write: false },
			...{ format: "iife", globalName: "plots", platform: "browser" },
		});
		const line: LinePlot = {
			title: "a & b",
			x: { label: "x", scale: "log2" },
			y: { label: "y", scale: "linear" },
			lines: [
				{
					name: "c",
					points: [
						[1, 0.1],
						[4, 0.7],
					],
				},
			],
		};
		const bars = { title: "t", unit: "s", parts: ["p", "q"], bars: [{ name: "n", values: [1, 2] }] };
		const page = await chromium.newPage();
		const drawn = await page.evaluate(
			`${outputFiles[0]!.text}; [plots.linePlot(${JSON.stringify(line)}, 340), plots.barPlot(${JSON.stringify(bars)})]`,
		);
		expect(drawn).toEqual([linePlot(line, 340), barPlot(bars)]);
		await page.close();
	});

	it("is drawn for the README", async () => {
		const file = join(folder, "study.png");
		expect(await takePagePicture(join(folder, "pile", "strong.html"), file)).toBeGreaterThan(10_000);
		expect(readFileSync(file).subarray(1, 4).toString()).toBe("PNG");
	});
});
