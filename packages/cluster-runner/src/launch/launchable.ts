/** The command after `--`: which commands can be launched, parsed and checked before anything is started. */
import { InputError } from "@stickslip/core";
import { nearest } from "../cli/nearest.js";
import { parse } from "../cli/parse.js";
import type { CommandLine } from "../requests/command-line.js";
import { parseStudy } from "../requests/parse-study.js";
import { parseSimulate } from "../requests/simulate-request.js";
import { simulateSpecs } from "../requests/simulate-specs.js";
import { parseSolve } from "../requests/solve-request.js";
import { rankSpecs, solveSpecs } from "../requests/solve-specs.js";
import { studySpecs } from "../requests/study-specs.js";
import { parseServe, serveSpecs } from "../service/serve-options.js";

/** Commands that run on ranks. */
const launchables = [
	{ name: "solve", options: solveSpecs },
	{ name: "simulate", options: simulateSpecs },
	{ name: "serve", options: serveSpecs },
	{ name: "study", options: studySpecs },
] as const;

/** The line from the command's name on, and what it asks for; InputError for a line that cannot be launched. */
export function launchable(line: readonly string[] | undefined): CommandLine {
	if (line === undefined) {
		throw refusal("--", "the command to launch is missing", "write e.g. stickslip launch local -- solve pile.hdf5");
	}
	const words = line[0] === "stickslip" ? line.slice(1) : line;
	const [name, ...rest] = words;
	const names = launchables.map((command) => command.name);
	if (name === undefined)
		throw refusal("--", "is not followed by a command", `follow it with ${names.join(" or ")} and its arguments`);
	const command = launchables.find((candidate) => candidate.name === name);
	if (command === undefined) {
		const meant = nearest(name, names);
		const remedy =
			meant === undefined
				? `launch accepts ${names.join(", ")}; run other commands directly`
				: `did you mean ${meant}?`;
		throw refusal(name, "cannot be launched", remedy);
	}
	const args = parse(command, rest);
	for (const option of command.name === "study" ? [] : rankSpecs) {
		if (args.text(option.name) === undefined) continue;
		const remedy = "omit it, and use --nodes and --ranks-per-node before --";
		throw refusal(`--${option.name}`, "is decided by launch", remedy);
	}
	if (command.name === "serve") {
		if (args.texts("add-client").length > 0) {
			throw refusal("--add-client", "starts nothing", "run stickslip serve --add-client by itself");
		}
		return { line: words, ...parseServe(args) };
	}
	if (command.name === "simulate") {
		if (args.flag("schema")) throw refusal("--schema", "starts nothing", "run stickslip simulate --schema by itself");
		if (args.text("write-scene") !== undefined) {
			throw refusal("--write-scene", "starts nothing", "run stickslip simulate --write-scene by itself");
		}
		const { simulate, how } = parseSimulate(args);
		return { line: words, simulate, how };
	}
	if (command.name === "study") return { line: words, ...parseStudy(args) };
	if (args.operands.length === 0) throw refusal(name, "has no input file", `write e.g. -- ${name} pile.hdf5`);
	const { solve, how } = parseSolve(args);
	return { line: words, solve, how };
}

/** Whether the problem comes from standard input. */
export function readsStandardInput({ solve }: Pick<CommandLine, "solve">): boolean {
	return solve?.inputs.includes("-") ?? false;
}

function refusal(place: string, problem: string, remedy: string): InputError {
	return new InputError("launch", place, problem, remedy);
}
