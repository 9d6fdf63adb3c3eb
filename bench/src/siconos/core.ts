/** The two places where this bench meets @stickslip/core: reading a problem, and solving it with the defaults. */
import { type Problem, type SolveOptions, solve } from "@stickslip/core";
import { readFile } from "../data.js";
import type { BlockProblem } from "./score.js";

export interface Answer {
	readonly reaction: Float64Array;
	/** As in the report: what became of it, and which method. */
	readonly status: string;
	readonly method: string;
	/** The fastest of the repeated solves, without set-up. */
	readonly seconds: number;
	/** The whole call once: checks, set-up of operator and method, the solve, the measures at the end. */
	readonly secondsWhole: number;
}

/** The problem of an FCLIB file by its W, or the reason why Siconos' local solvers cannot be given it. */
export async function readBlocks(path: string): Promise<BlockProblem | { readonly unfit: string }> {
	return blocksOf(await readFile(path));
}

/** The same of a problem whose W is formed. */
export function blocksOf(problem: Problem): BlockProblem | { readonly unfit: string } {
	const { contacts, q, mu, W, equalities } = problem;
	if (W === undefined) return { unfit: "it has no W" };
	// Equality rows that touch no contact change nothing for the contacts: W alone is the whole problem.
	if (equalities?.V.values.some((value) => value !== 0)) return { unfit: "its equality rows act on contacts" };
	return { contacts, q, mu, rowStart: W.rowStart, column: W.column, values: W.values };
}

/** The clock ends an attempt, as it does theirs, not the number of iterations. */
const ITERATIONS_MAX = 1e8;

/** A method and its settings. */
export type Solver = Pick<SolveOptions, "method" | "set">;

/** Ours, with every default unless a solver is named, from R = 0, `repeat` times; the limit is the one that an attempt of Siconos has. */
export function ours(
	problem: BlockProblem,
	tolerance: number,
	repeat: number,
	timeLimit: number,
	solver: Solver = {},
): Answer {
	const { contacts, q, mu, ...blocks } = problem;
	const given: Problem = { name: "bench", contacts, q, mu, W: { rows: contacts, ...blocks } };
	const start = performance.now();
	const options = { tolerance, measure: "natural", maxIterations: ITERATIONS_MAX, repeat, timeLimit } as const;
	const { reaction, report } = solve(given, { ...solver, ...options });
	const secondsWhole = (performance.now() - start) / 1000;
	const { method, seconds, status } = report;
	return { method, reaction, seconds, secondsWhole, status };
}
