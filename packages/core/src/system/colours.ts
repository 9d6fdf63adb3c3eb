/** How many colours a coloured sweep has, without making a system: what `stickslip info` tells of a file. */
import type { Problem } from "../problem/problem.js";
import { chooseOperator, matrixOf } from "./choose.js";
import { colourBlocks } from "./layout.js";
import { squareMatrix } from "./square-matrix.js";
import { systemDefaults } from "./system.js";
import type { Coupling } from "./tiles.js";

/** What couples under operator=auto. Without equality rows W of bodies has a block wherever two contacts share one. */
function couplingOf(problem: Problem): Coupling {
	const { rigid, W, equalities } = problem;
	const { kind } = chooseOperator(problem, "auto");
	if (rigid !== undefined && (kind === "matrix-free" || (W === undefined && equalities === undefined))) {
		return { body: rigid.body, bodies: rigid.inverseMass.length };
	}
	const matrix = matrixOf(problem);
	if (matrix === undefined) throw new Error("an assembled operator without W");
	return squareMatrix(problem, matrix);
}

/** The colours of a sweep with the default options; undefined where only W formed of a global form could tell. */
export function sweepColours(problem: Problem): number | undefined {
	if (problem.W === undefined && problem.rigid === undefined) return undefined;
	const coupling = couplingOf(problem);
	const blocks = "body" in coupling ? problem.contacts : coupling.rowStart.length - 1;
	return colourBlocks(blocks, coupling, systemDefaults.seed).reduce((most, colour) => Math.max(most, colour + 1), 0);
}
