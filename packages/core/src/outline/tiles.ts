/**
 * Tiles: runs of neighbouring contacts that are stored and swept as one. Tiles are coloured as contacts are, so that no two of
 * a colour couple: a sweep over one colour of tiles after another can be shared out by tiles and still be the same sweep.
 */

import { colourBlocks } from "./colouring.js";

/** Which blocks couple: the pattern of W, or for rigid bodies the bodies of each contact. */
export type Coupling =
	| { readonly rowStart: Int32Array; readonly column: Int32Array }
	| {
			readonly body: Int32Array;
			readonly bodies: number;
			/** Where rows of W are formed of the bodies: what they are sorted by. */
			readonly rowStart?: Int32Array;
	  };

/** Lists of the neighbours of each tile, unordered; those of tile t from start[t] on. */
interface TileLists {
	readonly start: Int32Array;
	readonly list: Int32Array;
}

/** Items of tiles by their tile: what `keyOf` numbers from 0 to keys - 1, ids of a key in order. */
function groupBy(key: Int32Array, keys: number): TileLists {
	const start = new Int32Array(keys + 1);
	for (let k = 0; k < key.length; k += 1) if (key[k]! >= 0 && key[k]! < keys) start[key[k]! + 1]! += 1;
	for (let k = 0; k < keys; k += 1) start[k + 1]! += start[k]!;
	const next = start.slice(0, keys);
	const list = new Int32Array(start[keys]!);
	for (let id = 0; id < key.length; id += 1) {
		const k = key[id]!;
		if (k < 0 || k >= keys) continue;
		list[next[k]!] = id;
		next[k]! += 1;
	}
	return { start, list };
}

/** A list that grows. */
class Growing {
	values: Int32Array;
	length = 0;

	constructor(room: number) {
		this.values = new Int32Array(room);
	}

	add(value: number): void {
		if (this.length === this.values.length) {
			const values = new Int32Array(2 * this.length + 16);
			values.set(this.values);
			this.values = values;
		}
		this.values[this.length] = value;
		this.length += 1;
	}
}

/** The tiles of all that touch each tile: members are looked at tile by tile. */
function neighboursOf(tiles: number, each: (t: number, add: (other: number) => void) => void): TileLists {
	const start = new Int32Array(tiles + 1);
	const list = new Growing(16 * tiles);
	const seenBy = new Int32Array(tiles).fill(-1);
	for (let t = 0; t < tiles; t += 1) {
		seenBy[t] = t;
		each(t, (other) => {
			if (seenBy[other] === t) return;
			seenBy[other] = t;
			list.add(other);
		});
		start[t + 1] = list.length;
	}
	return { start, list: list.values.subarray(0, list.length) };
}

/** The neighbours of each tile: tiles couple when either holds a column of the other, or when a body touches both. */
function tileLists(tile: Int32Array, tiles: number, coupling: Coupling): TileLists {
	const blocks = groupBy(tile, tiles);
	if ("body" in coupling) return tileListsOfBodies(blocks, coupling.body, coupling.bodies);
	const { rowStart, column } = coupling;
	const oneWay = neighboursOf(tiles, (t, add) => {
		for (let i = blocks.start[t]!; i < blocks.start[t + 1]!; i += 1) {
			const a = blocks.list[i]!;
			for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
				const other = tile[column[k]!]!;
				if (other < tiles) add(other);
			}
		}
	});
	// Rows may be unsymmetric: what holds a tile is its neighbour as much as what it holds.
	const back = groupBy(oneWay.list, tiles);
	const holder = new Int32Array(oneWay.list.length);
	for (let t = 0; t < tiles; t += 1) holder.fill(t, oneWay.start[t]!, oneWay.start[t + 1]!);
	return neighboursOf(tiles, (t, add) => {
		for (let k = oneWay.start[t]!; k < oneWay.start[t + 1]!; k += 1) add(oneWay.list[k]!);
		for (let k = back.start[t]!; k < back.start[t + 1]!; k += 1) add(holder[back.list[k]!]!);
	});
}

/** The tiles that touch each body, once each, of sides tile by tile (their bodies, and where those of each tile start). */
function tilesOfBodies(start: Int32Array, side: Int32Array, bodies: number): TileLists {
	const tiles = start.length - 1;
	const first = new Int32Array(bodies + 1);
	const seenBy = new Int32Array(bodies).fill(-1);
	for (let t = 0; t < tiles; t += 1) {
		for (let i = 2 * start[t]!; i < 2 * start[t + 1]!; i += 1) {
			const b = side[i]!;
			if (b < 0 || seenBy[b] === t) continue;
			seenBy[b] = t;
			first[b + 1]! += 1;
		}
	}
	for (let b = 0; b < bodies; b += 1) first[b + 1]! += first[b]!;
	const next = first.slice(0, bodies);
	const list = new Int32Array(first[bodies]!);
	seenBy.fill(-1);
	for (let t = 0; t < tiles; t += 1) {
		for (let i = 2 * start[t]!; i < 2 * start[t + 1]!; i += 1) {
			const b = side[i]!;
			if (b < 0 || seenBy[b] === t) continue;
			seenBy[b] = t;
			list[next[b]!] = t;
			next[b]! += 1;
		}
	}
	return { start: first, list };
}

/** Tiles couple where a body touches both. */
function tileListsOfBodies(blocks: TileLists, body: Int32Array, bodies: number): TileLists {
	const tiles = blocks.start.length - 1;
	// Contacts of a tile are all over the arrays: fetched once.
	const sides = new Int32Array(2 * blocks.list.length);
	for (let i = 0; i < blocks.list.length; i += 1) {
		const a = blocks.list[i]!;
		sides[2 * i] = body[2 * a]!;
		sides[2 * i + 1] = body[2 * a + 1]!;
	}
	// A body's tiles once for each of them, not once for each of its contacts.
	const touched = tilesOfBodies(blocks.start, sides, bodies);
	const start = new Int32Array(tiles + 1);
	const list = new Growing(16 * tiles);
	const bodySeenBy = new Int32Array(bodies).fill(-1);
	const seenBy = new Int32Array(tiles).fill(-1);
	for (let t = 0; t < tiles; t += 1) {
		seenBy[t] = t;
		for (let i = 2 * blocks.start[t]!; i < 2 * blocks.start[t + 1]!; i += 1) {
			const b = sides[i]!;
			if (b < 0 || bodySeenBy[b] === t) continue;
			bodySeenBy[b] = t;
			for (let k = touched.start[b]!; k < touched.start[b + 1]!; k += 1) {
				const other = touched.list[k]!;
				if (seenBy[other] === t) continue;
				seenBy[other] = t;
				list.add(other);
			}
		}
		start[t + 1] = list.length;
	}
	return { start, list: list.values.subarray(0, list.length) };
}

/** The same as sets, for those who ask for a tile's neighbours by name. */
export function tileNeighbours(tile: Int32Array, tiles: number, coupling: Coupling): Set<number>[] {
	const { start, list } = tileLists(tile, tiles, coupling);
	return Array.from({ length: tiles }, (_, t) => new Set(list.subarray(start[t]!, start[t + 1]!)));
}

/** Colours of tiles; `tile` is that of each block, and numbers from `tiles` on are left out. */
export function colourTiles(tile: Int32Array, tiles: number, coupling: Coupling, seed: number): Int32Array {
	const { start, list } = tileLists(tile, tiles, coupling);
	return colourBlocks(tiles, { rowStart: start, column: list }, seed);
}
