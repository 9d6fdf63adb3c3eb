/** The command after `--`: which commands can be launched, and checks of their arguments before anything is started. */
import { InputError } from "@stickslip/core";
import type { Command } from "../cli/command.js";
import { nearest } from "../cli/nearest.js";
import { parse } from "../cli/parse.js";
import { solve } from "../solve/solve.js";

/** Commands that run on ranks. */
const launchables: readonly Command[] = [solve];

/** Options that the launcher decides: number of ranks, transport, processes. */
const decidedByLauncher = ["ranks", "transport", "processes"] as const;

/** The words of the line from the command's name on, checked with its own options; InputError for a line that cannot be launched. */
export function launchable(line: readonly string[] | undefined): readonly string[] {
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
	const given = parse(command, rest);
	for (const option of decidedByLauncher) {
		if (given.text(option) === undefined) continue;
		const remedy = "omit it, and use --nodes and --ranks-per-node before --";
		throw refusal(`--${option}`, "is decided by launch", remedy);
	}
	if (given.operands.length === 0) throw refusal(name, "has no input file", `write e.g. -- ${name} pile.hdf5`);
	return words;
}

/** The input files of the line, as they were written. */
export function operandsOf(words: readonly string[]): readonly string[] {
	const command = launchables.find(({ name }) => name === words[0]);
	return command === undefined ? [] : parse(command, words.slice(1)).operands;
}

/** Whether the line reads its problem from standard input. */
export function readsStandardInput(words: readonly string[]): boolean {
	return operandsOf(words).includes("-");
}

function refusal(place: string, problem: string, remedy: string): InputError {
	return new InputError("launch", place, problem, remedy);
}
