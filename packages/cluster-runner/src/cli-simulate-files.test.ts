/** Files that a simulation writes step by step: one writer at a time, nothing of an earlier run is lost, and what cannot be continued is renamed. */
import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { soon } from "../testing/processes.js";
import { type Ended, linesOf, runCli, testFolder } from "../testing/run-cli.js";
import { runHere } from "../testing/run-here.js";
import { readCsv } from "./files/csv-file.js";
import { openRun } from "./files/run-files.js";
import { Bed } from "./testing/bed.js";
import { findPython, noHosts, noPython } from "./testing/lacking.js";
import { openSmallDisk } from "./testing/small-disk.js";

const SHORT = ["simulate", "stack", "--steps", "6"];
const ENDLESS = ["simulate", "drum", "--bodies", "10", "--steps", "1000000", "--every", "1"];
const STEPS = 300;
const LONG = ["simulate", "drum", "--bodies", "10", "--steps", String(STEPS), "--json"];
const EVERY = ["--every", "10"];

/** Steps in a run file, which may be at work. */
async function stepsIn(path: string): Promise<readonly number[]> {
	const run = await openRun(path);
	const { steps } = run;
	run.close();
	return steps;
}

/** Runs a command in a folder, and calls `act` once the run file has grown to some steps. */
function struck(cwd: string, words: readonly string[], act: (child: ChildProcess) => void): Promise<Ended> {
	const isAtWork = () => existsSync(join(cwd, "a.csv")) && readFileSync(join(cwd, "a.csv")).length > 2 ** 14;
	const started = (child: ChildProcess) => void soon(isAtWork).then(() => act(child));
	return runCli([...words, "--output", "a.h5", "--csv", "a.csv"], { cwd, seconds: 90, started });
}

const from = (last: number, step = 1) => Array.from({ length: Math.floor(last / step) + 1 }, (_, at) => step * at);

describe("files of an earlier run", () => {
	it("are replaced only with --overwrite, parts, tables and problems included; a refused launch makes no run", async () => {
		const cwd = testFolder();
		const dump = ["--dump-problems", "every"];
		const words = [...SHORT, "--ranks", "2", "--output", "a.h5", "--csv", "a.csv", ...dump];
		expect((await runHere(words, { cwd })).code).toBe(0);
		const all = () => readdirSync(cwd, { recursive: true, encoding: "utf8" }).sort();
		const before = all();
		const bytes = readFileSync(join(cwd, "a.h5"));
		for (const [option, line] of [
			["--output", words],
			["--output", [...SHORT, "--output", "a.hdf5"]],
			["--csv", [...SHORT, "--csv", "a.csv"]],
			["--dump-problems", [...SHORT, ...dump]],
			["--output", ["launch", "local", "--runs", "runs", "--", ...SHORT, "--output", "a.h5"]],
		] as const) {
			const { code, out, err } = await runHere(line, { cwd });
			expect([code, out, linesOf(err)]).toEqual([2, "", [expect.stringContaining(`simulate: ${option}: ${cwd}`)]]);
		}
		expect([all(), readFileSync(join(cwd, "a.h5")).equals(bytes)]).toEqual([before, true]);
		const again = await runHere([...SHORT, "--output", "a.h5", "--csv", "a.csv", ...dump, "--overwrite"], { cwd });
		expect([again.code, again.err]).toEqual([0, ""]);
		// The part of the second rank is gone, since the new run has none.
		expect(all()).toEqual(before.filter((name) => !name.includes(".rank-")));
	});

	it("may be empty: a name that was reserved is free; a link stays one", async () => {
		const cwd = testFolder();
		writeFileSync(join(cwd, "real.h5"), "");
		symlinkSync("real.h5", join(cwd, "a.h5"));
		expect((await runHere([...SHORT, "--ranks", "2", "--output", "a.h5"], { cwd })).code).toBe(0);
		expect(readdirSync(cwd).sort()).toEqual(["a.h5", "real.h5", "real.rank-0001.h5", "real.xdmf"]);
		expect(await stepsIn(join(cwd, "a.h5"))).toEqual([0, 1, 2, 3, 4, 5, 6]);
	});
});

