/**
 * What is decided of a problem as a whole before it is shared out: the operator, the diagonal blocks, the order of blocks and the tiles that
 * ranks own. All of it follows from global ids and options, nothing from ranks.
 */

import { beginPhase } from "../base/setup-phase.js";
import { RigidMatrix, type RigidRows } from "../problem/assemble-rigid.js";
import { checkDiagonal, SIGNS_REMEDY } from "../problem/diagonal.js";
import { diagonalOf } from "../problem/diagonal-blocks.js";
import { globalDiagonal } from "../problem/global-diagonal.js";
import { lawsOf } from "../problem/laws.js";
import { type Masses, massesOf } from "../problem/masses.js";
import type { BlockMatrix, Problem } from "../problem/problem.js";
import { rigidDiagonal } from "../problem/rigid-diagonal.js";
import { momentBlocks, withMoments } from "../problem/rolling.js";
import { factor, type SparseLu } from "../problem/sparse-lu.js";
import type { Checked } from "../problem/validate.js";
import { type Choice, chooseOperator, matrixOf, type OperatorName } from "./choose.js";
import { type Layout, type LayoutOptions, makeLayout } from "./layout.js";
import { equalityBlocks, squareMatrix } from "./square-matrix.js";
import type { Coupling } from "./tiles.js";
import { couplingOfUnits, layoutOfBlocks, pointsOfUnits, unitsOf } from "./units.js";

export interface PlanOptions extends LayoutOptions {
	readonly operator: OperatorName;
	/** Whether a method wants to know what M and H are. */
	readonly masses?: boolean;
}

export const planDefaults: PlanOptions = { operator: "auto", order: "coloured", seed: 1 };

export interface Plan {
	readonly problem: Problem;
	/** Contacts and equality blocks. */
	readonly blocks: number;
	readonly operator: "assembled" | "matrix-free" | "global";
	readonly operatorReason: string;
	/** Of M and H, where they were wanted and are known. */
	readonly masses?: Masses;
	/** Which blocks couple, by id. */
	readonly coupling: Coupling;
	/** In words: "10.9 blocks per row", "405 bodies". */
	readonly couplingText: string;
	/** W with the equality rows, where it has rows. */
	readonly matrix?: BlockMatrix;
	/** M of a global form, factored. */
	readonly lu?: SparseLu;
	/** Nine values per block, by id; none where values are left to the ranks. */
	readonly diagonal: Float64Array;
	/** Ids of contacts with a singular diagonal block. */
	readonly singular: readonly number[];
	/** Whether values are left to the ranks: who makes the plan has the pattern of W, or which bodies are in contact. */
	readonly isUnread: boolean;
	readonly layout: Layout;
}

type Making = Pick<Plan, "coupling" | "couplingText" | "matrix" | "lu" | "diagonal"> & {
	/** For messages: what the diagonal blocks are made of, and what to do about a bad one. */
	readonly place: string;
	readonly remedy: string;
};

/** What all problems of a pattern have in common. */
export interface PatternPlan {
	readonly layout: Layout;
	/** Of an operator that every problem of the pattern can have. */
	readonly choice?: Choice;
	/** Room for nine values per block, where they are not those of a W that was given. */
	readonly diagonal?: Float64Array;
	/** Of a W that is formed of bodies. */
	readonly rows?: RigidRows;
}

/** It refers to nothing else of the problem that the plan was made for. */
export function patternPlanOf({ problem, layout, matrix, operator, operatorReason, blocks }: Plan): PatternPlan {
	const plan = {
		layout,
		// Whether there is a global form is no part of a pattern.
		...(operator !== "global" && { choice: { kind: operator, why: operatorReason } }),
		...(matrix !== problem.W && { diagonal: new Float64Array(9 * blocks) }),
	};
	if (!(matrix instanceof RigidMatrix)) return plan;
	const { rows, rowStart, column } = matrix;
	return { ...plan, rows: { rows, rowStart, column } };
}

