/** What the words after `stickslip` ask for: solve and its arguments. */
import { parse } from "../src/cli/parse.js";
import { parseSolve, type SolveCommandLine } from "../src/requests/solve-request.js";
import { solveSpecs } from "../src/requests/solve-specs.js";

export function solveLine(...line: readonly string[]): SolveCommandLine {
	const { solve, how } = parseSolve(parse({ name: "solve", options: solveSpecs }, line.slice(1)));
	return { line, solve, how };
}
