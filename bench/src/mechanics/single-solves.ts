/**
 * Single solves from zero of problems that steps had: of files that one process reads, and of files that are given to the command line, one process for each.
 * The files are what `stickslip simulate --problems` writes.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { load, loadHdf5 } from "@stickslip/cluster-runner";
import { condense, type Problem, solve } from "@stickslip/core";
import { writeFclib } from "@stickslip/core/fclib";
import type { SolverOptions } from "@stickslip/mechanics";
import { program } from "../launch/subject.js";

/** Exit codes of a solve that has ended, solved or not. */
const ENDED = [0, 1];

/** Paths of the problems, those that are not there left out. */
export async function writeFiles(
	folder: string,
	problems: readonly (Problem | undefined)[],
): Promise<(string | undefined)[]> {
	const module = await loadHdf5();
	return problems.map((problem, i) => {
		if (problem === undefined) return undefined;
		const path = join(folder, `step-${i}.hdf5`);
		writeFclib(module, path, condense(problem), { form: "local" });
		return path;
	});
}

/** Milliseconds of reading a file, checking what is in it, and its solve. */
export async function solveOfFile(path: string, options: SolverOptions): Promise<number> {
	const started = performance.now();
	const { problem } = await load(path);
	solve(problem, options);
	return performance.now() - started;
}

/** Milliseconds of the command that solves a file. */
export function solveByCommand(path: string, tolerance: number): number {
	const started = performance.now();
	const { status } = spawnSync(process.execPath, [program, "solve", path, "--tolerance", String(tolerance)], {
		stdio: "ignore",
	});
	if (status === null || !ENDED.includes(status)) throw new Error(`stickslip solve ended with ${status}`);
	return performance.now() - started;
}
