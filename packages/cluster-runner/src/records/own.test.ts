/** Runs of other users, or that others may write to, are refused by all commands that continue or show runs. */
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { linesOf, testFolder } from "../../testing/run-cli.js";
import { runHere } from "../../testing/run-here.js";
import { solveLine } from "../../testing/solve-line.js";
import { createRun } from "../runs/folder.js";
import { readRun } from "./facts.js";
import { findRun } from "./find.js";
import { GROUP_VARIABLE, requireOwnRun, requireOwnRuns } from "./own.js";

const STRANGER = 12_345;
const isRoot = process.geteuid?.() === 0;
const noUsers = process.geteuid === undefined ? "this system has no numbers of users" : undefined;

function made(runs = join(testFolder(), "runs")) {
	const run = createRun(runs, {
		...solveLine("solve", "pile.hdf5"),
		where: "local",
		restarts: 0,
		checkpoint: 60,
		capsule: false,
	});
	return { runs, ...run };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe.skipIf(noUsers !== undefined)(`runs of others (skipped: ${noUsers ?? "not here"})`, () => {
	it("begin as folders that nobody else may enter", () => {
		const { runs, folder } = made();
		expect([modeOf(runs), modeOf(folder)]).toEqual([0o700, 0o700]);
	});

	it.for([
		["everybody", 0o757, /is writable by everybody, .*; if all files in it are yours, run chmod -R go-w/],
		["its group", 0o775, /is writable by its group \(\d+\), who could then run commands as you/],
	] as const)("are refused where %s may write to the folder, or to the folder of all", ([, mode, told]) => {
		const { runs, folder } = made();
		chmodSync(folder, mode);
		expect(() => readRun(folder)).toThrow(told);
		chmodSync(folder, 0o700);
		expect(readRun(folder).line).toEqual(["solve", "pile.hdf5"]);
		chmodSync(runs, mode);
		for (const use of [() => findRun(runs), () => made(runs), () => requireOwnRuns(runs)]) expect(use).toThrow(told);
	});

	it("are refused where others may write to one of its files, and could enter", () => {
		const { folder } = made();
		writeFileSync(join(folder, "placement.json"), "{}");
		chmodSync(join(folder, "placement.json"), 0o666);
		expect(() => requireOwnRun(folder)).not.toThrow();
		chmodSync(folder, 0o755);
		expect(() => requireOwnRun(folder)).toThrow(/placement\.json: is writable by everybody/);
	});

	it.skipIf(!isRoot)(
		"are refused where somebody else owns the folder, a file in it, or the folder of all (needs root)",
		() => {
			const { runs, folder } = made();
			const file = join(folder, "launch.json");
			writeFileSync(file, "{}");
			for (const path of [folder, file, runs]) {
				chownSync(path, STRANGER, STRANGER);
				expect(() => (path === runs ? findRun(runs) : readRun(folder)), path).toThrow(
					`runs: ${path}: belongs to another user (${STRANGER}), who could run commands as you; run the command as that user`,
				);
				chownSync(path, 0, 0);
			}
			expect(findRun(runs)).toBe(folder);
		},
	);

	it.skipIf(!isRoot)("is writable by the group of a volume, as Kubernetes has it after a mount (needs root)", () => {
		const { runs, folder } = made();
		const paths = [runs, folder, join(folder, "run.json")];
		for (const path of paths) chownSync(path, 0, 10_001);
		for (const path of paths) chmodSync(path, 0o2770);
		expect(() => readRun(folder)).toThrow(/is writable by its group \(10001\)/);
		vi.stubEnv(GROUP_VARIABLE, "10001");
		try {
			expect(findRun(runs)).toBe(folder);
			expect(readRun(folder).restarts).toBe(0);
			chmodSync(folder, 0o2777);
			expect(() => readRun(folder)).toThrow(/by everybody/);
		} finally {
			vi.unstubAllEnvs();
		}
	});

	it("are told in one line, by every command that works with them", async () => {
		const { runs, id, folder } = made();
		chmodSync(folder, 0o777);
		const told = new RegExp(`^stickslip: runs: ${folder}: is writable by everybody`);
		const commands = [["resume", id], ["resume", folder], ["status"], ["logs", "last"], ["stop", id]];
		const ended = await Promise.all(commands.map((words) => runHere([...words, "--runs", runs])));
		for (const [index, { code, out, err }] of ended.entries())
			expect([code, out, linesOf(err)], commands[index]?.join(" ")).toEqual([2, "", [expect.stringMatching(told)]]);
		chmodSync(folder, 0o700);
		mkdirSync(join(runs, "other"));
		chmodSync(runs, 0o777);
		for (const [before, after] of [
			[["runs"], []],
			[["status"], []],
			[
				["launch", "local"],
				["--", "solve", "-"],
			],
		] as const) {
			const { code, err } = await runHere([...before, "--runs", runs, ...after]);
			expect([code, linesOf(err)]).toEqual([2, [expect.stringMatching(/runs: is writable by everybody/)]]);
		}
	});
});
