/** `stickslip study`: compares methods over many problems, and says what solves would take on machines that are not there. */
import type { Command } from "../cli/command.js";
import { calibrate } from "../model/calibrate.js";
import { predict } from "../model/predict.js";
import { parseCalibrate, parsePredict } from "../requests/model-request.js";
import { modelSpecs } from "../requests/model-specs.js";
import { parseStudy } from "../requests/study-request.js";
import { studySpecs } from "../requests/study-specs.js";
import { StudyRun } from "../studies/study-run.js";

export const study: Command = {
	name: "study",
	usage: "profile FILE... --output FOLDER | calibrate --output FILE | predict FILE --machine FILE  [options]",
	what: "compares methods over many problems (profile), predicts solves on large machines (calibrate, predict)",
	options: [...studySpecs, ...modelSpecs],
	notes: `
Every problem is solved by every method to every tolerance. FOLDER gets cells.jsonl, a line for each
solve as soon as it is done; profile.csv, one SVG for each tolerance, and profile.html. Repeated with
the same arguments it continues where it was stopped or killed; with another method, file or
tolerance it solves only what is new. A profile shows for which share of the problems a method takes
at most a given multiple of what the best method takes (Dolan and More 2002). Reliable seconds need
quiet cores: solves at once (--jobs) slow each other down, but need the same products and iterations.

calibrate measures this machine: what transports take, and what the work of methods takes in caches and
beyond. predict records a real solve of FILE on one rank, cuts the problem for so many ranks, times
some of the shares by themselves, and replays what all ranks compute, exchange and reduce, event by
event, on this machine or with the figures of a published network. Efficiency is the product of
balance (of computing), serialisation (waiting for ranks that are late) and transfer (messages);
"over one" compares with what one rank takes, caches included.

Exit codes: 0 done, 2 a file could not be read, 75 stopped, with all cells kept.

Examples: stickslip study profile problems/*.hdf5 --methods auto,gauss-seidel,apgd -o study
          stickslip launch local --ranks-per-node 4 -- study profile 'problems/*.hdf5' -o study
          stickslip study calibrate --output machine.json
          stickslip study predict pile.hdf5 --machine machine.json --ranks 36,720 --network omnipath-2017
`,
	async run(args, terminal) {
		const [kind] = args.operands;
		if (kind === "calibrate") return await calibrate(parseCalibrate(args), terminal);
		if (kind === "predict") return await predict(parsePredict(args), terminal);
		return await new StudyRun({ line: process.argv.slice(2), ...parseStudy(args) }, terminal).run();
	},
};
