/** The runner of studies on cells that measure nothing but themselves. */
import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "@stickslip/core";
import { afterAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../../testing/run-cli.js";
import { differencesOf } from "./differences.js";
import { type CellPlan, isComplete, missingSamples, plannedSamples, runCells } from "./run-cells.js";
import { type Axes, keyOf, type Sample } from "./sample.js";
import { SampleFile } from "./sample-file.js";
import { cellsOf, leastSample, spreadIn, spreadOf } from "./statistics.js";
import { csvOf, tableLines } from "./study-files.js";
import { coresOfQuota } from "./usable-cores.js";

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Cells that write down when they are measured; their seconds count the calls. */
function planOf(measured: string[], fails = ""): CellPlan {
	const cell = (name: string) => ({
		axes: { name },
		async measure(round: number) {
			measured.push(`${name}${round}`);
			if (name === fails) throw new InputError("cell", name, "cannot be measured", "leave it out");
			return { status: "solved", reason: "", hash: name, values: { seconds: measured.length } };
		},
	});
	return { groups: [[cell("a"), cell("b")], [cell("c")]], rounds: 2 };
}

describe("the runner of studies", () => {
	const path = join(folder, "cells.jsonl");

	it("measures a group in rounds, and goes on with what is left", async () => {
		const stopped: string[] = [];
		const controller = new AbortController();
		const file = new SampleFile(path, { study: "test" });
		const plan = planOf(stopped);
		await runCells(plan, {
			...{ file, signal: controller.signal },
			onProgress: ({ done }) => done === 3 && controller.abort(),
		});
		expect([stopped, isComplete(plan, file)]).toEqual([["a0", "b0", "a1"], false]);
		file.close();
		appendFileSync(path, '{"axes":{"name":"b"},"rou');
		const rest: string[] = [];
		const again = new SampleFile(path, { study: "test" });
		await runCells(planOf(rest), { file: again });
		again.close();
		expect([rest, isComplete(plan, again)]).toEqual([["b1", "c0", "c1"], true]);
		expect(plannedSamples(plan, again).map(({ axes, round }) => `${axes.name}${round}`)).toEqual([
			"a0",
			"b0",
			"a1",
			"b1",
			"c0",
			"c1",
		]);
		expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(7);
	});

	it("keeps why a cell failed, and measures the others", async () => {
		const apart = join(folder, "failing");
		mkdirSync(apart);
		const file = new SampleFile(join(apart, "cells.jsonl"), { study: "test" });
		const measured: string[] = [];
		await runCells(planOf(measured, "b"), { file });
		file.close();
		expect(measured).toHaveLength(6);
		const failed = file.samples.filter(({ status }) => status === "failed");
		expect(failed.map(({ axes, reason }) => [axes.name, reason.includes("cannot be measured")])).toEqual([
			["b", true],
			["b", true],
		]);
	});

	it("is dealt to jobs by groups, each with a file of its own, and all are read", async () => {
		const head = { study: "parts" };
		const parts = join(folder, "parts");
		mkdirSync(parts);
		const measured: string[][] = [[], []];
		for (const index of [0, 1]) {
			const file = new SampleFile(join(parts, `cells-${index}-of-2.jsonl`), head);
			await runCells(planOf(measured[index]!), { file, part: { index, of: 2 } });
			file.close();
		}
		expect(measured).toEqual([
			["a0", "b0", "a1", "b1"],
			["c0", "c1"],
		]);
		const whole = new SampleFile(join(parts, "cells.jsonl"), head);
		expect(isComplete(planOf([]), whole)).toBe(true);
		whole.close();
		expect(() => new SampleFile(join(parts, "cells.jsonl"), { study: "other" })).toThrow(/is of a study with study/);
	});

	it("sees at its end what other parts have measured meanwhile, and says what is missing", async () => {
		const apart = join(folder, "at-once");
		mkdirSync(apart);
		const open = (index: number) => new SampleFile(join(apart, `cells-${index}-of-2.jsonl`), { study: "parts" });
		const [first, second] = [open(0), open(1)];
		await runCells(planOf([]), { file: second, part: { index: 1, of: 2 } });
		second.close();
		const plan = planOf([]);
		const missing = () => missingSamples(plan, first, (place) => `group ${place}`);
		expect(missing().map(({ axes, reason }) => `${axes.name} ${reason}`)).toEqual([
			"a group 0",
			"b group 0",
			"c group 1",
		]);
		first.readOthers();
		expect(missing().map(({ axes, status }) => `${axes.name} ${status}`)).toEqual(["a failed", "b failed"]);
		await runCells(planOf([]), { file: first, part: { index: 0, of: 2 } });
		first.close();
		expect([missing(), isComplete(plan, first)]).toEqual([[], true]);
	});

	it("measures cells that failed again on request, and never lets a failure take the place of a number", async () => {
		const apart = join(folder, "again");
		mkdirSync(apart);
		const at = (name: string) => join(apart, name);
		const head = { study: "test" };
		const failing = new SampleFile(at("cells.jsonl"), head);
		await runCells(planOf([], "b"), { file: failing });
		failing.close();
		const kept: string[] = [];
		const same = new SampleFile(at("cells.jsonl"), head);
		await runCells(planOf(kept), { file: same });
		same.close();
		expect(kept).toEqual([]);
		const again: string[] = [];
		const retried = new SampleFile(at("cells.jsonl"), head, { retriesFailed: true });
		await runCells(planOf(again), { file: retried });
		retried.close();
		expect(again).toEqual(["b0", "b1"]);
		const part = new SampleFile(at("cells-0-of-1.jsonl"), head);
		part.add({ ...part.find({ name: "a" }, 0)!, status: "failed" });
		part.close();
		const last = new SampleFile(at("cells.jsonl"), head);
		last.close();
		expect(last.samples.map(({ status }) => status)).toEqual(Array(6).fill("solved"));
	});
});

const made = {
	...{ version: "1", node: "20", host: "h", processor: "p", cores: 2, platform: "linux", date: "", probe: 2 },
	others: 0,
};
const sample = (axes: Axes, seconds: number, more: Partial<Sample> = {}): Sample => ({
	...{ axes, round: 0, status: "solved", reason: "", hash: "x", values: { seconds }, made, ...more },
});

describe("statistics of a study", () => {
	it("are least, median and spread of what was measured", () => {
		expect(spreadOf([4, 2, 3, 5])).toEqual({ least: 2, median: 3.5, most: 5, spread: 1.5, count: 4 });
		expect(spreadOf([])).toBeUndefined();
		const [cell, other] = cellsOf([
			sample({ a: 1, b: 2 }, 4),
			sample({ b: 2, a: 1 }, 3, { round: 1 }),
			sample({ a: 1, b: 2 }, 0, { status: "failed", round: 2 }),
			sample({ a: 2, b: 2 }, 7),
		]);
		expect([cell!.samples.length, other!.samples.length]).toEqual([3, 1]);
		expect(spreadIn(cell!, "seconds")).toMatchObject({ least: 3, most: 4, count: 2 });
		expect(leastSample(cell!, "seconds")?.round).toBe(1);
		expect(spreadIn(cell!, "none")).toBeUndefined();
	});

	it("say what differs", () => {
		const told = (...more: Partial<Sample>[]) =>
			differencesOf([sample({ a: 1 }, 1), ...more.map((each) => sample({ a: 2 }, 1, each))], true);
		expect(told({}, { status: "failed", made: { ...made, version: "2" } })).toEqual([]);
		expect(told({ made: { ...made, version: "2" } })).toEqual(["measured with different versions: 1; 2"]);
		expect(told({ made: { ...made, host: "g" } })[0]).toMatch(/different machines: .*\(h\); .*\(g\)/);
		expect(told({ made: { ...made, probe: 3 } })[0]).toMatch(/clock of the machine changed: .* 2.00 to 3.00 ms/);
		expect(told({ made: { ...made, others: 1.5 } })[0]).toMatch(/1.50 cores busy during 1 of 2 samples/);
		expect(told({ hash: "y" })[0]).toMatch(/2 hashes where there should be one/);
	});

	it("know quotas of processor time of both kinds of control groups", () => {
		const quotaIn = (files: Readonly<Record<string, string>>) => coresOfQuota((path) => files[path]);
		expect(quotaIn({})).toBeUndefined();
		const second = { "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/cpu.max": "max 100000\n" };
		expect(quotaIn(second)).toBeUndefined();
		expect(quotaIn({ ...second, "/sys/fs/cgroup/a/cpu.max": "150000 100000\n" })).toBe(1.5);
		const first = (quota: string) => ({
			"/proc/self/cgroup": "3:memory:/x\n2:cpu,cpuacct:/a\n",
			"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": quota,
			"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000\n",
		});
		expect([quotaIn(first("-1\n")), quotaIn(first("50000\n"))]).toEqual([undefined, 0.5]);
	});

	it("become text and CSV that no name breaks", () => {
		expect(keyOf({ a: 1, b: "x" })).toBe(keyOf({ b: "x", a: 1 }));
		expect(csvOf([{ a: 'x,"y"' }, { a: 1, b: 2 }])).toBe('a,b\n"x,""y""",\n1,2\n');
		expect(tableLines({ titles: ["n", "seconds"], rows: [["ab", "1"]] })).toEqual([
			"n   seconds",
			"--  -------",
			"ab        1",
		]);
	});
});