/** `checked` is what the check of the problem found out; `known` is of a problem with the same pattern, where there was one. */
export function makePlan(given: Problem, options: PlanOptions, checked?: Checked, known?: PatternPlan): Plan {
	beginPhase("form");
	const problem = withMoments(given);
	const { kind, why } = known?.choice ?? chooseOperator(problem, options.operator);
	const blocks = problem.contacts + equalityBlocks(problem.equalities);
	const { place, remedy, ...making } = make(problem, kind, blocks, checked, known);
	const isChecked = checked !== undefined && checked.diagonal === making.diagonal;
	const contactBlocks = making.diagonal.subarray(0, 9 * problem.contacts);
	const masses = options.masses ? massesOf(problem) : undefined;
	return {
		problem,
		blocks,
		operator: kind,
		operatorReason: why,
		...making,
		...(masses && { masses }),
		isUnread: checked?.isUnread === true,
		singular: isChecked ? checked.singular : checkDiagonal(contactBlocks, problem.name, place, remedy),
		layout: known?.layout ?? layoutFor(problem, blocks, making.coupling, options),
	};
}

/** Where contacts roll the order is made for them, and spelled out in their blocks. */
function layoutFor(problem: Problem, blocks: number, coupling: Coupling, options: LayoutOptions): Layout {
	const { contacts, geometry, laws } = problem;
	const point = geometry?.point;
	const isMoment = laws && momentBlocks(laws);
	const law = lawsOf(problem)?.law;
	if (law === undefined || isMoment === undefined) {
		return makeLayout(blocks, contacts, couplingFor(problem, coupling), options, point, law);
	}
	const units = unitsOf(blocks, contacts, isMoment);
	const points = point && pointsOfUnits(point, units);
	const lawOfUnits = law.filter((_, a) => isMoment[a] === 0);
	const count = units.start.length - 1;
	const layout = makeLayout(count, units.contacts, couplingOfUnits(coupling, units), options, points, lawOfUnits);
	return layoutOfBlocks(layout, units);
}

/** Where rows are formed of the bodies these say in fewer words which blocks couple, for the same layout. */
function couplingFor({ rigid, W, equalities }: Problem, coupling: Coupling): Coupling {
	if ("body" in coupling || rigid === undefined || W !== undefined || equalities !== undefined) return coupling;
	return { body: rigid.body, bodies: rigid.inverseMass.length, rowStart: coupling.rowStart };
}

const NO_BLOCKS = new Float64Array(0);

/** The diagonal blocks; where values are not formed yet they need not be. */
function ownBlocks(matrix: BlockMatrix, room: Float64Array | undefined, isUnread = false): Float64Array {
	if (isUnread) return NO_BLOCKS;
	return matrix instanceof RigidMatrix ? rigidDiagonal(matrix.rigid, "wasm", room) : diagonalOf(matrix);
}

function make(
	problem: Problem,
	kind: Plan["operator"],
	blocks: number,
	checked: Checked | undefined,
	known: PatternPlan | undefined,
): Making {
	const { rigid, global, contacts } = problem;
	if (kind === "matrix-free" && rigid !== undefined) {
		beginPhase("diagonal");
		const bodies = rigid.inverseMass.length;
		return {
			coupling: { body: rigid.body, bodies },
			couplingText: `${bodies} bodies`,
			diagonal: checked?.isUnread ? NO_BLOCKS : rigidDiagonal(rigid, "wasm", known?.diagonal),
			place: "W of the bodies",
			remedy: "check frames, masses and inertias",
		};
	}
	if (kind === "global" && global !== undefined) {
		const lu = factor(global.M, problem.name, "M");
		const diagonal = new Float64Array(9 * blocks);
		globalDiagonal(global.H, lu, contacts, diagonal, 0);
		if (global.G) globalDiagonal(global.G, lu, blocks - contacts, diagonal, 9 * contacts);
		return {
			// Nothing is swept, so no order is better than that of the ids.
			coupling: { body: new Int32Array(2 * blocks).fill(-1), bodies: 0 },
			couplingText: `${lu.size} degrees of freedom`,
			lu,
			diagonal,
			place: "H^T M^-1 H",
			remedy: "check M, which has to be positive definite",
		};
	}
	// Where W is formed here it lives until the operators are made of it: `problem` stays what was given.
	const W = matrixOf(problem, known?.rows);
	if (W === undefined) throw new Error("an assembled operator without W");
	const matrix = squareMatrix(problem, W);
	beginPhase("diagonal");
	return {
		coupling: matrix,
		couplingText: `${(matrix.rowStart[matrix.rows]! / matrix.rows).toFixed(1)} blocks per row`,
		matrix,
		diagonal:
			(matrix === problem.W ? checked?.diagonal : undefined) ?? ownBlocks(matrix, known?.diagonal, checked?.isUnread),
		...(problem.W
			? { place: "W", remedy: SIGNS_REMEDY }
			: { place: "W as it was formed", remedy: "check frames, masses and inertias, or M and H" }),
	};
}
