/** The colours of a coloured sweep, without making a system: what `stickslip info` tells of a file, and benches of colourings. */
import type { Problem } from "../problem/problem.js";
import { momentBlocks } from "../problem/rolling.js";
import { chooseOperator, matrixOf, type OperatorName } from "./choose.js";
import { colourBlocks, colourBound, colourSizes } from "./colouring.js";
import { planDefaults } from "./plan.js";
import { squareMatrix } from "./square-matrix.js";
import type { Coupling } from "./tiles.js";
import { couplingOfUnits, unitsOf } from "./units.js";

/** What couples. Without equality rows W of bodies has a block wherever two contacts share one: only who asks for W has it formed. */
function couplingOf(problem: Problem, operator: OperatorName): Coupling {
	const { rigid, W, equalities } = problem;
	const { kind } = chooseOperator(problem, operator);
	const formed = W === undefined && equalities === undefined && operator === "auto";
	if (rigid !== undefined && (kind === "matrix-free" || formed)) {
		return { body: rigid.body, bodies: rigid.inverseMass.length };
	}
	const matrix = matrixOf(problem);
	if (matrix === undefined) throw new Error("an assembled operator without W");
	return squareMatrix(problem, matrix);
}

function blocksOf(problem: Problem, coupling: Coupling): number {
	return "body" in coupling ? problem.contacts : coupling.rowStart.length - 1;
}

/** What is coloured: a rolling contact is one. */
function unitsIn(problem: Problem, coupling: Coupling): { readonly coupling: Coupling; readonly blocks: number } {
	const blocks = blocksOf(problem, coupling);
	const isMoment = problem.laws && momentBlocks(problem.laws);
	if (isMoment === undefined) return { coupling, blocks };
	const units = unitsOf(blocks, problem.contacts, isMoment);
	return { coupling: couplingOfUnits(coupling, units), blocks: units.start.length - 1 };
}

export interface Colouring {
	readonly blocks: number;
	readonly colours: number;
	/** No colouring has fewer colours: so many blocks all couple. */
	readonly bound: number;
	/** Blocks of the smallest colour and of the largest. */
	readonly least: number;
	readonly most: number;
}

/** Colours, their bound and their sizes under an operator. */
export function describeColouring(
	problem: Problem,
	operator: OperatorName = "auto",
	seed = planDefaults.seed,
): Colouring {
	const { coupling, blocks } = unitsIn(problem, couplingOf(problem, operator));
	const sizes = colourSizes(colourBlocks(blocks, coupling, seed));
	return {
		blocks,
		colours: sizes.length,
		bound: colourBound(blocks, coupling),
		least: sizes.reduce((least, size) => Math.min(least, size), blocks),
		most: sizes.reduce((most, size) => Math.max(most, size), 0),
	};
}
