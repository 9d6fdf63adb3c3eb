/** Which operator a problem gets, and why: the choice is automatic, reported, and can be overruled by name. */
import { InputError } from "../base/errors.js";
import { RigidMatrix, type RigidRows } from "../problem/assemble-rigid.js";
import { condense } from "../problem/condense.js";
import type { BlockMatrix, Problem, RigidContacts } from "../problem/problem.js";

export type OperatorName = "auto" | "assembled" | "matrix-free" | "global";

export const OPERATORS: readonly OperatorName[] = ["auto", "assembled", "matrix-free", "global"];

export interface Choice {
	readonly kind: Exclude<OperatorName, "auto">;
	readonly why: string;
}

/** A sweep over bodies costs about as much as one over this many blocks a row held in cache; beyond the cache rows lose. */
const ROW_BLOCKS_OF_BODIES = 24;
const CACHE_BYTES = 32 * 2 ** 20;
const BLOCK_BYTES = 76;

/** Blocks of W by the contacts that meet at each body: an upper bound, since two contacts may share both bodies. */
export function rigidBlocks(rigid: Pick<RigidContacts, "body" | "inverseMass">): number {
	const { body } = rigid;
	// Body b is b + 1 here, and the obstacle 0: a branch on it could not be foreseen.
	const count = new Int32Array(rigid.inverseMass.length + 1);
	for (let k = 0; k < body.length; k += 1) count[body[k]! + 1]! += 1;
	let blocks = body.length / 2;
	for (let b = 1; b < count.length; b += 1) blocks += count[b]! * (count[b]! - 1);
	return blocks;
}

function refuse(problem: Problem, kind: string, lack: string): InputError {
	return new InputError(problem.name, "operator", `${kind} needs ${lack}`, "leave the choice to operator=auto");
}

/** Of bodies whose W has at most so many blocks. */
export function operatorOfBodies(blocks: number, contacts: number): Choice & { kind: "assembled" | "matrix-free" } {
	const perContact = blocks / contacts;
	if (blocks * BLOCK_BYTES > CACHE_BYTES) {
		return { kind: "matrix-free", why: "bodies are known and W would not fit the cache" };
	}
	if (perContact > ROW_BLOCKS_OF_BODIES) {
		return { kind: "matrix-free", why: `bodies are known and W has up to ${perContact.toFixed(0)} blocks per row` };
	}
	return { kind: "assembled", why: "W fits the cache" };
}

function automatic(problem: Problem): Choice {
	const { rigid, W, global, equalities } = problem;
	if (rigid !== undefined && equalities === undefined) {
		return operatorOfBodies(rigidBlocks(rigid), problem.contacts);
	}
	if (W !== undefined) return { kind: "assembled", why: "W is given" };
	if (rigid !== undefined) return { kind: "assembled", why: "W is formed of the bodies, as there are equality rows" };
	if (global === undefined) throw refuse(problem, "any operator", "W, bodies or a global form");
	return { kind: "assembled", why: "condensed from the global form" };
}

/** W as it was given, or of the bodies (whose rows may be known), or formed of the global form. Whoever forms it keeps it no longer than it is needed. */
export function matrixOf(problem: Problem, rows?: RigidRows): BlockMatrix | undefined {
	if (problem.W !== undefined) return problem.W;
	return problem.rigid === undefined ? condense(problem).W : new RigidMatrix(problem.rigid, rows);
}

export function chooseOperator(problem: Problem, wanted: OperatorName): Choice {
	if (wanted === "auto") return automatic(problem);
	const why = "requested";
	if (wanted === "matrix-free") {
		if (problem.rigid === undefined) throw refuse(problem, wanted, "bodies, frames and arms");
		if (problem.equalities !== undefined) throw refuse(problem, wanted, "a problem without equality rows");
		return { kind: wanted, why };
	}
	if (wanted === "global") {
		if (problem.global === undefined) throw refuse(problem, wanted, "a global form");
		return { kind: wanted, why };
	}
	if (problem.W === undefined && problem.rigid === undefined && problem.global === undefined) {
		throw refuse(problem, wanted, "W, bodies or a global form");
	}
	return { kind: "assembled", why };
}
