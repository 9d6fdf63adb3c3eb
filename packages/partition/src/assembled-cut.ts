/** Shares of a W with rows: a rank gets its rows, and as ghosts the blocks that these name and others own. */
import type { BlockMatrix, RigidContacts } from "@stickslip/core";
import { type AssembledShare, ghostPlace, isUnformed, joinPlans, type Plan } from "@stickslip/core/parallel";
import { byOwner, GhostFlows, placesIn, shareOut } from "./ghosts.js";
import { planOf } from "./plans.js";
import { bodiesOf, rigidOfRank } from "./rigid-of-rank.js";
import type { Cut } from "./shares.js";

/** Own ids of a rank: tiles that need no ghosts, those that do, equality blocks. */
interface Own {
	readonly ids: Int32Array;
	readonly contacts: number;
	readonly interior: number;
	/** Ids by owner, then by id. */
	readonly ghosts: Int32Array;
}

export class AssembledCut {
	readonly #plan: Plan;
	readonly #matrix: BlockMatrix;
	readonly #tile: Int32Array;
	/** Whether a tile has a row with a block of another rank's. */
	readonly #waits: Uint8Array;
	readonly #own: readonly Own[];
	readonly #flows: GhostFlows;
	/** Scratch: what number a block has with the rank that is cut. */
	readonly #number: Int32Array;
	/** The same of bodies, where rows are formed of some; -1 for none. */
	#bodyNumber: Int32Array | undefined;

