/** The folder of a run is made whole or not at all. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../testing/run-cli.js";
import { solveLine } from "../../testing/solve-line.js";
import { temporaryName } from "../files/unfinished.js";
import { createRun, nameOf } from "./folder.js";

it("what a process left that was killed while it made a run goes when the next is made, and not what a live one is at", () => {
	const runs = testFolder();
	const gone = spawnSync(process.execPath, ["-e", ""]).pid;
	for (const pid of [gone, process.pid]) {
		const unfinished = basename(temporaryName("run")).replace(`-${process.pid}-`, `-${pid}-`);
		mkdirSync(join(runs, unfinished));
		writeFileSync(join(runs, unfinished, "key"), "");
	}
	const { id } = createRun(runs, {
		...solveLine("solve", "x"),
		where: "local",
		restarts: 0,
		checkpoint: 60,
		capsule: true,
	});
	expect(readdirSync(runs)).toEqual([expect.stringContaining(`-${process.pid}-`), id]);
});

it.each([
	["-", "stdin"],
	["a/b.c.h5", "b.c"],
	["data/**/*.hdf5", "*"],
])("a run of %j is called %s", (input, name) => {
	expect(nameOf(solveLine("solve", input, "other.hdf5"))).toBe(name);
});
