/** Answers and generated problems to files: whole or not at all. */
import type { GeneratedProblem, Solution } from "@stickslip/core";
import type { Loaded } from "./load.js";

export async function save(_path: string, _loaded: Loaded, _solution: Solution): Promise<void> {}
export async function saveGenerated(
	_path: string,
	_problem: GeneratedProblem,
	_form: "global" | "local",
): Promise<void> {}
export async function writeGeneratedTo(
	_stream: NodeJS.WritableStream,
	_problem: GeneratedProblem,
	_form: "global" | "local",
): Promise<void> {}
