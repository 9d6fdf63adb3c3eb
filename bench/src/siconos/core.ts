/** The two places where this bench meets @stickslip/core: reading a problem, and solving it with the defaults. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { BlockProblem } from "./score.js";

export interface Answer {
	readonly reaction: Float64Array;
	/** As in the report: what became of it, and which method. */
	readonly status: string;
	readonly method: string;
	/** The fastest of the repeated solves, and the first one. */
	readonly seconds: number;
	readonly secondsFirst: number;
}

/** What is used of the solution that `solve` returns. */
interface Solution {
	readonly reaction: Float64Array;
	readonly report: Omit<Answer, "reaction">;
}

interface Core {
	solve(problem: object, options: object): Promise<Solution> | Solution;
}

interface Fclib {
	readProblem(bytes: Uint8Array, name: string): Promise<ReadProblem> | ReadProblem;
}

interface ReadProblem {
	readonly contacts: number;
	readonly q: Float64Array;
	readonly mu: Float64Array;
	readonly W?: Pick<BlockProblem, "rowStart" | "column" | "values">;
	readonly equalities?: { readonly V: { readonly values: Float64Array } };
}

/** The problem of an FCLIB file by its W, or the reason why Siconos' local solvers cannot be given it. */
export async function readBlocks(path: string): Promise<BlockProblem | { readonly unfit: string }> {
	const fclib = await imported<Fclib>("@stickslip/core/fclib");
	const { contacts, q, mu, W, equalities } = await fclib.readProblem(await readFile(path), basename(path));
	if (W === undefined) return { unfit: "it has no W" };
	// Equality rows that touch no contact change nothing for the contacts: W alone is the whole problem.
	if (equalities?.V.values.some((value) => value !== 0)) return { unfit: "its equality rows act on contacts" };
	return { contacts, q, mu, rowStart: W.rowStart, column: W.column, values: W.values };
}

/** Ours with every default, from R = 0, `repeat` times. */
export async function ours(problem: BlockProblem, tolerance: number, repeat: number): Promise<Answer> {
	const { contacts, q, mu, ...blocks } = problem;
	const core = await imported<Core>("@stickslip/core");
	const given = { name: "bench", contacts, q, mu, W: { rows: contacts, ...blocks } };
	const { reaction, report } = await core.solve(given, { tolerance, measure: "natural", repeat });
	return { ...report, reaction };
}

async function imported<Module>(name: string): Promise<Module> {
	return (await import(name)) as Module;
}
