/** `stickslip picture`: draws a step of a simulation's run file as SVG. */
import { basename } from "node:path";
import { InputError } from "@stickslip/core";
import type { RunReader, Vector } from "@stickslip/mechanics";
import { type Arguments, asNumber } from "../cli/arguments.js";
import type { Command, ExitCode, Terminal } from "../cli/command.js";
import { openRun } from "../files/run-files.js";
import { partPath } from "../files/run-names.js";
import { checkFile, tryFile } from "../output/targets.js";
import { pictureFile } from "../requests/simulate-request.js";
import { drawStep, stepAt } from "../simulate/draw-step.js";

const WIDTH_MAX = 20_000;

export const picture: Command = {
	name: "picture",
	usage: "RUN.h5 --output FILE.svg [options]",
	what: "draws a step of a simulation",
	options: [
		{ name: "output", short: "o", value: "FILE.svg", what: "output file" },
		{ name: "step", value: "N", what: "stored step to draw (default the last)" },
		{ name: "at", value: "T", what: "draw the stored step that is nearest to T seconds" },
		{ name: "from", value: "X,Y,Z", what: "direction from the scene to the eye (default as the scene says)" },
		{ name: "width", value: "PIXELS", what: "width of the picture (default 800)" },
	],
	notes: `
RUN.h5 is the file that \`stickslip simulate --output\` writes, also while it does, or what a killed
run left. Obstacles in front of all bodies are drawn as veils, and planes that face the eye as
squares around the bodies.

Examples: stickslip picture drum.h5 --output drum.svg
          stickslip picture drum.h5 --at 2.5 --from 0,-1,0 -o side.svg
`,
	run: (args, terminal) => draw(args, terminal),
};

async function draw(args: Arguments, terminal: Terminal): Promise<ExitCode> {
	const [path, extra] = args.operands;
	if (path === undefined) return args.refuse("RUN.h5", "is missing", "name the run file of a simulation");
	if (extra !== undefined) args.refuse(extra, "unknown argument", "name one run file");
	const output = pictureFile(args, "output");
	if (output === undefined) return args.refuse("--output", "is missing", "add --output FILE.svg");
	checkFile(args.command, "--output", output, [path]);
	tryFile(args.command, "--output", output);
	const run = await openRun(path);
	try {
		const from = directionOf(args.text("from"), args);
		const width = args.integer("width", 16, WIDTH_MAX, 800);
		terminal.out(`${output}: ${drawStep(run, stepOf(run, args), output, { from, width })}`);
	} finally {
		run.close();
	}
	return 0;
}

function stepOf(run: RunReader, args: Arguments): number {
	const { steps } = run;
	const last = steps.at(-1);
	if (last === undefined) throw noSteps(run);
	const [step, at] = [args.integer("step", 0, Number.MAX_SAFE_INTEGER, last), args.real("at", "from 0", 1)];
	if (step !== undefined && at !== undefined) args.refuse("--step", "cannot be combined with --at", "give one of them");
	if (at !== undefined) return stepAt(run, at) ?? last;
	if (step === undefined || steps.includes(step)) return step ?? last;
	const near = stepAt(run, (step / Math.max(1, last)) * run.timeOf(last));
	return args.refuse("--step", `step ${step} is not stored`, `the nearest that is stored is ${near}`);
}

function noSteps({ parts: [first], missingParts: [missing] }: RunReader): InputError {
	const path = first!.path;
	if (missing === undefined)
		return new InputError(path, "/steps", "there is no stored step", "simulate at least one step");
	const problem = `part ${basename(partPath(path, missing))} is missing`;
	return new InputError(path, "", problem, "copy all parts of the run into one folder");
}

/** `x,y,z`, not all zero. */
function directionOf(text: string | undefined, args: Arguments, option = "--from"): Vector | undefined {
	if (text === undefined) return undefined;
	const numbers = text.split(",").map((each) => asNumber(each.trim()));
	const [x, y, z] = numbers;
	const isVector = numbers.length === 3 && x !== undefined && y !== undefined && z !== undefined;
	if (isVector && (x !== 0 || y !== 0 || z !== 0)) return [x, y, z];
	return args.refuse(option, `"${text}" is not a direction`, `write e.g. ${option} 1,-2,1`);
}
