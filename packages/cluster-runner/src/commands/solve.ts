/** `stickslip solve`: solves problems of files, in this process or on ranks that it starts. */
import type { Command } from "../cli/command.js";
import { parseSolve } from "../requests/solve-request.js";
import { solveNotes, solveSpecs } from "../requests/solve-specs.js";
import { SolveRun } from "../solve/solve.js";

export const solve: Command = {
	name: "solve",
	usage: "FILE... [options]",
	what: "solves the problems of FCLIB files (HDF5): local or global form",
	options: solveSpecs,
	notes: solveNotes,
	run: (args, terminal) => new SolveRun({ ...parseSolve(args), line: process.argv.slice(2) }, terminal).run(),
};