describe("two writers of one output", () => {
	it("are one: the second is refused before it changes anything, and Ctrl-C of the first stores its last step", async () => {
		const cwd = testFolder();
		const seconds: Ended[] = [];
		const first = await struck(cwd, ENDLESS, async (child) => {
			for (const output of [
				["--output", "a.h5"],
				["--output", "a.hdf5"],
				["--csv", "a.csv"],
			]) {
				seconds.push(await runCli([...SHORT, ...output, "--overwrite"], { cwd, seconds: 30 }));
			}
			child.kill("SIGINT");
		});
		expect(seconds.map(({ code }) => code)).toEqual([2, 2, 2]);
		for (const { err } of seconds) expect(err).toMatch(/^stickslip: simulate: --(output|csv): .*process \d+/);
		expect(first.code, first.err).toBe(1);
		const done = Number(/steps +([\d,]+) of/.exec(first.out)![1]!.replaceAll(",", ""));
		expect(await stepsIn(join(cwd, "a.h5"))).toEqual(from(done));
		const { columns, values } = readCsv(join(cwd, "a.csv"));
		expect(values.length / columns.length).toBe(done);
		expect(readdirSync(cwd).sort()).toEqual(["a.csv", "a.h5", "a.xdmf"]);
	});

	it("may follow one another: the claim of a killed process does not count, and its file opens in other programs", async () => {
		const cwd = testFolder();
		const killed = await struck(cwd, ENDLESS, (child) => child.kill("SIGKILL"));
		expect(killed.signal).toBe("SIGKILL");
		expect(readdirSync(cwd).filter((name) => name.includes("claim"))).toHaveLength(2);
		if (noPython("h5py") === undefined) {
			const program = 'import h5py, sys\nprint(*h5py.File(sys.argv[1], "r")["steps/step"][:])';
			const text = execFileSync(findPython("h5py")!, ["-c", program, join(cwd, "a.h5")], { encoding: "utf8" });
			const steps = text.trim().split(" ").map(Number);
			expect(steps).toEqual(from(steps.length - 1));
		}
		const steps = await stepsIn(join(cwd, "a.h5"));
		expect(steps).toEqual(from(steps.length - 1));
		const again = await runHere([...SHORT, "--output", "a.h5", "--csv", "a.csv", "--overwrite"], { cwd });
		expect([again.code, readdirSync(cwd).sort()], again.err).toEqual([0, ["a.csv", "a.h5", "a.xdmf"]]);
	});

	it("end if their claim is gone: another process has taken the output over", async () => {
		const cwd = testFolder();
		const { code, err } = await struck(cwd, ENDLESS, () => {
			for (const name of readdirSync(cwd)) if (name.includes(".run-claim-")) rmSync(join(cwd, name));
		});
		expect([code, linesOf(err)]).toEqual([3, [expect.stringContaining(join(cwd, "a.h5"))]]);
	});
});

