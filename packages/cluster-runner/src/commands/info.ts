/** `stickslip info`: describes files of every kind, also those that no method solves yet. */
import { InputError } from "@stickslip/core";
import type { FclibDescription, MemoryEstimate } from "@stickslip/core/fclib";
import { factsOf, type ProblemFacts } from "../base/facts.js";
import { bytes, count, counted, oneLine, small, three } from "../base/format.js";
import { type Command, type ExitCode, worst } from "../cli/command.js";
import { expand } from "../cli/expand.js";
import { describe } from "../files/load.js";
import { isRunFile } from "../files/run-files.js";
import { asFailure } from "../output/failure.js";
import { pairs } from "../output/table.js";
import { wholeBytes } from "../solve/memory.js";
import { type PartRequest, partAsJson, partAsText, partOf, partOptions, partRequest } from "./info-ranks.js";
import { describeRun, runAsText } from "./info-run.js";

export const info: Command = {
	name: "info",
	usage: "FILE... [--ranks N [--picture FILE.svg]] [--json]",
	what: "describes FCLIB files and how ranks would share them, and run files of simulations",
	options: [{ name: "json", what: "print one JSON object per file, one per line" }, ...partOptions],
	notes: `
FILE is an FCLIB file, the run file of a simulation, a quoted glob or - for standard input. Plane
problems are described too.

memory is an estimate for a solve, from measurements of generated problems (memoryBytes in
JSON). \`solve\` prints a warning if it is more than half of the free memory, and refuses a problem
that cannot fit, before loading it. With --json a file that cannot be read has an object too: file,
status "error", reason and version.

asymmetry is |W - W^T| / |W| (0 for a symmetric W); colours are those of the contacts, and the bound
is a clique: no colouring has fewer. --ranks N adds the partition that \`solve --ranks N\` uses:
balance (the heaviest rank over the mean), cut, ghosts, neighbours and halo bytes of each rank;
--picture draws it.

For a run file it prints the scene, which steps are stored, whether the last one is, the bodies,
shapes and contacts of the last stored step, and the run that wrote it with its last checkpoint.

Examples: stickslip info pile.hdf5 --ranks 8 --picture pile.svg
          stickslip info drum.h5
`,
	async run(args, terminal) {
		if (args.operands.length === 0) args.refuse("FILE", "is missing", "name an FCLIB file, or - for standard input");
		const request = partRequest(args);
		const codes: ExitCode[] = [];
		for (const [index, input] of expand(args.operands).entries()) {
			if (terminal.closed) break;
			const name = input === "-" ? "standard input" : input;
			try {
				const { json, text } = await describeInput(input, name, request);
				if (args.flag("json")) terminal.out(JSON.stringify(json));
				else {
					if (index > 0) terminal.out("");
					for (const line of text) terminal.out(line);
				}
				codes.push(0);
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
				terminal.err(`stickslip: ${oneLine(error.message)}`);
				if (args.flag("json")) terminal.out(JSON.stringify({ file: name, ...asFailure(error.message) }));
				codes.push(2);
			}
		}
		return worst(codes);
	},
};

async function describeInput(
	input: string,
	name: string,
	request: PartRequest | undefined,
): Promise<{ json: object; text: string[] }> {
	if (input !== "-" && isRunFile(input)) {
		if (request !== undefined)
			throw new InputError(name, "--ranks", "is for problems, and this is a run", "leave it out");
		const facts = await describeRun(input);
		return { json: facts, text: runAsText(facts) };
	}
	const { description, problem, memory } = await describe(input, name);
	const facts = problem === undefined ? {} : factsOf(problem);
	const part = request && partOf(problem, name, request);
	return {
		json: { ...asJson(description, facts), ...memoryAsJson(memory), ...partAsJson(part) },
		text: [...asText(description, facts, memory), ...partAsText(part)],
	};
}

function asJson(description: FclibDescription, facts: ProblemFacts): object {
	const { file, info: texts, refusal, ...rest } = description;
	const { title, description: descriptionText, mathInfo } = texts;
	return {
		file,
		...rest,
		...facts,
		solvable: refusal === undefined,
		title: title?.text ?? "",
		description: descriptionText?.text ?? "",
		mathInfo: mathInfo?.text ?? "",
	};
}

function asText(description: FclibDescription, facts: ProblemFacts, memory: MemoryEstimate | undefined): string[] {
	const { file, kind, dimension, contacts, matrices, frictionMin, frictionMax, info: texts, refusal } = description;
	const storage = Object.entries(matrices).map(([name, { rows, columns, storage: form, entries }]) => {
		return [name, `${count(rows)} x ${count(columns)}, ${count(entries)} entries as ${form}`] as const;
	});
	const { rollingFrictionMin: rollingMin, rollingFrictionMax: rollingMax } = description;
	const rolling = rollingMin === undefined || rollingMax === undefined ? "" : range(rollingMin, rollingMax);
	return [
		oneLine(file),
		...pairs([
			[
				"kind",
				`${kind}, ${dimension} components per contact${refusal === undefined ? "" : "; not solved by this version"}`,
			],
			["title", texts.title?.text ?? ""],
			["description", texts.description?.text ?? ""],
			["contacts", count(contacts)],
			["bodies", facts.bodies === undefined ? "" : count(facts.bodies)],
			["degrees of freedom", description.degreesOfFreedom === undefined ? "" : count(description.degreesOfFreedom)],
			["equality rows", count(description.equalityRows)],
			["friction", contacts === 0 ? "" : range(frictionMin, frictionMax)],
			["rolling friction", contacts === 0 || rolling === "" ? "" : `${rolling} (mu_r, a length)`],
			[
				"laws",
				Object.entries(description.laws ?? {})
					.map(([name, contacts]) => `${name} ${count(contacts)}`)
					.join(", "),
			],
			...storage,
			["blocks of W", blocks(facts, contacts)],
			["asymmetry of W", facts.asymmetry === undefined ? "" : small(facts.asymmetry)],
			["colours", colours(facts)],
			["geometry", description.geometry.join(", ")],
			["guesses", count(description.guesses)],
			["solution", description.solution ? "yes" : "no"],
			["memory", memory === undefined ? "" : `about ${bytes(wholeBytes(memory))} for a solve on one rank`],
		]),
	];
}

function memoryAsJson(memory: MemoryEstimate | undefined): { memoryBytes?: number } {
	return memory === undefined ? {} : { memoryBytes: wholeBytes(memory) };
}

function colours({ colours: used, coloursBound = 0 }: ProblemFacts): string {
	return used === undefined ? "" : `${count(used)}, lower bound ${count(coloursBound)}`;
}

function range(least: number, most: number): string {
	return least === most ? three(least) : `${three(least)} to ${three(most)}`;
}

function blocks({ blocks: all, blocksPerRowMin = 0, blocksPerRowMax = 0 }: ProblemFacts, contacts: number): string {
	if (all === undefined || contacts === 0) return "";
	const mean = three(all / contacts);
	return `${counted(all, "block")}, ${count(blocksPerRowMin)} to ${count(blocksPerRowMax)} per row, ${mean} in the mean`;
}
