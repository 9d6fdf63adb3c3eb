/**
 * A planned problem shared out: by rank an outline, which says what its own blocks are in the order of the whole problem, copies of which others it keeps
 * and by which plans they are kept fresh, and apart from it the rows, where it is not the rank itself that has them. They are cut one at a time, so that
 * the cutting process holds the problem and one rank's rows, and a rank its own.
 */
import {
	blockRows,
	type HaloPlan,
	type HaloPlans,
	InputError,
	type Plan,
	type Prepared,
	plainWholeRows,
	type ShareOutline,
	type ShareRows,
	type SweepPlan,
	type UnreadRows,
	unreadRows,
	wholeFacts,
	wholeOutline,
} from "@stickslip/core/parallel";
import { type Owners, type OwnersOptions, ownersOf } from "../partition/owners.js";
import { AssembledCutter } from "./assembled-cut.js";
import { MatrixFreeCutter } from "./matrix-free-cut.js";

/** What depends on the operator: ghosts, the order of own blocks, what a step of a sweep passes on. */
export interface Cut {
	/** Own ids by place, and how many of them in front are contacts. */
	readonly ids: Int32Array;
	readonly ownContacts: number;
	/** Ids of ghosts by place. */
	readonly ghosts: Int32Array;
	readonly operator: ShareOutline["operator"];
	readonly halo: HaloPlan;
	readonly passed: HaloPlans;
	/** Of each tile, 1 where it waits for ghosts. */
	readonly waits: Uint8Array;
}

/** Of one operator. */
export interface ShareCutter {
	cut(rank: number): Cut;
	/** What the operator of a rank is made of. */
	rows(outline: ShareOutline): ShareRows["operator"];
}

export interface Shares {
	readonly ranks: number;
	/** Undefined for one rank, who owns everything. */
	readonly owners: Owners | undefined;
	outline(rank: number): ShareOutline;
	rows(outline: ShareOutline): ShareRows;
	/** The same of a W that is unread, in place of `rows`; undefined of any other. */
	unread(outline: ShareOutline): UnreadRows | undefined;
}

/** False for the global form and for orders that visit one contact after another: they stay on one rank. */
export function isShareable({ plan }: Prepared): boolean {
	return plan.operator !== "global" && plan.layout.name === "coloured";
}

/** Throws an InputError if it cannot be shared out. */
export function cutShares({ plan, start }: Prepared, ranks: number, options: OwnersOptions = {}): Shares {
	const unread = (outline: ShareOutline) => unreadRows(plan, outline, start);
	if (ranks === 1) {
		const rows = () => plainWholeRows(plan, start);
		return { ranks, owners: undefined, outline: () => wholeOutline(plan), rows, unread };
	}
	refuseWhole(plan, ranks);
	const owners = ownersOf(plan, ranks, options);
	const cutter = cutterOf(plan, owners, ranks);
	return {
		ranks,
		owners,
		outline: (rank) => outlineOf(plan, cutter.cut(rank), owners, rank, ranks),
		rows: (outline) => ({ ...blockRows(plan, outline, start), operator: cutter.rows(outline) }),
		unread,
	};
}

/** By block of the plan its rank and its tile. */
export function cutterOf(
	plan: Plan,
	{ owner, tile }: Pick<Owners, "owner" | "tile">,
	ranks: number,
): AssembledCutter | MatrixFreeCutter {
	return plan.operator === "matrix-free"
		? new MatrixFreeCutter(plan, owner, tile, ranks)
		: new AssembledCutter(plan, owner, tile, ranks);
}

export function outlineOf(
	plan: Plan,
	cut: Cut,
	{ tile }: Pick<Owners, "tile">,
	rank: number,
	ranks: number,
): ShareOutline {
	const { ids, ownContacts, operator, halo } = cut;
	// A copy: an outline may move to its rank, and what flows to these ghosts is asked for again by the others.
	const ghosts = cut.ghosts.slice();
	const own = { rank, ranks, ids, ownContacts, ghosts, operator, halo };
	return { ...wholeFacts(plan), ...own, sweep: sweepOf(plan, cut, tile) };
}

export function refuseWhole({ problem, operator, layout }: Plan, ranks: number): void {
	const remedy = "leave the option out, or solve on one rank";
	if (operator === "global") {
		const lack = `global has no rows that ${ranks} ranks could share`;
		throw new InputError(problem.name, "operator", lack, "use operator=assembled, or solve on one rank");
	}
	if (layout.name === "coloured") return;
	const lack = `${layout.name} visits one contact after another, and ${ranks} ranks cannot share that`;
	throw new InputError(problem.name, "order", lack, remedy);
}

/** Own tiles as runs of places, by steps, those that wait for ghosts after the others. */
function sweepOf({ layout }: Plan, cut: Cut, tile: Int32Array): SweepPlan {
	const { steps, tileColour } = layout;
	const runs: number[][] = Array.from({ length: 2 * steps }, () => []);
	const { ids, waits } = cut;
	for (let at = 0; at < ids.length; ) {
		const own = tile[ids[at]!]!;
		let end = at + 1;
		while (end < ids.length && tile[ids[end]!] === own) end += 1;
		const list = runs[2 * tileColour[own]! + waits[own]!]!;
		if (list[list.length - 1] === at) list[list.length - 1] = end;
		else list.push(at, end);
		at = end;
	}
	const start = new Int32Array(2 * steps + 1);
	for (const [i, list] of runs.entries()) start[i + 1] = start[i]! + list.length / 2;
	return { steps, start, runs: Int32Array.from(runs.flat()), passed: cut.passed };
}
