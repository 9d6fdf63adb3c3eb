/**
 * Owners by contact points before there is a plan: what they follow from stands in the problem, so that a rank which has nothing to do yet can find them
 * while the plan is made. They are those that the plan gives; where it turns out otherwise they are found anew.
 */
import { InputError, type Problem, type RigidContacts } from "@stickslip/core";
import { operatorOfBodies, type Plan, rigidBlocks, rigidRows, SINGLE_MAX } from "@stickslip/core/parallel";
import { bodiesCut } from "../geometric/cut-bodies.js";
import { areApart, rowWeights, unjoined } from "./owners.js";
import { partition } from "./partition.js";

/** What owners follow from: plain data. */
export interface PointCut {
	/** Three coordinates per contact. */
	readonly points: Float64Array;
	/** Two bodies per contact, -1 for an obstacle: what a cut costs. */
	readonly body?: Int32Array;
	/** What says how many bodies there are, where W may be formed of them. */
	readonly inverseMass?: Float64Array;
	/** Where the rows of a W that is given start. */
	readonly rowStart?: Int32Array;
}

/** By contact, with what they were weighted for. */
export interface PointOwners {
	readonly owner: Int32Array;
	readonly operator: Plan["operator"];
}

/** Undefined where owners follow from something else. The problem need not have been checked. */
export function pointCutOf(problem: Problem): PointCut | undefined {
	if (typeof problem !== "object" || problem === null) return undefined;
	const { contacts, geometry, rigid, W, equalities, laws } = problem;
	const points = geometry?.point;
	const body = rigid?.body ?? geometry?.body;
	const inverseMass = rigid?.inverseMass;
	const rowStart = W?.rowStart;
	if (!(contacts <= SINGLE_MAX) || equalities !== undefined || laws !== undefined) return undefined;
	if (!isOf(Float64Array, points, 3 * contacts)) return undefined;
	if (body !== undefined && !isOf(Int32Array, body, 2 * contacts)) return undefined;
	if (rowStart !== undefined && !isOf(Int32Array, rowStart, contacts + 1)) return undefined;
	if (inverseMass === undefined ? rowStart === undefined : !(inverseMass instanceof Float64Array)) return undefined;
	return { points, ...(body && { body }), ...(inverseMass && { inverseMass }), ...(rowStart && { rowStart }) };
}

function isOf<Numbers extends Float64Array | Int32Array>(
	kind: new (length: number) => Numbers,
	values: unknown,
	length: number,
): values is Numbers {
	return values instanceof kind && values.length === length;
}

/** Undefined for points that none can be cut by, and for bodies that are not there: the check of the problem says what is wrong. */
export function pointOwners(cut: PointCut, ranks: number): PointOwners | undefined {
	const { points, body, inverseMass, rowStart } = cut;
	const rigid = body && inverseMass && { body, inverseMass };
	if (!areApart(points) || (rigid ? !areBodies(rigid) : rowStart === undefined)) return undefined;
	const contacts = points.length / 3;
	// As the plan chooses it.
	const operator = rigid ? operatorOfBodies(rigidBlocks(rigid), contacts).kind : "assembled";
	const rows = () => rowStart ?? rigidRows(rigid!).rowStart;
	const weight = operator === "matrix-free" ? new Int32Array(contacts).fill(1) : rowWeights(rows(), contacts);
	const cost = body && bodiesCut(body);
	try {
		const { owner } = partition(unjoined(weight), ranks, { method: "rcb", points, ...(cost && { cost }) });
		return { owner, operator };
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
}

/** Whether each contact is between two bodies that are there, or a body and an obstacle. */
function areBodies({ body, inverseMass }: Pick<RigidContacts, "body" | "inverseMass">): boolean {
	const bodies = inverseMass.length;
	for (let k = 0; k < body.length; k += 2) {
		const first = body[k]!;
		const second = body[k + 1]!;
		if (first < -1 || first >= bodies || second < -1 || second >= bodies || first === second) return false;
	}
	return true;
}
