/** `stickslip study`: compares methods over many problems. */
import type { Command } from "../cli/command.js";
import { parseStudy } from "../requests/study-request.js";
import { studySpecs } from "../requests/study-specs.js";
import { StudyRun } from "../study/study-run.js";

export const study: Command = {
	name: "study",
	usage: "profile FILE... --output FOLDER [options]",
	what: "compares methods over many problems: performance profiles",
	options: studySpecs,
	notes: `
Every problem is solved by every method to every tolerance. FOLDER gets cells.jsonl, a line for each
solve as soon as it is done; profile.csv, one SVG for each tolerance, and profile.html. The same line
again goes on where it was stopped or killed, and solves only what is new after a method, a file or
a tolerance was added. A profile says for which share of the problems a method takes at most so many
times what the best method takes (Dolan and More 2002). Seconds that count need quiet cores: solves
at once (--jobs) disturb each other's times somewhat, products and iterations not at all.

Exit codes: 0 done, 2 a file could not be read, 75 stopped, with all cells kept.

Examples: stickslip study profile problems/*.hdf5 --methods auto,gauss-seidel,apgd -o study
          stickslip launch local --ranks-per-node 4 -- study profile 'problems/*.hdf5' -o study
`,
	run: (args, terminal) => new StudyRun({ line: process.argv.slice(2), ...parseStudy(args) }, terminal).run(),
};
