/** A problem in parts on one rank: the parts are joined, and the answer is cut into theirs. */
import { InputError } from "../base/errors.js";
import type { Problem } from "../problem/problem.js";
import { joinParts, type ProblemPart } from "../problem/problem-part.js";
import { validatePart } from "../problem/validate-part.js";
import type { SolveOptions } from "../solve/options.js";
import type { Report, Solution } from "../solve/report.js";

/** What comes back for a part: three numbers per contact, in the order of its ids. */
export interface PartSolution {
	readonly reaction: Float64Array;
	readonly velocity: Float64Array;
}

export interface PartsSolution {
	readonly report: Report;
	/** By part. */
	readonly parts: readonly PartSolution[];
}

/** Throws an InputError that names the part and the field which are wrong. */
export async function solveJoined(
	parts: readonly ProblemPart[],
	solve: (problem: Problem, start: SolveOptions["start"]) => Promise<Solution>,
): Promise<PartsSolution> {
	if (!Array.isArray(parts) || parts.length === 0) {
		throw new InputError(
			"parts",
			"parts",
			"there are none",
			"give a list of parts that have all contacts between them",
		);
	}
	for (const [index, part] of parts.entries()) validatePart(part, index);
	const { start, ...problem } = joinParts(parts);
	const { report, reaction, velocity } = await solve(problem, start ?? "zero");
	return {
		report,
		parts: parts.map(({ ids }) => ({ reaction: ofIds(reaction, ids), velocity: ofIds(velocity, ids) })),
	};
}

function ofIds(values: Float64Array, ids: Int32Array): Float64Array {
	const own = new Float64Array(3 * ids.length);
	for (let i = 0; i < ids.length; i += 1) {
		for (let k = 0; k < 3; k += 1) own[3 * i + k] = values[3 * ids[i]! + k]!;
	}
	return own;
}
