/**
 * The owners of all ids, as one immutable object: each rank's own ids, the ghosts it needs of others, and its local order of both. Local blocks are the own
 * ones by ascending id, then the ghosts, sorted by owner and id, so that what arrives from one rank is one run.
 */
import { InputError } from "@stickslip/core";

export interface RankOwnership {
	readonly rank: number;
	/** Global ids, ascending. */
	readonly own: Int32Array;
	/** Global ids of what own rows need of others, sorted by (owner, id). */
	readonly ghosts: Int32Array;
	readonly ghostToOwner: Int32Array;
	/** Own, then ghosts. */
	readonly localToGlobal: Int32Array;
}

export interface Ownership {
	/** How many ids there are. */
	readonly count: number;
	/** The owner of each id. */
	readonly owner: Int32Array;
	/** By rank, including ranks that own nothing. */
	readonly ranks: readonly RankOwnership[];
}

/** Rows and the columns they need; a Graph is one too, by `rowsOfGraph`. A row may list itself. */
export interface Rows {
	readonly start: Int32Array;
	readonly column: Int32Array;
}

export function rowsOfGraph({ start, neighbour }: { start: Int32Array; neighbour: Int32Array }): Rows {
	return { start, column: neighbour };
}

export function ownershipOf(owner: Int32Array, ranks: number, { start, column }: Rows): Ownership {
	if (start.length !== owner.length + 1)
		throw new InputError(
			"ownership",
			"owner",
			`${owner.length} owners for ${start.length - 1} rows`,
			"give one per row",
		);
	const wrong = owner.findIndex((rank) => rank < 0 || rank >= ranks);
	if (wrong >= 0)
		throw new InputError(
			"ownership",
			`owner ${wrong}`,
			`${owner[wrong]} is not a rank of ${ranks}`,
			"give 0 to ranks - 1",
		);
	const counts = new Int32Array(ranks);
	for (const rank of owner) counts[rank]! += 1;
	const own = Array.from(counts, (count) => new Int32Array(count));
	const filled = new Int32Array(ranks);
	for (let id = 0; id < owner.length; id += 1) {
		const rank = owner[id]!;
		own[rank]![filled[rank]!] = id;
		filled[rank]! += 1;
	}
	const seenBy = new Int32Array(owner.length).fill(-1);
	const list = own.map((ids, rank) => {
		const ghosts: number[] = [];
		for (const id of ids) {
			for (let k = start[id]!; k < start[id + 1]!; k += 1) {
				const other = column[k]!;
				if (owner[other] === rank || seenBy[other] === rank) continue;
				seenBy[other] = rank;
				ghosts.push(other);
			}
		}
		return rankOwnership(rank, ids, ghosts, owner);
	});
	return Object.freeze({ count: owner.length, owner: owner.slice(), ranks: Object.freeze(list) });
}

function rankOwnership(rank: number, own: Int32Array, found: readonly number[], owner: Int32Array): RankOwnership {
	const ghosts = Int32Array.from(found).sort((a, b) => owner[a]! - owner[b]! || a - b);
	const localToGlobal = new Int32Array(own.length + ghosts.length);
	localToGlobal.set(own);
	localToGlobal.set(ghosts, own.length);
	return Object.freeze({ rank, own, ghosts, ghostToOwner: ghosts.map((id) => owner[id]!), localToGlobal });
}
