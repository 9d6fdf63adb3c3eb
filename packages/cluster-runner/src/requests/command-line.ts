/** A line of any command that runs on ranks, and what it requests. */
import type { ServeCommandLine } from "./serve-request.js";
import type { SimulateCommandLine } from "./simulate-request.js";
import type { SolveCommandLine } from "./solve-request.js";
import type { StudyCommandLine } from "./study-request.js";

export type CommandLine = SolveCommandLine | ServeCommandLine | SimulateCommandLine | StudyCommandLine;

/** The part of a launch request that belongs to the line. */
export function commandLineOf({ line, how, ...command }: CommandLine): CommandLine {
	if (command.solve !== undefined) return { line, solve: command.solve, how };
	if (command.serve !== undefined) return { line, serve: command.serve, how };
	if (command.study !== undefined) return { line, study: command.study, how };
	return { line, simulate: command.simulate, how };
}
