/** Shares of a W with rows: a rank gets its rows, and as ghosts the blocks that these name and others own. */
import type { BlockMatrix, RigidContacts } from "@stickslip/core";
import {
	type AssembledOutline,
	type AssembledRows,
	columnIds,
	ghostPlace,
	isUnformed,
	joinPlans,
	type Plan,
	type RigidRows,
	rowIds,
	type ShareOutline,
} from "@stickslip/core/parallel";
import { type BordersOfBodies, bodyContactsOf, bordersOfBodies } from "./body-contacts.js";
import { type Borders, bordersOfRows, GhostFlows, placesIn, shareOut, tilesWith } from "./ghosts.js";
import { planOf } from "./plans.js";
import { rigidOfRank } from "./rigid-of-rank.js";
import type { Cut, ShareCutter } from "./shares.js";

/** What a rank has of the values of W: blocks, or bodies to form them of. */
export type OwnValues = { readonly values: Float64Array } | { readonly rigid: RigidContacts };

/** Own ids of a rank: tiles that need no ghosts, those that do, equality blocks. */
interface Own {
	readonly ids: Int32Array;
	readonly contacts: number;
	readonly interior: number;
	/** Ids by owner, then by id. */
	readonly ghosts: Int32Array;
}

export class AssembledCutter implements ShareCutter {
	readonly #plan: Plan;
	readonly #matrix: BlockMatrix;
	readonly #tile: Int32Array;
	/** Whether a tile has a row with a block of another rank's. */
	readonly #waits: Uint8Array;
	readonly #own: readonly Own[];
	readonly #flows: GhostFlows;
	/** Scratch: what number a block has with the rank that is cut. */
	readonly #number: Int32Array;
	/** Where rows are formed of bodies: those of each rank, and what numbers they have with the one that is cut; -1 for none. */
	readonly #bodies: readonly Int32Array[] | undefined;
	#bodyNumber: Int32Array | undefined;

	constructor(plan: Plan, owner: Int32Array, tile: Int32Array, ranks: number) {
		if (plan.matrix === undefined) throw new Error("an assembled plan without rows");
		this.#plan = plan;
		this.#matrix = plan.matrix;
		this.#tile = tile;
		const { waiting, ghosts, bodies } = this.#borders(owner, ranks);
		this.#bodies = bodies;
		this.#waits = tilesWith(waiting, tile, plan.layout.tileColour.length);
		this.#number = new Int32Array(plan.blocks);
		const lists = shareOut(plan.layout.order, owner, ranks);
		this.#own = lists.map((ids, rank) => this.#ownOf(ids, ghosts[rank]!));
		const place = placesIn(
			this.#own.map(({ ids }) => ids),
			plan.blocks,
		);
		const copies = this.#own.map((own) => ({ own: own.ids.length, ghosts: own.ghosts }));
		this.#flows = new GhostFlows(copies, owner, place);
	}

