import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { report } from "../../testing/report.js";
import { testFolder } from "../../testing/run-cli.js";
import { solveLine } from "../../testing/solve-line.js";
import { addReport } from "../records/reports.js";
import { askToStop } from "../records/stop.js";
import { createRun } from "./folder.js";
import { keepsSomething, provesUnsolved, removeEmpty } from "./kept.js";
import { endState, readState } from "./state.js";

function made(): string {
	const facts = { ...solveLine("solve", "a.hdf5"), where: "local", restarts: 0, checkpoint: 1, capsule: true } as const;
	return createRun(testFolder(), facts).folder;
}

/** Writes a file there, with the folders that it is in. */
function put(folder: string, ...path: string[]): void {
	mkdirSync(join(folder, ...path.slice(0, -1)), { recursive: true });
	writeFileSync(join(folder, ...path), "");
}

describe("a run's folder", () => {
	it("goes where nothing was kept in it", () => {
		const folder = made();
		for (const name of ["placement.json", "launch.json", "stop", "stdin.hdf5", ".state.json.1-1.part"])
			put(folder, name);
		put(folder, "logs", "run.jsonl");
		put(folder, "checkpoints", "0", ".writing-1234", "part-0000");
		mkdirSync(join(folder, "capsule"));
		expect(keepsSomething(folder)).toBe(false);
		removeEmpty(folder);
		expect(existsSync(folder)).toBe(false);
	});

	it("stays where somebody is at work on it, although nothing was reached yet", () => {
		const folder = made();
		put(folder, "supervisor-6f1d");
		expect(keepsSomething(folder)).toBe(false);
		removeEmpty(folder);
		expect(existsSync(folder)).toBe(true);
	});

	it.for([
		["a checkpoint", ["checkpoints", "0", "000000000010", "manifest.json"]],
		["a checkpoint of another problem", ["checkpoints", "3", "000000000010", "manifest.json"]],
		["a capsule", ["capsule", "a-failed.json"]],
		["a report", ["report.jsonl"]],
		["progress", ["progress.json"]],
		["an answer under any name", ["a.solved.hdf5"]],
	] as const)("stays with %s", ([, path]) => {
		const folder = made();
		put(folder, ...path);
		removeEmpty(folder);
		expect(existsSync(join(folder, "run.json"))).toBe(true);
	});
});

describe("exit code 1", () => {
	const ended = (folder: string) => {
		endState(folder, 1);
		const { status, exitCode } = readState(folder);
		return [status, exitCode];
	};

	it("is no end without a report that says so", () => {
		expect(ended(made())).toEqual(["failed", 3]);
		const solved = made();
		addReport(solved, { input: 0, report });
		expect([provesUnsolved(solved), ...ended(solved)]).toEqual([false, "failed", 3]);
	});

	it("is what the report says", () => {
		const folder = made();
		addReport(folder, { input: 0, report: { ...report, status: "stalled" } });
		expect([provesUnsolved(folder), ...ended(folder)]).toEqual([true, "unsolved", 1]);
	});

	it("is a cancelled run where somebody asked it to stop", () => {
		for (const isNow of [false, true]) {
			const folder = made();
			askToStop(folder, { isNow });
			expect(ended(folder)).toEqual(["cancelled", 1]);
		}
	});
});
