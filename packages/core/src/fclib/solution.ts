/** An answer as files hold it: u and r, l where there are equality rows, and the global velocity v where there is a global form. */
import { globalVelocity } from "../problem/condense.js";
import type { Problem } from "../problem/problem.js";
import { factor } from "../problem/sparse-lu.js";
import type { Solution } from "../solve/report.js";
import type { FclibSolution } from "./types.js";

export function fclibSolution(
	problem: Problem,
	{ velocity, reaction, multiplier }: Pick<Solution, "velocity" | "reaction" | "multiplier">,
): FclibSolution {
	const l = multiplier.length > 0 ? { l: multiplier } : {};
	const { global } = problem;
	if (global === undefined) return { u: velocity, r: reaction, ...l };
	const v = globalVelocity(global, factor(global.M, problem.name, "M"), reaction, l.l);
	return { u: velocity, r: reaction, v, ...l };
}