	constructor(plan: Plan, owner: Int32Array, tile: Int32Array, ranks: number) {
		if (plan.matrix === undefined) throw new Error("an assembled plan without rows");
		this.#plan = plan;
		this.#matrix = plan.matrix;
		this.#tile = tile;
		this.#waits = this.#findWaiting(owner);
		this.#number = new Int32Array(plan.blocks);
		const seenBy = new Int32Array(plan.blocks).fill(-1);
		this.#own = shareOut(plan.layout.order, owner, ranks).map((ids, rank) => this.#ownOf(rank, ids, owner, seenBy));
		const place = placesIn(
			this.#own.map(({ ids }) => ids),
			plan.blocks,
		);
		this.#flows = new GhostFlows(
			this.#own.map(({ ids, ghosts }) => ({ own: ids.length, ghosts })),
			owner,
			place,
		);
	}

	#findWaiting(owner: Int32Array): Uint8Array {
		const { rowStart, column, rows } = this.#matrix;
		const waits = new Uint8Array(this.#plan.layout.tileColour.length);
		for (let a = 0; a < rows; a += 1) {
			const own = owner[a]!;
			for (let k = rowStart[a]!, end = rowStart[a + 1]!; k < end; k += 1) {
				if (owner[column[k]!] !== own) waits[this.#tile[a]!] = 1;
			}
		}
		return waits;
	}

	#ownOf(rank: number, given: Int32Array, owner: Int32Array, seenBy: Int32Array): Own {
		const { contacts } = this.#plan.problem;
		const isWaiting = (id: number) => this.#waits[this.#tile[id]!] === 1;
		const ids = new Int32Array(given.length);
		let count = 0;
		const take = (isWanted: (id: number) => boolean): number => {
			for (let i = 0; i < given.length; i += 1) {
				if (!isWanted(given[i]!)) continue;
				ids[count] = given[i]!;
				count += 1;
			}
			return count;
		};
		const front = take((id) => id < contacts && !isWaiting(id));
		const own = take((id) => id < contacts && isWaiting(id));
		take((id) => id >= contacts);
		const rest = ids.subarray(own);
		const free = rest.some(isWaiting) || own > front ? 0 : rest.length;
		return {
			ids,
			contacts: own,
			interior: front + free,
			ghosts: byOwner(this.#ghostsOf(rank, ids.subarray(front), owner, seenBy), owner),
		};
	}

	/** Blocks of others in the rows of these, each once; tiles that do not wait have none. */
	#ghostsOf(rank: number, waiting: Int32Array, owner: Int32Array, seenBy: Int32Array): Int32Array {
		const { rowStart, column } = this.#matrix;
		const found: number[] = [];
		for (let i = 0; i < waiting.length; i += 1) {
			const a = waiting[i]!;
			for (let k = rowStart[a]!, end = rowStart[a + 1]!; k < end; k += 1) {
				const id = column[k]!;
				if (owner[id] === rank || seenBy[id] === rank) continue;
				seenBy[id] = rank;
				found.push(id);
			}
		}
		return Int32Array.from(found);
	}

	cut(rank: number): Cut {
		const { ids, contacts, ghosts, interior } = this.#own[rank]!;
		const { tileColour, steps } = this.#plan.layout;
		const passed = this.#flows.bySteps(rank, steps, (id) => tileColour[this.#tile[id]!]!);
		return {
			ids,
			ownContacts: contacts,
			ghosts,
			operator: this.#rows(ids, ghosts, interior),
			halo: planOf(rank, 3, this.#flows.all(rank)),
			passed: joinPlans(
				passed.map((flows) => planOf(rank, 3, flows)),
				3,
			),
			waits: this.#waits,
		};
	}

	/**
	 * Own rows by ascending id, their columns numbered by ascending id over own blocks and ghosts. Where W is formed of bodies the rank forms
	 * its rows itself: it gets the contacts that these columns name.
	 */
	#rows(ids: Int32Array, ghosts: Int32Array, interior: number): AssembledShare {
		const { rowStart, column } = this.#matrix;
		const number = this.#number;
		const known = new Int32Array(ids.length + ghosts.length);
		known.set(ids);
		known.set(ghosts, ids.length);
		for (let i = 0; i < known.length; i += 1) number[known[i]!] = i;
		known.sort();
		const local = new Int32Array(known.length);
		const row = new Int32Array(ids.length);
		const start = new Int32Array(ids.length + 1);
		const own = new Int32Array(ids.length);
		const ghostsFrom = ghostPlace(ids.length) - ids.length;
		let rows = 0;
		for (let i = 0; i < known.length; i += 1) {
			const id = known[i]!;
			const at = number[id]!;
			number[id] = i;
			local[i] = at < ids.length ? at : ghostsFrom + at;
			if (at >= ids.length) continue;
			row[at] = rows;
			own[rows] = id;
			start[rows + 1] = start[rows]! + rowStart[id + 1]! - rowStart[id]!;
			rows += 1;
		}
		const columns = new Int32Array(start[rows]!);
		for (let i = 0, to = 0; i < rows; i += 1) {
			for (let k = rowStart[own[i]!]!, end = rowStart[own[i]! + 1]!; k < end; k += 1, to += 1) {
				columns[to] = number[column[k]!]!;
			}
		}
		const pattern = { rows, rowStart: start, column: columns };
		const matrix = isUnformed(this.#matrix)
			? { ...pattern, rigid: this.#rigidOf(this.#matrix.rigid, known, own) }
			: { ...pattern, values: valuesOf(this.#matrix, own, columns.length) };
		return { kind: "assembled", matrix, row, local, interior };
	}

	/** What own rows are formed of: own contacts and ghosts, and the bodies of own ones. */
	#rigidOf(rigid: RigidContacts, known: Int32Array, own: Int32Array): RigidContacts {
		this.#bodyNumber ??= new Int32Array(rigid.inverseMass.length).fill(-1);
		return rigidOfRank(rigid, known, bodiesOf(rigid, own, this.#bodyNumber), this.#bodyNumber);
	}
}

/** The blocks of these rows, so many in all. */
function valuesOf({ rowStart, values }: BlockMatrix, rows: Int32Array, count: number): Float64Array {
	const blocks = new Float64Array(9 * count);
	for (let i = 0, to = 0; i < rows.length; i += 1) {
		const row = values.subarray(9 * rowStart[rows[i]!]!, 9 * rowStart[rows[i]! + 1]!);
		blocks.set(row, to);
		to += row.length;
	}
	return blocks;
}