describe("a run that is resumed", () => {
	/** Stops a run with a checkpoint; returns its working folder. */
	async function stopped(ranks: string): Promise<string> {
		const cwd = testFolder();
		const line = [...LONG, "--ranks", ranks, "--checkpoint", "0", "--runs", "runs"];
		const progress = () => {
			const runs = join(cwd, "runs");
			const [id = ""] = existsSync(runs) ? readdirSync(runs).filter((name) => !name.startsWith(".")) : [];
			return existsSync(join(runs, id, "progress.json"));
		};
		const started = (child: ChildProcess) => void soon(progress).then(() => child.kill("SIGINT"));
		const words = [...line, ...EVERY, "--output", "a.h5", "--csv", "a.csv"];
		const { code, err } = await runCli(words, { cwd, seconds: 90, started });
		expect(code, err).toBe(75);
		return cwd;
	}
	const resumed = (cwd: string) => runCli(["resume", "last", "--runs", "runs"], { cwd, seconds: 90 });

	it("replaces nothing that it cannot continue, names files that are gone, and ends in the same state", async () => {
		const cwd = await stopped("2");
		const whole = await runHere([...LONG], { cwd });
		const { hash } = JSON.parse(whole.out) as { hash: string };
		const damaged = readFileSync(join(cwd, "a.h5")).subarray(0, 3000);
		writeFileSync(join(cwd, "a.h5"), damaged);
		writeFileSync(join(cwd, "a.csv"), "something else\n");
		const { code, out, err } = await resumed(cwd);
		expect([code, (JSON.parse(out || "{}") as { hash: string }).hash], err).toEqual([0, hash]);
		const told = linesOf(err).filter((line) => line.includes("warning"));
		expect(told).toEqual([
			expect.stringContaining(join(cwd, "a.csv.aside-1")),
			expect.stringContaining(join(cwd, "a.aside-1.h5")),
		]);
		expect(readFileSync(join(cwd, "a.aside-1.h5")).equals(damaged)).toBe(true);
		expect(existsSync(join(cwd, "a.aside-1.rank-0001.h5"))).toBe(true);
		expect(readFileSync(join(cwd, "a.csv.aside-1"), "utf8")).toBe("something else\n");
		expect((await stepsIn(join(cwd, "a.h5"))).at(-1)).toBe(STEPS);
	});

	it("begins a new file where its own is gone or lacks a part, and says so", async () => {
		const cwd = await stopped("2");
		renameSync(join(cwd, "a.rank-0001.h5"), join(cwd, "elsewhere.h5"));
		const info = await runHere(["info", "a.h5"], { cwd });
		expect(info.out).toMatch(/a\.rank-0001\.h5 is missing/);
		rmSync(join(cwd, "a.csv"));
		const { code, err } = await resumed(cwd);
		const told = linesOf(err).filter((line) => line.includes("warning"));
		expect([code, told]).toEqual([
			0,
			[expect.stringContaining(join(cwd, "a.csv")), expect.stringContaining("a.rank-0001.h5")],
		]);
		renameSync(join(cwd, "elsewhere.h5"), join(cwd, "a.aside-1.rank-0001.h5"));
		const before = await stepsIn(join(cwd, "a.aside-1.h5"));
		expect(before[0]).toBe(0);
		expect([...before, ...(await stepsIn(join(cwd, "a.h5")))]).toEqual(from(STEPS, 10));
	});
});

const lack = noHosts();
it.skipIf(lack !== undefined)(
	`a full disk ends a run with the name of the file and the command that continues it (skipped without root: ${lack ?? "not here"})`,
	{ timeout: 120_000 },
	async () => {
		const bed = new Bed();
		try {
			const disk = openSmallDisk(bed, 2 ** 19);
			const cwd = testFolder();
			const file = join(disk.folder, "a.h5");
			for (const ranks of ["1", "2"]) {
				const runs = join(cwd, ranks);
				const words = [...LONG, "--every", "1", "--overwrite", "--ranks", ranks, "--output", file];
				const kept = ["--checkpoint", "0.1", "--runs", runs];
				const full = await runCli([...words, ...kept], { cwd, seconds: 60 });
				const [id = ""] = readdirSync(runs);
				expect([full.code, linesOf(full.err).at(-1)]).toEqual([
					3,
					expect.stringMatching(new RegExp(`${disk.folder}/a\\.\\S+ .*stickslip resume ${id}`)),
				]);
				const stored = await stepsIn(file);
				expect(stored).toEqual(from(stored.length - 1));
				execFileSync("mount", ["-o", "remount,size=64m", disk.folder]);
				const { code, err } = await runCli(["resume", "last", "--runs", runs], { cwd, seconds: 60 });
				expect([code, await stepsIn(file)], err).toEqual([0, from(STEPS)]);
				for (const name of readdirSync(disk.folder)) rmSync(join(disk.folder, name));
				execFileSync("mount", ["-o", "remount,size=512k", disk.folder]);
			}
		} finally {
			await bed.close();
		}
	},
);
