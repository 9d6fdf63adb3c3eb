/** The example page in Chromium: from disk and from a server, with files good and bad, to an answer that core reads back. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Problem, solve } from "@stickslip/core";
import { type Hdf5Module, readProblem, readSolution, withFclib, writeFclib } from "@stickslip/core/fclib";
import { ready } from "h5wasm/node";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, launchChromium, pageFile, problemOf, type Served, servePages } from "./testing/index.js";

const chromium = findChromium();
const tolerance = 1e-6;
const folder = mkdtempSync(join(tmpdir(), "stickslip-page-"));
const file = (name: string) => join(folder, name);

/** What the page shows of the report. */
const shown = (page: Page, name: string) => page.locator(`[data-of="${name}"]`).textContent();

async function open(browser: Browser, url: string): Promise<Page> {
	const page = await browser.newPage();
	page.setDefaultTimeout(30_000);
	await page.goto(url);
	return page;
}

async function solveFile(page: Page, path: string): Promise<void> {
	await page.locator("#file").setInputFiles(path);
	await page.locator("#answer").waitFor();
}

/** Returns the name that the page gives the file. */
async function download(page: Page, path: string): Promise<string> {
	const [downloaded] = await Promise.all([page.waitForEvent("download"), page.locator("#download").click()]);
	await downloaded.saveAs(path);
	return downloaded.suggestedFilename();
}

