/** `stickslip study`: compares methods over many problems. */
import type { Command } from "../cli/command.js";
import { parseStudy } from "../requests/study-request.js";
import { studySpecs } from "../requests/study-specs.js";
import { StudyRun } from "../studies/study-run.js";

export const study: Command = {
	name: "study",
	usage: "profile FILE... --output FOLDER [options]",
	what: "compares methods over many problems: performance profiles",
	options: studySpecs,
	notes: `
Every problem is solved by every method to every tolerance. FOLDER gets cells.jsonl, a line for each
solve as soon as it is done; profile.csv, one SVG for each tolerance, and profile.html. Repeated with
the same arguments it continues where it was stopped or killed; with another method, file or
tolerance it solves only what is new. A profile shows for which share of the problems a method takes
at most a given multiple of what the best method takes (Dolan and More 2002). Reliable seconds need
quiet cores: solves at once (--jobs) slow each other down, but need the same products and iterations.

Exit codes: 0 done, 2 a file could not be read, 75 stopped, with all cells kept.

Examples: stickslip study profile problems/*.hdf5 --methods auto,gauss-seidel,apgd -o study
          stickslip launch local --ranks-per-node 4 -- study profile 'problems/*.hdf5' -o study
`,
	run: (args, terminal) => new StudyRun({ line: process.argv.slice(2), ...parseStudy(args) }, terminal).run(),
};
