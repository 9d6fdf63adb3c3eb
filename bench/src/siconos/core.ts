/** The two places where this bench meets @stickslip/core: reading a problem, and solving it with the defaults. */
import { type Problem, type SolveOptions, solve } from "@stickslip/core";
import { readFile } from "../data.js";
import type { BlockProblem } from "./score.js";

export interface Answer {
	readonly reaction: Float64Array;
	/** As in the report: what became of it, and which method. */
	readonly status: string;
	readonly method: string;
	/** With W, in sweeps and between them, without those of measures. */
	readonly products: number;
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
	const given = problemOf(problem);
	const start = performance.now();
	const options = { tolerance, measure: "natural", maxIterations: ITERATIONS_MAX, repeat, timeLimit } as const;
	const { reaction, report } = solve(given, { ...solver, ...options });
	const secondsWhole = (performance.now() - start) / 1000;
	const { method, products, seconds, status } = report;
	return { method, products, reaction, seconds, secondsWhole, status };
}

function problemOf({ contacts, q, mu, ...blocks }: BlockProblem): Problem {
	return { name: "bench", contacts, q, mu, W: { rows: contacts, ...blocks } };
}

/** Plain sweeps that are made, and those of them that are not counted, since the first ones slide more. */
const SWEEPS = 60;
const FIRST_SWEEPS = 20;
/** Of a tolerance that nobody reaches. */
const NO_TOLERANCE = 1e-30;

/** Seconds of a plain sweep, with what |f| takes and a measure in twenty-five: the least of some, for which there is so much time. */
export function sweepSeconds(problem: BlockProblem, budget: number): number {
	const given = problemOf(problem);
	const sweeps = (maxIterations: number, repeat: number) => {
		const options = { tolerance: NO_TOLERANCE, measure: "natural", maxIterations, repeat } as const;
		return solve(given, { method: "gauss-seidel", set: { window: 0 }, ...options }).report;
	};
	const repeat = Math.max(3, Math.ceil(budget / 2 / sweeps(SWEEPS, 1).seconds));
	const [all, first] = [sweeps(SWEEPS, repeat), sweeps(FIRST_SWEEPS, repeat)];
	const counted = all.iterations - first.iterations;
	return counted > 0 ? (all.seconds - first.seconds) / counted : all.seconds / all.iterations;
}