	#borders(owner: Int32Array, ranks: number): Borders & Partial<BordersOfBodies> {
		const matrix = this.#matrix;
		if (!isUnformed(matrix)) return bordersOfRows(matrix.rowStart, matrix.column, owner, ranks);
		return bordersOfBodies(bodyContactsOf(matrix.rigid, owner), owner, ranks);
	}

	/** Contacts without ghosts come first, then those with ghosts, then equality blocks. */
	#ownOf(given: Int32Array, ghosts: Int32Array): Own {
		const { contacts } = this.#plan.problem;
		const ids = new Int32Array(given.length);
		const late = new Int32Array(given.length);
		const rest: number[] = [];
		let front = 0;
		let waiting = 0;
		let isFree = true;
		for (let i = 0; i < given.length; i += 1) {
			const id = given[i]!;
			const isWaiting = this.#waits[this.#tile[id]!] === 1;
			if (id >= contacts) {
				rest.push(id);
				isFree &&= !isWaiting;
			} else if (isWaiting) {
				late[waiting] = id;
				waiting += 1;
			} else {
				ids[front] = id;
				front += 1;
			}
		}
		ids.set(late.subarray(0, waiting), front);
		ids.set(rest, front + waiting);
		const interior = isFree && waiting === 0 ? ids.length : front;
		return { ids, contacts: front + waiting, interior, ghosts };
	}

	cut(rank: number): Cut {
		const { ids, contacts, ghosts, interior } = this.#own[rank]!;
		const { tileColour, steps } = this.#plan.layout;
		const passed = this.#flows.bySteps(rank, steps, (id) => tileColour[this.#tile[id]!]!);
		return {
			ids,
			ownContacts: contacts,
			ghosts,
			operator: this.#places(ids, ghosts, interior),
			halo: planOf(rank, 3, this.#flows.all(rank)),
			passed: joinPlans(
				passed.map((flows) => planOf(rank, 3, flows)),
				3,
			),
			waits: this.#waits,
		};
	}

	/** Own rows by ascending id, their columns numbered by ascending id over own blocks and ghosts. */
	#places(ids: Int32Array, ghosts: Int32Array, interior: number): AssembledOutline {
		const number = this.#number;
		const known = new Int32Array(ids.length + ghosts.length);
		known.set(ids);
		known.set(ghosts, ids.length);
		for (let i = 0; i < known.length; i += 1) number[known[i]!] = i;
		known.sort();
		const local = new Int32Array(known.length);
		const row = new Int32Array(ids.length);
		const ghostsFrom = ghostPlace(ids.length) - ids.length;
		let rows = 0;
		for (let i = 0; i < known.length; i += 1) {
			const at = number[known[i]!]!;
			local[i] = at < ids.length ? at : ghostsFrom + at;
			if (at >= ids.length) continue;
			row[at] = rows;
			rows += 1;
		}
		return { kind: "assembled", row, local, interior };
	}

	/** Where W is formed of bodies the rank forms its rows itself: it gets the contacts that their columns name. */
	rows(outline: ShareOutline): AssembledRows {
		const pattern = this.pattern(outline);
		return { kind: "assembled", matrix: { ...pattern, ...this.values(outline, pattern, this.#plan) } };
	}

	/** Which blocks its rows have, by their numbers on the rank. */
	pattern(outline: ShareOutline): RigidRows {
		const { rowStart, column } = this.#matrix;
		const number = this.#number;
		const known = columnIds(outline);
		for (let i = 0; i < known.length; i += 1) number[known[i]!] = i;
		const own = rowIds(outline);
		const start = new Int32Array(own.length + 1);
		for (let i = 0; i < own.length; i += 1) start[i + 1] = start[i]! + rowStart[own[i]! + 1]! - rowStart[own[i]!]!;
		const columns = new Int32Array(start[own.length]!);
		for (let i = 0, to = 0; i < own.length; i += 1) {
			for (let k = rowStart[own[i]!]!, end = rowStart[own[i]! + 1]!; k < end; k += 1, to += 1) {
				columns[to] = number[column[k]!]!;
			}
		}
		return { rows: own.length, rowStart: start, column: columns };
	}

	/** The blocks of its rows, or the bodies of which it forms them, out of a plan with the pattern of this one. */
	values(outline: ShareOutline, { column }: RigidRows, { matrix }: Plan): OwnValues {
		if (matrix === undefined) throw new Error("an assembled plan without rows");
		if (isUnformed(matrix)) return { rigid: this.#rigidOf(matrix.rigid, columnIds(outline), outline.rank) };
		return { values: valuesOf(matrix, rowIds(outline), column.length) };
	}

	/** What own rows are formed of: own contacts and ghosts, and the bodies of own ones. */
	#rigidOf(rigid: RigidContacts, known: Int32Array, rank: number): RigidContacts {
		this.#bodyNumber ??= new Int32Array(rigid.inverseMass.length).fill(-1);
		return rigidOfRank(rigid, known, this.#bodies![rank]!, this.#bodyNumber);
	}
}

/** The blocks of these rows, so many in all. Rows that follow one another are copied together. */
function valuesOf({ rowStart, values }: BlockMatrix, rows: Int32Array, count: number): Float64Array {
	const blocks = new Float64Array(9 * count);
	for (let first = 0, last = 0, to = 0; first < rows.length; first = last) {
		for (last = first + 1; last < rows.length && rows[last] === rows[last - 1]! + 1; ) last += 1;
		const run = values.subarray(9 * rowStart[rows[first]!]!, 9 * rowStart[rows[last - 1]! + 1]!);
		blocks.set(run, to);
		to += run.length;
	}
	return blocks;
}