describe("the example page as a file", () => {
	it("is one, which loads nothing and has the licences of others", () => {
		const text = readFileSync(pageFile, "utf8");
		expect(statSync(pageFile).size).toBeLessThan(8e6);
		expect(text).toContain("default-src 'none'");
		expect(text).not.toMatch(/<script[^>]*\ssrc=|<link[^>]*\shref="(?!data:)/);
		expect(text).not.toMatch(/<!-- \w+ -->|>\/\* \w+ \*\/</);
		expect(text).toContain("NIST-developed software");
	});
});

describe.skipIf(chromium === undefined)("the example page in Chromium (needs chromium)", () => {
	let browser: Browser;
	let served: Served;
	let hdf5: Hdf5Module;
	let problem: Problem;
	let fromDisk: Page;
	let fromServer: Page;

	beforeAll(async () => {
		hdf5 = await ready;
		problem = problemOf({ kind: "spheres", contacts: 1200, seed: 2, form: "W" });
		writeFclib(hdf5, file("pile.hdf5"), problem);
		writeFileSync(file("half.hdf5"), readFileSync(file("pile.hdf5")).subarray(0, 20_000));
		writeFileSync(file("text.hdf5"), "this is no HDF5 file\n");
		copyFileSync(pageFile, file("page.html"));
		browser = await launchChromium(chromium);
		served = await servePages(true);
		fromDisk = await open(browser, pathToFileURL(file("page.html")).href);
		fromServer = await open(browser, `${served.url}page.html`);
	});

	afterAll(async () => {
		await browser?.close();
		await served?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	it("solves a file from disk on one thread, and hands out the answer as a file that core reads", async () => {
		expect(await fromDisk.locator("#threads").textContent()).toContain(
			"one thread, because the page was opened from disk",
		);
		await solveFile(fromDisk, file("pile.hdf5"));
		const answer = solve(problem, { tolerance });
		expect(await shown(fromDisk, "hash")).toBe(answer.report.hash);
		expect(await shown(fromDisk, "threads")).toBe("1");
		expect(await download(fromDisk, file("answer.hdf5"))).toBe("pile-answer.hdf5");
		const [again, solution] = withFclib(hdf5, file("answer.hdf5"), (opened) => [
			readProblem(opened),
			readSolution(opened, 0),
		]);
		expect([...again.q]).toEqual([...problem.q]);
		expect(solution?.r).toEqual(answer.reaction);
		expect(solution?.u).toEqual(answer.velocity);
	});

	it("solves on all threads where it is served with the headers of isolation, with the same hash", async () => {
		const counts = await fromServer.locator("#ranks option").allTextContents();
		expect(counts.length).toBeGreaterThanOrEqual(1);
		await solveFile(fromServer, file("pile.hdf5"));
		expect(await shown(fromServer, "hash")).toBe(solve(problem, { tolerance }).report.hash);
		expect(await shown(fromServer, "threads")).toBe(counts.length === 1 ? "1" : `${counts.length} (threads)`);
		await download(fromServer, file("answer.hdf5"));
		expect(withFclib(hdf5, file("answer.hdf5"), readProblem).W?.values).toEqual(problem.W?.values);
		const label = await fromServer.locator("#plot").getAttribute("aria-label");
		expect(label).toMatch(/^energy error \S+ after \d+ iterations; the tolerance is 0.000001$/);
		expect((await fromServer.locator("#plot .curve").getAttribute("points"))?.split(" ").length).toBeGreaterThan(5);
	});

	it.each([
		["text.hdf5", /text\.hdf5: file: cannot be read as an HDF5 file .*; give a complete, readable FCLIB file/],
		["half.hdf5", /half\.hdf5: .*; .+/],
	])("says of %s what is wrong and what to do, and takes the next", async (name, message) => {
		await fromServer.locator("#file").setInputFiles(file(name));
		await fromServer.locator("#error:not([hidden])").waitFor();
		expect(await fromServer.locator("#error").textContent()).toMatch(message);
		await solveFile(fromServer, file("pile.hdf5"));
		expect(await fromServer.locator("#error").isHidden()).toBe(true);
	});

	it("takes a file that is dropped", async () => {
		await fromDisk.reload();
		const bytes = readFileSync(file("pile.hdf5")).toString("base64");
		const transfer = await fromDisk.evaluateHandle(`(() => {
			const bytes = Uint8Array.from(atob("${bytes}"), (each) => each.charCodeAt(0));
			const transfer = new DataTransfer();
			transfer.items.add(new File([bytes], "dropped.hdf5"));
			return transfer;
		})()`);
		await fromDisk.locator("#drop").dispatchEvent("drop", { dataTransfer: transfer });
		await fromDisk.locator("#answer").waitFor();
		expect(await fromDisk.locator("#facts").textContent()).toContain("dropped.hdf5: 1,2");
	});

	it("generates a pile, shows it, and writes what it generated", async () => {
		await fromDisk.locator("#kind").selectOption("planks");
		await fromDisk.locator("#contacts").fill("200");
		await fromDisk.getByRole("button", { name: "Generate a pile" }).click();
		await fromDisk.locator("#answer").waitFor();
		expect(await fromDisk.locator("#figure").isVisible()).toBe(true);
		const pile = problemOf({ kind: "planks", contacts: 200, seed: 1, form: "bodies" });
		expect(await shown(fromDisk, "hash")).toBe(solve(pile, { tolerance }).report.hash);
		await download(fromDisk, file("planks.hdf5"));
		const again = withFclib(hdf5, file("planks.hdf5"), readProblem);
		expect([...again.q]).toEqual([...pile.q]);
		expect(again.rigid?.arm).toEqual(pile.rigid?.arm);
	});

	it("is cancelled, and says so", async () => {
		await fromDisk.locator("#tolerance").fill("0");
		await fromDisk.locator("#method").selectOption("proximal-gauss-seidel");
		await fromDisk.locator("#contacts").fill("3000");
		await fromDisk.getByRole("button", { name: "Generate a pile" }).click();
		await fromDisk.locator("#cancel:not([disabled])").click();
		await fromDisk.locator("#answer").waitFor();
		expect(await shown(fromDisk, "status")).toBe("cancelled");
		expect(await fromDisk.locator("#start").isEnabled()).toBe(true);
	});

	it("refuses a tolerance that is none", async () => {
		await fromDisk.locator("#tolerance").fill("much");
		await fromDisk.getByRole("button", { name: "Solve" }).click();
		await fromDisk.locator("#error:not([hidden])").waitFor();
		expect(await fromDisk.locator("#error").textContent()).toContain("options: tolerance: NaN is not at least 0");
	});
});
