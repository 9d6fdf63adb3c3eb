/**
 * What one rank has of a problem, in two halves. The outline follows from the whole: which blocks are its own, copies of which others it
 * keeps, and the plans by which ranks exchange. The rows are its own blocks' numbers, wherever they come from: a share is made of both
 * on the rank. Plain data, so that it can travel. Own blocks are numbered by storage place, contacts first, then equality blocks; ghosts
 * are copies of other ranks' blocks and stand behind the own ones, from `ghostPlace` on. For one rank both are the whole problem.
 */

import { assert } from "../base/errors.js";
import type { UnformedMatrix } from "../problem/assemble-rigid.js";
import type { ContactLaws } from "../problem/laws.js";
import type { Masses } from "../problem/masses.js";
import type { BlockMatrix, GlobalForm, RigidContacts } from "../problem/problem.js";
import type { SparseLu } from "../problem/sparse-lu.js";
import type { MatrixOrigin } from "../problem/unread-matrix.js";
import type { HaloPlan } from "./communicator.js";
import type { HaloPlans } from "./halo-plans.js";

/** The first ghost's place: own blocks are padded to whole cache lines. */
export function ghostPlace(own: number): number {
	return 8 * Math.ceil(own / 8);
}

/** What stored rows have of their pattern alone (system/sell-storage.ts), and the most blocks of a row. */
export interface StoredPattern {
	readonly start: Int32Array;
	readonly flags: Int32Array;
	readonly column: Int32Array;
	readonly place: Int32Array;
	readonly longest: number;
}

/** Of a solver that was prepared: the first solve that stores rows writes their pattern down, and the next ones take it. */
export interface PatternCache {
	stored?: StoredPattern;
}

/** Rows of W: row `row[at]` of the rank's matrix is that of place `at`, and its column c is the block at place `local[c]`. Ascending columns are ascending ids. */
export interface AssembledOutline {
	readonly kind: "assembled";
	readonly row: Int32Array;
	readonly local: Int32Array;
	/** So many rows in front have no ghost in them. */
	readonly interior: number;
}

export interface AssembledRows {
	readonly kind: "assembled";
	/** Without values the rank forms them, of the bodies that it has beside them. */
	readonly matrix: BlockMatrix | UnformedMatrix;
}

export interface AssembledShare extends AssembledOutline, AssembledRows {
	readonly kept?: PatternCache;
}

/**
 * Bodies: contact `contact[at]` of the rank's is that of place `at`. A body that another rank touches too is shared: its impulses come from
 * the contacts at `sharedPlace`, own and ghosts, in the order of the whole problem; `isShared` is 1 for it.
 */
export interface MatrixFreeOutline {
	readonly kind: "matrix-free";
	readonly contact: Int32Array;
	readonly sharedPlace: Int32Array;
	/** The rank's contacts at those places. */
	readonly sharedContact: Int32Array;
	readonly isShared: Uint8Array;
}

export interface MatrixFreeRows {
	readonly kind: "matrix-free";
	/** Own contacts and ghosts, and the bodies of own ones. */
	readonly rigid: RigidContacts;
}

export interface MatrixFreeShare extends MatrixFreeOutline, MatrixFreeRows {}

/** The global form, never condensed: it cannot be cut. */
export interface GlobalShare {
	readonly kind: "global";
	readonly global: GlobalForm;
	readonly lu: SparseLu;
}

/** A sweep: runs [from, to) of places by steps, in each step those without ghosts first. */
export interface SweepPlan {
	readonly steps: number;
	/** Where runs start, counted in runs: of step c without ghosts at [2 c], with ghosts at [2 c + 1]; 2 steps + 1 entries. */
	readonly start: Int32Array;
	readonly runs: Int32Array;
	/**
	 * By step what others need after it: blocks that it changed where W has rows (width 3); where it has not, bodies (width 6) that others write next, which
	 * the step or one before it wrote, and backwards the same the other way.
	 */
	readonly passed: HaloPlans;
}

