/** Who owns which tiles: runs of them along the curve, one for each rank. That it never enters a formula makes it free to follow the work. */
import { tileOf } from "./tiles.js";

/** The largest share of work over the mean that is left as it is: re-cutting moves bodies. */
const IMBALANCE_MAX = 1.1;

export interface Regions {
	/** Where each rank's tiles begin; one entry more than there are ranks. */
	readonly start: Int32Array;
	/** The same along the curve, which outlives a table of tiles. */
	readonly key: Float64Array;
}

/** The rank of a tile. */
export function ownerOf({ start }: Regions, tile: number): number {
	let from = 0;
	let to = start.length - 1;
	while (to - from > 1) {
		const middle = (from + to) >>> 1;
		if (start[middle]! <= tile) from = middle;
		else to = middle;
	}
	return from;
}

/** Runs that weigh about the same, or those there are where they weigh about the same still. */
export function cutRegions(first: Float64Array, weight: Float64Array, ranks: number, before?: Regions): Regions {
	const total = weight.reduce((sum, each) => sum + each, 0);
	if (before !== undefined) {
		const kept = snapped(first, before);
		if (heaviest(kept.start, weight) <= (IMBALANCE_MAX * total) / ranks) return kept;
	}
	const start = new Int32Array(ranks + 1);
	start[ranks] = weight.length;
	for (let rank = 1, tile = 0, sum = 0; rank < ranks; rank += 1) {
		const wanted = (rank * total) / ranks;
		// A tile belongs to the side on which the more of it lies.
		while (tile < weight.length && sum + weight[tile]! / 2 < wanted) {
			sum += weight[tile]!;
			tile += 1;
		}
		start[rank] = tile;
	}
	return withKeys(start, first);
}

/** The same regions, cut at the tiles of another table. */
function snapped(first: Float64Array, { key }: Regions): Regions {
	const start = new Int32Array(key.length);
	for (let rank = 1; rank < key.length; rank += 1) {
		const tile = tileOf(first, key[rank]!);
		start[rank] = first[tile]! < key[rank]! ? tile + 1 : tile;
	}
	start[key.length - 1] = first.length;
	return withKeys(start, first);
}

function withKeys(start: Int32Array, first: Float64Array): Regions {
	return { start, key: Float64Array.from(start, (tile) => first[tile] ?? Number.POSITIVE_INFINITY) };
}

function heaviest(start: Int32Array, weight: Float64Array): number {
	let most = 0;
	for (let rank = 0; rank + 1 < start.length; rank += 1) {
		let own = 0;
		for (let tile = start[rank]!; tile < start[rank + 1]!; tile += 1) own += weight[tile]!;
		most = Math.max(most, own);
	}
	return most;
}
