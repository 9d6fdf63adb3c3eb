/** What a line says of itself without being run: a name for people, and what it sets. Of a line that makes no sense, the line itself will tell. */
import { basename, extname } from "node:path";
import { InputError } from "@stickslip/core";
import { parse } from "../cli/parse.js";
import { solveSpecs } from "../ranks/solve-options.js";

export interface DescribedLine {
	readonly name: string;
	/** By name, switches as "true"; none for a command whose options are not known here. */
	readonly options: Readonly<Record<string, string>>;
}

/** The words after `stickslip`. */
export function describeLine([command = "", ...words]: readonly string[]): DescribedLine {
	if (command !== "solve") return { name: nameOf(words.find((word) => !word.startsWith("-")) ?? command), options: {} };
	try {
		const given = parse({ name: command, options: solveSpecs }, words);
		return { name: nameOf(given.operands[0] ?? command), options: given.settings() };
	} catch (error) {
		if (error instanceof InputError) return { name: command, options: {} };
		throw error;
	}
}

/** The file without its folder and its ending. */
function nameOf(operand: string): string {
	return operand === "-" ? "stdin" : basename(operand, extname(operand));
}
