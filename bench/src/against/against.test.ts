/** Revisions are compared by ratios whose order decides, and noise alone decides nothing. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "@stickslip/core";
import { afterAll, describe, expect, it } from "vitest";
import { cases, packagesIn } from "./cases.js";
import { FULL_EFFORT, type Row } from "./compare.js";
import { drawHistory, machineName, recordHistory } from "./history.js";
import { against, compareAll } from "./main.js";
import { intervalOf, verdictOf } from "./verdict.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stickslip-history-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the interval of the median", () => {
	it("is that of the sign test: extremes of 8, the third from the ends of 15, nothing of 7", () => {
		// P(X = 0) of 8 is 1/256; P(X <= 2) of 15 is 121/32768, P(X <= 3) is 576/32768.
		const upTo = (count: number) => Array.from({ length: count }, (_, k) => k + 1);
		expect(intervalOf(upTo(8))).toEqual({ low: 1, median: 4.5, high: 8 });
		expect(intervalOf(upTo(15).reverse())).toEqual({ low: 3, median: 8, high: 13 });
		expect(intervalOf(upTo(7))).toEqual({ low: 0, median: 4, high: Infinity });
	});

	it("tells a loss of 20 % through noise of 5 %, and none where there is none", () => {
		const random = new Random(5);
		const noisy = (ratio: number) => Array.from({ length: 24 }, () => ratio * (1 + 0.1 * (random.uniform() - 0.5)));
		const verdicts = (ratio: number) =>
			Array.from({ length: 200 }, () => verdictOf(intervalOf(noisy(ratio)), FULL_EFFORT.limit));
		expect(new Set(verdicts(1.2))).toEqual(new Set(["loss"]));
		expect(verdicts(1)).not.toContain("loss");
		expect(verdicts(1)).not.toContain("undecided");
		expect(new Set(verdicts(0.8))).toEqual(new Set(["gain"]));
		expect(verdicts(1.1).filter((verdict) => verdict === "loss").length).toBeLessThan(10);
	});
});

describe("a comparison", () => {
	const quick = { ...FULL_EFFORT, rounds: 1, roundsMax: 1, windows: 1, size: 0.05 };
	const itself = { name: "itself", root };

	it.each(cases.map((each) => [each.name, each] as const))("can measure %s, tiny", async (_, { open }) => {
		const { sample, close } = await open(packagesIn(root), quick.size);
		expect(await sample()).toBeGreaterThan(0);
		await close?.();
	});

	it("has processes of both, which have the same answer", async () => {
		const lines: string[] = [];
		const taken: Row[] = [];
		const print = (line: string) => lines.push(line);
		const { rows, failed } = await compareAll(["solve-spheres-300"], itself, quick, print, (row) => taken.push(row));
		expect(taken).toEqual(rows);
		const [{ before, now, hash, hashBefore, verdict }] = rows as [Row];
		expect([failed, before > 0, now > 0, hash, verdict]).toEqual([false, true, true, hashBefore, "undecided"]);
		expect(hash).toMatch(/^[0-9a-f]{64}$/);
		expect(lines.at(-1)).toBe("0 of 1 lost more than 10 %, 1 undecided");
	});

	it("tells what a revision cannot do, and fails where nothing was compared or something was lost", async () => {
		const lines: string[] = [];
		const before = { name: "empty", root: folder };
		const { failed } = await compareAll(["set-up"], before, quick, (line) => lines.push(line));
		expect([failed, lines[1]]).toEqual([true, expect.stringMatching(/^set-up +not compared: ENOENT/)]);
		// Every ratio is beyond such a limit.
		const lost = await compareAll(["start-version"], itself, { ...quick, limit: -1 }, () => {});
		expect([lost.failed, lost.rows[0]!.verdict]).toEqual([true, "loss"]);
	});

	it("refuses what it does not know", async () => {
		expect(await against.run([])).toBe(2);
		expect(await against.run(["no-such-revision"])).toBe(2);
		expect(await against.run(["HEAD", "no-such-case"])).toBe(2);
		expect(await against.run(["HEAD", "--rounds", "3"])).toBe(2);
	});
});

it("keeps a history for each machine, and draws it by ratios", () => {
	const row = (ratio: number): Row => ({
		...{ name: "set-up", unit: "ms", before: 1, now: ratio, spread: 0.02, rounds: 8, verdict: "same" },
		...{ ratio: { low: ratio - 0.01, median: ratio, high: ratio + 0.01 }, hashBefore: undefined, hash: "abc" },
	});
	recordHistory([row(2)], "old", folder);
	const path = recordHistory([row(1.02)], "old", folder);
	expect(path).toBe(join(folder, `${machineName()}.csv`));
	const text = readFileSync(path, "utf8");
	expect(text.match(/,old,set-up,/g)).toHaveLength(1);
	expect(text).toMatch(/,ms,1\.0200,0\.020,1\.0200,1\.0100,1\.0300,8,same,abc\n$/);
	const drawn = drawHistory(machineName(), folder);
	expect(drawn).toMatch(/^<svg [\s\S]*set-up[\s\S]*<\/svg>$/);
	expect(drawn.match(/<circle/g)).toHaveLength(2);
});
