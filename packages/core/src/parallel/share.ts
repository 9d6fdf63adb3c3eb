/**
 * What one rank is given of a problem: its own blocks, what it has to know of its neighbours', and the plans by which they exchange.
 * Plain data, so that it can travel. Own blocks are numbered by storage place, contacts first, then equality blocks; ghosts are copies of
 * other ranks' blocks and stand behind the own ones, from `ghostPlace` on. For one rank the share is the whole problem, and refers to it.
 */

import type { UnformedMatrix } from "../problem/assemble-rigid.js";
import type { BlockMatrix, GlobalForm, RigidContacts } from "../problem/problem.js";
import type { SparseLu } from "../problem/sparse-lu.js";
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

/** Rows of W: row `row[at]` of the matrix is that of place `at`, and its column c is the block at place `local[c]`. Ascending columns are ascending ids. */
export interface AssembledShare {
	readonly kind: "assembled";
	/** Without values the rank forms them, of the bodies that it has beside them. */
	readonly matrix: BlockMatrix | UnformedMatrix;
	readonly row: Int32Array;
	readonly local: Int32Array;
	/** So many rows in front have no ghost in them. */
	readonly interior: number;
	readonly kept?: PatternCache;
}

/**
 * Bodies: contact `contact[at]` of `rigid` is that of place `at`. A body that another rank touches too is shared: its impulses come from
 * the contacts at `sharedPlace`, own and ghosts, in the order of the whole problem; `isShared` is 1 for it.
 */
export interface MatrixFreeShare {
	readonly kind: "matrix-free";
	readonly rigid: RigidContacts;
	readonly contact: Int32Array;
	readonly sharedPlace: Int32Array;
	/** The contacts of `rigid` at those places. */
	readonly sharedContact: Int32Array;
	readonly isShared: Uint8Array;
}

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
	/** By step what it changed and others need: blocks where W has rows (width 3), bodies where it has not (width 6). */
	readonly passed: HaloPlans;
}

export interface Share {
	/** Of the problem, for reports and error lines. */
	readonly name: string;
	readonly rank: number;
	readonly ranks: number;
	/** Of the whole problem. */
	readonly contacts: number;
	readonly blocks: number;
	/** Equality rows of the whole problem. */
	readonly equalityRows: number;
	/** Global ids of the own blocks by place, contacts first. */
	readonly ids: Int32Array;
	readonly ownContacts: number;
	readonly ghosts: number;
	/** By own place: free velocity with s of the equality rows behind it, friction of contacts. */
	readonly q: Float64Array;
	readonly mu: Float64Array;
	/** Nine values per block, own ones and then ghosts. */
	readonly diagonal: Float64Array;
	/** Own places of contacts whose diagonal block is singular. */
	readonly singular: Int32Array;
	/** The reaction to start from, own blocks by place; zero where absent. */
	readonly start?: Float64Array;
	readonly operator: AssembledShare | MatrixFreeShare | GlobalShare;
	/** Why this operator, and what couples contacts, in words. */
	readonly operatorReason: string;
	readonly coupling: string;
	/** Colours of contacts and the name of the order, for reports. */
	readonly colours: number;
	readonly order: "coloured" | "shuffled" | "file";
	/** Of all ghosts. */
	readonly halo: HaloPlan;
	readonly sweep: SweepPlan;
}

/** Whether the rank has nobody to wait for in this exchange. */
export function isEmpty(plan: HaloPlan): boolean {
	return plan.targets.length === 0 && plan.sources.length === 0;
}
