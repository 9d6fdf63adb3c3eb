/** A line of any command that runs on ranks, and what it asks for. */
import type { ServeCommandLine } from "./serve-request.js";
import type { SolveCommandLine } from "./solve-request.js";

export type CommandLine = SolveCommandLine | ServeCommandLine;

/** What of a request to launch is the line's own. */
export function commandLineOf({ line, how, ...command }: CommandLine): CommandLine {
	return command.solve === undefined ? { line, serve: command.serve, how } : { line, solve: command.solve, how };
}
