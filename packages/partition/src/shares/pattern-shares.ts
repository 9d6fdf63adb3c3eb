/**
 * Shares of problems with one pattern: owners, and the blocks of each rank's rows, are found once and kept on the ranks; only values are cut for each
 * problem.
 */
import type { RigidContacts } from "@stickslip/core";
import {
	blockRows,
	type PatternCache,
	type Plan,
	type Prepared,
	type RigidRows,
	type Share,
	type ShareOutline,
	type ShareRows,
	shareOf,
} from "@stickslip/core/parallel";
import { ownersOf } from "../partition/owners.js";
import type { PartitionOptions } from "../partition/partition.js";
import { AssembledCutter } from "./assembled-cut.js";
import type { MatrixFreeCutter } from "./matrix-free-cut.js";
import { cutterOf, outlineOf, refuseWhole } from "./shares.js";

/** What a rank keeps. */
export interface PatternShare {
	readonly outline: ShareOutline;
	/** Where W has rows. */
	readonly rows?: RigidRows | undefined;
}

/** What it has of one problem: the blocks of its rows, or the bodies that they or the product are made of. */
export interface ShareValues extends Omit<ShareRows, "operator"> {
	readonly values?: Float64Array;
	readonly rigid?: RigidContacts;
}

export class PatternShares {
	readonly #ranks: readonly PatternShare[];
	readonly #cutter: AssembledCutter | MatrixFreeCutter;

	/** Throws an InputError if it cannot be shared out. */
	constructor({ plan }: Prepared, ranks: number, options: Omit<PartitionOptions, "points"> = {}) {
		refuseWhole(plan, ranks);
		const owners = ownersOf(plan, ranks, options);
		const cutter = cutterOf(plan, owners, ranks);
		this.#cutter = cutter;
		this.#ranks = Array.from({ length: ranks }, (_, rank) => {
			const outline = outlineOf(plan, cutter.cut(rank), owners, rank, ranks);
			return { outline, ...(cutter instanceof AssembledCutter && { rows: cutter.pattern(outline) }) };
		});
	}

	of(rank: number): PatternShare {
		return this.#ranks[rank]!;
	}

	/** Of a problem with this pattern. */
	values(rank: number, { plan, start }: Pick<Prepared, "start"> & { readonly plan: Plan }): ShareValues {
		const { outline, rows } = this.#ranks[rank]!;
		const cutter = this.#cutter;
		const own = cutter instanceof AssembledCutter ? cutter.values(outline, rows!, plan) : cutter.values(outline, plan);
		return { ...blockRows(plan, outline, start), ...own };
	}
}

/** On the rank: its share of a problem. `kept` has what its stored rows have of the pattern alone, from solve to solve. */
export function shareOfValues({ outline, rows }: PatternShare, values: ShareValues, kept: PatternCache): Share {
	const { values: blocks, rigid, ...own } = values;
	const share = shareOf(outline, { ...own, operator: operatorOf(rows, blocks, rigid) });
	return share.operator.kind === "assembled" ? { ...share, operator: { ...share.operator, kept } } : share;
}

function operatorOf(
	rows: RigidRows | undefined,
	values: Float64Array | undefined,
	rigid: RigidContacts | undefined,
): ShareRows["operator"] {
	if (rows !== undefined && values !== undefined) return { kind: "assembled", matrix: { ...rows, values } };
	if (rigid === undefined) throw new Error("values of a share without any");
	return rows === undefined ? { kind: "matrix-free", rigid } : { kind: "assembled", matrix: { ...rows, rigid } };
}