export interface ShareOutline {
	/** Of the problem, for reports and error lines. */
	readonly name: string;
	readonly rank: number;
	readonly ranks: number;
	/** Of the whole problem. */
	readonly contacts: number;
	/** The same as people count them: a rolling contact, of two blocks, once. */
	readonly counted: number;
	readonly blocks: number;
	/** Equality rows of the whole problem. */
	readonly equalityRows: number;
	/** Global ids of the own blocks by place, contacts first. */
	readonly ids: Int32Array;
	readonly ownContacts: number;
	/** Global ids of the ghosts by place. */
	readonly ghosts: Int32Array;
	readonly operator: AssembledOutline | MatrixFreeOutline | Pick<GlobalShare, "kind">;
	/** Why this operator, and what couples contacts, in words. */
	readonly operatorReason: string;
	readonly coupling: string;
	/** Codes of all laws of the whole problem, ascending. */
	readonly lawsUsed: Int32Array;
	/** Colours of contacts and the name of the order, for reports. */
	readonly colours: number;
	readonly order: "coloured" | "shuffled" | "file";
	/** Of M and H of the whole problem, where a method wants them and they are known. */
	readonly masses?: Masses;
	/** Of all ghosts. */
	readonly halo: HaloPlan;
	readonly sweep: SweepPlan;
}

export interface ShareRows {
	/** By own place: free velocity with s of the equality rows behind it, friction of contacts. */
	readonly q: Float64Array;
	readonly mu: Float64Array;
	/** Of own contacts by place; absent where the whole problem has Coulomb's law only. */
	readonly laws?: ContactLaws;
	/** Nine values per own block. */
	readonly diagonal: Float64Array;
	/** Own places of contacts whose diagonal block is singular. */
	readonly singular: Int32Array;
	/** The reaction to start from, own blocks by place; zero where absent. */
	readonly start?: Float64Array;
	readonly operator: AssembledRows | MatrixFreeRows | GlobalShare;
}

/** Rows of a W whose values stand in a file: the rank reads them there, and finds its diagonal blocks among them. */
export interface UnreadRows extends Pick<ShareRows, "q" | "mu" | "laws" | "start"> {
	readonly origin: MatrixOrigin;
}

export interface Share extends Omit<ShareOutline, "operator">, Omit<ShareRows, "operator"> {
	readonly operator: AssembledShare | MatrixFreeShare | GlobalShare;
}

export function shareOf(outline: ShareOutline, rows: ShareRows): Share {
	assert(rows.q.length === 3 * outline.ids.length, "rows are those of the outline's blocks");
	return { ...outline, ...rows, operator: operatorOf(outline.operator, rows.operator) };
}

function operatorOf(outline: ShareOutline["operator"], rows: ShareRows["operator"]): Share["operator"] {
	if (outline.kind === "assembled" && rows.kind === "assembled") return { ...outline, ...rows };
	if (outline.kind === "matrix-free" && rows.kind === "matrix-free") return { ...outline, ...rows };
	assert(outline.kind === "global" && rows.kind === "global", "rows are of the outline's operator");
	return rows;
}

/** Own blocks and ghosts by ascending id: what the columns of the rank's matrix are. */
export function columnIds({ ids, ghosts, operator }: ShareOutline): Int32Array {
	assert(operator.kind === "assembled", "only a matrix has columns");
	const first = ghostPlace(ids.length);
	return operator.local.map((place) => (place < ids.length ? ids[place]! : ghosts[place - first]!));
}

/** Own blocks by ascending id: what its rows are. */
export function rowIds({ ids, operator }: ShareOutline): Int32Array {
	assert(operator.kind === "assembled", "only a matrix has rows");
	const own = new Int32Array(ids.length);
	for (let at = 0; at < ids.length; at += 1) own[operator.row[at]!] = ids[at]!;
	return own;
}

/** Whether the rank has nobody to wait for in this exchange. */
export function isEmpty(plan: HaloPlan): boolean {
	return plan.targets.length === 0 && plan.sources.length === 0;
}
