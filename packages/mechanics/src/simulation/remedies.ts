/** The attempts at a step, in order: methods, starts and limits. */
import { DEFAULT_TOLERANCES, type LawName, methods } from "@stickslip/core";
import type { AttemptOptions, SolverOptions } from "../ranks/contact-solver.js";

/** Properties of the whole problem that decide which remedies are tried, the same on all ranks. */
export interface ProblemKind {
	/** Contacts of all ranks. */
	readonly contacts: number;
	/** Laws of the scene. */
	readonly laws: readonly LawName[];
}

/** Results of failed attempts. */
export interface Findings {
	missesDualCone: boolean;
	isInfeasible: boolean;
}

export interface Remedy {
	/** Method in place of the one that the scene names, with its own options and limits. */
	readonly method?: "proximal-newton" | "apgd";
	/** The start of the step, the solution of the relaxed law, or zero. */
	readonly start: "given" | "relaxed" | "zero";
	/** True if overlaps are taken back. */
	readonly takesBack: boolean;
}

/**
 * The last ones leave overlaps as they are, for a body that is wedged between two others that both would push it away: then there is no solution
 * otherwise.
 */
export const REMEDIES: readonly Remedy[] = [
	{ start: "given", takesBack: true },
	{ method: "proximal-newton", start: "relaxed", takesBack: true },
	{ method: "apgd", start: "zero", takesBack: true },
	{ method: "proximal-newton", start: "relaxed", takesBack: false },
	{ method: "apgd", start: "zero", takesBack: false },
];

/** Iterations within which the error of the scene's own method has to halve; large problems need more of them. */
const PATIENCE_MIN = 300;
const CONTACTS_PER_ITERATION = 5;
/** Most iterations of the others, and where a solution need not exist. */
const LIMITS = { apgd: 2000, "proximal-newton": 300, "interior-point": 100 };
const LIMITS_WITHOUT_EXISTENCE = { apgd: 400, "proximal-newton": 100, "interior-point": 50 };
/** Above this size factors need minutes. */
const FACTORED_MAX = 20_000;
/** Tolerance of the relaxed problem over that of the step. */
const RELAXED = 1e-2;

const INTERIOR_LAWS = methods().find(({ name }) => name === "interior-point")!.laws;

/** Undefined if the method does not fit the problem, or an attempt before has shown that it cannot succeed. */
export function optionsOf(
	{ method, takesBack }: Remedy,
	given: SolverOptions,
	{ contacts, laws }: ProblemKind,
	{ missesDualCone, isInfeasible }: Findings,
): AttemptOptions | undefined {
	const patience = Math.max(PATIENCE_MIN, Math.ceil(contacts / CONTACTS_PER_ITERATION));
	if (method === undefined) return { ...given, patience };
	if (takesBack && isInfeasible) return undefined;
	if (method === "proximal-newton" && (laws.includes("rolling") || contacts > FACTORED_MAX)) return undefined;
	const maxIterations = (missesDualCone ? LIMITS_WITHOUT_EXISTENCE : LIMITS)[method];
	return { ...ownOptions(given), method, maxIterations, worseStart: "use" };
}

/** Options for the relaxed problem; undefined if the method does not take the laws. */
export function relaxationOptions(
	given: SolverOptions,
	{ laws }: ProblemKind,
	{ missesDualCone }: Findings,
): AttemptOptions | undefined {
	// Without a point in the dual cone the relaxed problem has no solution.
	if (missesDualCone || !laws.every((law) => INTERIOR_LAWS.includes(law))) return undefined;
	const { measure = "energy" } = given;
	const { tolerance = DEFAULT_TOLERANCES[measure] } = given;
	const method = "interior-point";
	const maxIterations = LIMITS[method];
	return { ...ownOptions(given), method, tolerance: RELAXED * tolerance, maxIterations, operator: "assembled" };
}

/** Without the options of the scene's method. */
function ownOptions({ set: _set, maxIterations: _max, ...options }: SolverOptions): SolverOptions {
	return options;
}
