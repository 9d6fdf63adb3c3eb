/** The request of the words after `stickslip`: solve and its arguments. */
import { parse } from "../src/cli/parse.js";
import { parseSolve, type SolveCommandLine } from "../src/requests/solve-request.js";
import { solveSpecs } from "../src/requests/solve-specs.js";
import { createRun, type Run } from "../src/runs/folder.js";
import { testFolder } from "./run-cli.js";

export function solveLine(...line: readonly string[]): SolveCommandLine {
	const { solve, how } = parseSolve(parse({ name: "solve", options: solveSpecs }, line.slice(1)));
	return { line, solve, how };
}

/** A run on Slurm that has not begun. */
export function slurmRun(): Run {
	const how = { where: "slurm", restarts: 0, checkpoint: 0, capsule: false } as const;
	return createRun(testFolder(), { ...solveLine("solve", "pile.hdf5"), ...how });
}
