import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runNode, testFolder } from "../../testing/run-cli.js";
import { LogReader } from "./follow.js";
import { RunLog } from "./log.js";

const built = new URL("../../dist/records/log.js", import.meta.url).href;

describe("the log of a run", () => {
	it("has a file for the run and one for each rank, which are read as one", async () => {
		const folder = testFolder();
		const log = new RunLog(folder);
		log.write("run", "info", "started", { ranks: 2 });
		log.write(1, "warn", "saved", { iteration: 10, why: 'a "quoted"\nline' });
		log.write(0, "info", "saved");
		await log.flush();
		expect(readdirSync(join(folder, "logs")).sort()).toEqual(["rank-0000.jsonl", "rank-0001.jsonl", "run.jsonl"]);
		const lines = new LogReader(folder).read();
		expect(lines.map(({ source }) => source).sort()).toEqual([0, 1, "run"]);
		expect(lines.find(({ source }) => source === 1)).toMatchObject({
			...{ level: "warn", event: "saved", facts: { iteration: 10, why: 'a "quoted"\nline' } },
		});
		expect(new LogReader(folder, 1).read().map(({ source }) => source)).toEqual([1]);
	});

	it("is merged by time, lines of one moment in the order of their file", async () => {
		const folder = testFolder();
		await logged(folder, "first");
		const put = (name: string, times: readonly number[]) => {
			const lines = times.map((second) => {
				return JSON.stringify({ time: `2026-11-18T10:00:0${second}Z`, level: "info", event: `${name} ${second}` });
			});
			writeFileSync(join(folder, "logs", `${name}.jsonl`), `${lines.join("\n")}\n`);
		};
		put("run", [1, 3, 3]);
		put("rank-0002", [2, 4]);
		const events = new LogReader(folder).read().map(({ event }) => event);
		expect(events).toEqual(["run 1", "rank-0002 2", "run 3", "run 3", "rank-0002 4"]);
	});

	it("keeps the order of each file where the clock was set back meanwhile", () => {
		const folder = testFolder();
		const put = (name: string, times: readonly string[]) => {
			const lines = times.map((time) => JSON.stringify({ time: `2026-11-18T${time}:00Z`, level: "info", event: time }));
			appendFileSync(join(folder, "logs", `${name}.jsonl`), `${lines.join("\n")}\n`);
		};
		mkdirSync(join(folder, "logs"));
		put("run", ["10:00", "10:02", "09:03"]);
		put("rank-0000", ["10:01", "10:03"]);
		const reader = new LogReader(folder);
		const events = () => reader.read().map(({ event }) => event);
		expect(events()).toEqual(["10:00", "10:01", "10:02", "09:03", "10:03"]);
		put("run", ["09:04", "10:04"]);
		expect(events()).toEqual(["09:04", "10:04"]);
	});

	it("never grows beyond two files of its size, and says that it begins anew", async () => {
		const folder = testFolder();
		const log = new RunLog(folder, 2000);
		for (let k = 0; k < 200; k += 1) log.write("run", "info", "line", { k, text: "x".repeat(50) });
		await log.flush();
		expect(readdirSync(join(folder, "logs")).sort()).toEqual(["run.1.jsonl", "run.jsonl"]);
		for (const name of ["run.1.jsonl", "run.jsonl"]) {
			const file = join(folder, "logs", name);
			expect(statSync(file).size).toBeLessThan(2200);
			expect(readFileSync(file, "utf8").split("\n")[0]).toContain('"event":"rotated","older":"run.1.jsonl"');
		}
		expect(new LogReader(folder).read().at(-1)?.facts.k).toBe(199);
	});

	it("is followed without a gap and without a line twice, also while files change names", async () => {
		const folder = testFolder();
		const log = new RunLog(folder, 1500);
		const reader = new LogReader(folder);
		const seen: number[] = [];
		for (let k = 0; k < 300; k += 1) {
			log.write(k % 2 === 0 ? "run" : 3, "info", "line", { k });
			await log.flush();
			// Bursts of a few lines: never more than one change of names between two looks.
			if (k % 7 === 0) seen.push(...numbersOf(reader));
		}
		seen.push(...numbersOf(reader));
		expect(seen.sort((one, other) => one - other)).toEqual(Array.from({ length: 300 }, (_, k) => k));
		expect(numbersOf(reader)).toEqual([]);
	});

	it("waits for the end of a line, and leaves out what is none", async () => {
		const folder = testFolder();
		await logged(folder, "whole");
		const file = join(folder, "logs", "run.jsonl");
		const reader = new LogReader(folder);
		reader.read();
		appendFileSync(file, '{"time":"2026-11-18T10:00:00Z","level":"info",');
		expect(reader.read()).toEqual([]);
		appendFileSync(file, '"event":"late"}\nnonsense\n{"time":1}\n[]\n');
		expect(reader.read().map(({ event }) => event)).toEqual(["late"]);
		expect(reader.damaged).toBe(3);
	});

	it("cuts what is too long, and is no reason to fail where it cannot be written", async () => {
		const folder = testFolder();
		const log = new RunLog(folder);
		log.write("run", "error", "failed", { reason: "y".repeat(10_000) });
		await log.flush();
		expect(String(new LogReader(folder).read()[0]?.facts.reason).length).toBe(2003);
		const nowhere = new RunLog(join(folder, "logs", "run.jsonl"));
		nowhere.write("run", "info", "line");
		await nowhere.flush();
		expect(nowhere.lost).toBe(1);
		const gone = new RunLog(join(folder, "removed"));
		gone.write("run", "info", "line");
		await gone.flush();
		expect([gone.lost, existsSync(join(folder, "removed"))]).toEqual([1, false]);
	});

	it("is whole when its process exits in the same turn, or with a line under way", async () => {
		for (const how of ["process.exit(0)", "setImmediate(() => process.exit(0))", ""]) {
			const folder = testFolder();
			const lines = Array.from({ length: 40 }, (_, k) => `log.write(${k} % 3, "info", "line", { k: ${k} });`);
			const program = `import { RunLog } from ${JSON.stringify(built)}; const log = new RunLog(${JSON.stringify(folder)}); ${lines.join(" ")} ${how}`;
			mkdirSync(join(folder, "logs"));
			expect(await runNode(["--input-type=module", "--eval", program])).toMatchObject({ code: 0, err: "" });
			expect(
				numbersOf(new LogReader(folder)).sort((one, other) => one - other),
				how,
			).toEqual(lines.map((_, k) => k));
		}
	});

	it("is read without waiting for a named pipe", async () => {
		const folder = testFolder();
		await logged(folder, "line");
		spawnSync("mkfifo", [join(folder, "logs", "rank-0000.jsonl")]);
		expect(new LogReader(folder).read().map(({ event }) => event)).toEqual(["line"]);
	});
});

async function logged(folder: string, event: string): Promise<void> {
	const log = new RunLog(folder);
	log.write("run", "info", event);
	await log.flush();
}

function numbersOf(reader: LogReader): number[] {
	return reader.read().flatMap(({ facts: { k } }) => (typeof k === "number" ? [k] : []));
}
