/**
 * The order in which blocks are stored and swept. Contacts are coloured so that no two of a colour couple, and stored by
 * (tile, colour, length of the row, id), a tile being a run of neighbouring contacts; equality blocks are the last tile. Rows of
 * a length side by side waste no room in SELL-2 and end their loops predictably. A coloured sweep goes over colours of tiles and,
 * in each, over whole tiles as they are stored: long runs of contiguous rows, the same in any split of tiles among ranks.
 * Everything derives from global ids, so the order is the problem's and not the partition's.
 */
import { Random } from "../random.js";
import { BodyColours } from "./body-colours.js";
import { type Coupling, colourTiles } from "./tiles.js";

/** Contacts per tile: measured best of 128 to 65,536 for the product, in cache and beyond. */
export const TILE_CONTACTS = 1024;

export interface Layout {
	/** Block id of each storage place. */
	readonly order: Int32Array;
	/** Storage place of each block id. */
	readonly place: Int32Array;
	/** Which order this is; only a coloured one has colours, the others have 0. */
	readonly name: OrderName;
	readonly colours: number;
	/** The sweep: runs [from, to) of storage places, in order. */
	readonly runs: Int32Array;
}

/** For each block those whose rows hold it, which its own row need not show: patterns may be unsymmetric. */
function holders(blocks: number, rowStart: Int32Array, column: Int32Array) {
	const start = new Int32Array(blocks + 1);
	for (let k = 0; k < rowStart[blocks]!; k += 1) start[column[k]!]! += 1;
	let sum = 0;
	for (let b = 0; b <= blocks; b += 1) {
		sum += start[b]!;
		start[b] = sum;
	}
	// Filled from the ends: start[b] is where b's list starts once all of it is in.
	const holder = new Int32Array(sum);
	for (let a = 0; a < blocks; a += 1) {
		for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
			start[column[k]!]! -= 1;
			holder[start[column[k]!]!] = a;
		}
	}
	return { start, holder };
}

/** First-fit colours in the given order. Blocks couple when either row holds the other. */
function colourByPattern(sequence: Int32Array, rowStart: Int32Array, column: Int32Array): Int32Array {
	const blocks = sequence.length;
	const { start, holder } = holders(blocks, rowStart, column);
	const colour = new Int32Array(blocks).fill(-1);
	let degree = 0;
	for (let a = 0; a < blocks; a += 1) {
		degree = Math.max(degree, rowStart[a + 1]! - rowStart[a]! + start[a + 1]! - start[a]!);
	}
	// A block with so many neighbours finds one of so many colours free, and looks at one more at the most.
	const usedBy = new Int32Array(degree + 2).fill(-1);
	for (const a of sequence) {
		for (let k = rowStart[a]!; k < rowStart[a + 1]!; k += 1) {
			const c = colour[column[k]!]!;
			if (c >= 0) usedBy[c] = a;
		}
		for (let k = start[a]!; k < start[a + 1]!; k += 1) {
			const c = colour[holder[k]!]!;
			if (c >= 0) usedBy[c] = a;
		}
		let c = 0;
		while (usedBy[c] === a) c += 1;
		colour[a] = c;
	}
	return colour;
}

/** First-fit colours of rigid contacts, by the colours already at their bodies. */
function colourByBody(sequence: Int32Array, body: Int32Array, bodies: number): Int32Array {
	const colour = new Int32Array(sequence.length);
	const used = new BodyColours(bodies);
	for (const a of sequence) colour[a] = used.take(body[2 * a]!, body[2 * a + 1]!);
	return colour;
}

/**
 * Colours of all blocks of a coupling: first fit in a seeded random order of ids. In the order of ids colours follow the
 * numbering, and sweeps converge as slowly as those in file order do.
 */
export function colourBlocks(blocks: number, coupling: Coupling, seed: number): Int32Array {
	const sequence = new Random(seed).shuffle(Int32Array.from({ length: blocks }, (_, id) => id));
	return "body" in coupling
		? colourByBody(sequence, coupling.body, coupling.bodies)
		: colourByPattern(sequence, coupling.rowStart, coupling.column);
}

export type OrderName = "coloured" | "shuffled" | "file";

export const ORDERS: readonly OrderName[] = ["coloured", "shuffled", "file"];

export interface LayoutOptions {
	readonly order: OrderName;
	/** Of the shuffled order, and of the order in which colours are given. */
	readonly seed: number;
}

/** Storage in the given order of ids, swept as one run. */
function sequentialLayout(order: Int32Array, name: OrderName): Layout {
	const place = new Int32Array(order.length);
	for (let at = 0; at < order.length; at += 1) place[order[at]!] = at;
	return { order, place, name, colours: 0, runs: Int32Array.of(0, order.length) };
}

/** Runs that follow one another in storage are one run. */
function mergeRuns(runs: readonly number[]): Int32Array {
	const merged: number[] = [];
	for (let i = 0; i < runs.length; i += 2) {
		if (runs[i] === runs[i + 1]) continue;
		if (merged.length > 0 && merged[merged.length - 1] === runs[i]) merged[merged.length - 1] = runs[i + 1]!;
		else merged.push(runs[i]!, runs[i + 1]!);
	}
	return Int32Array.from(merged);
}

/** The storage and the sweep of blocks of which the first `contacts` are contacts. */
export function makeLayout(blocks: number, contacts: number, coupling: Coupling, options: LayoutOptions): Layout {
	if (options.order === "coloured") {
		return colouredLayout(blocks, contacts, colourBlocks(blocks, coupling, options.seed), coupling);
	}
	const order = Int32Array.from({ length: blocks }, (_, id) => id);
	if (options.order === "shuffled") new Random(options.seed).shuffle(order.subarray(0, contacts));
	return sequentialLayout(order, options.order);
}

/** Ids in the order of their keys (0 to keys - 1), those of a key as they came: a counting sort. */
function sortedBy(ids: Int32Array, keys: number, keyOf: (id: number) => number): Int32Array {
	const next = new Int32Array(keys + 1);
	for (const id of ids) next[keyOf(id) + 1]! += 1;
	for (let key = 0; key < keys; key += 1) next[key + 1]! += next[key]!;
	const sorted = new Int32Array(ids.length);
	for (const id of ids) {
		const key = keyOf(id);
		sorted[next[key]!] = id;
		next[key]! += 1;
	}
	return sorted;
}

/** Stores by (tile, colour, length, id), the equality blocks being the last tile. */
function colouredLayout(blocks: number, contacts: number, colour: Int32Array, coupling: Coupling): Layout {
	let colours = 0;
	for (let a = 0; a < blocks; a += 1) colours = Math.max(colours, colour[a]! + 1);
	const contactTiles = Math.ceil(contacts / TILE_CONTACTS);
	const tiles = contactTiles + (blocks > contacts ? 1 : 0);
	const tile = Int32Array.from({ length: blocks }, (_, a) =>
		a < contacts ? Math.floor(a / TILE_CONTACTS) : contactTiles,
	);
	const ids = Int32Array.from({ length: blocks }, (_, a) => a);
	const order = sortedBy(
		sortedBy(ids, colours, (a) => colour[a]!),
		tiles,
		(a) => tile[a]!,
	);
	if ("rowStart" in coupling) sortByLength(order, coupling.rowStart, (a) => tile[a]! * colours + colour[a]!);
	const place = new Int32Array(blocks);
	for (let at = 0; at < blocks; at += 1) place[order[at]!] = at;
	return { order, place, name: "coloured", colours, runs: tileRuns(blocks, contacts, tile, tiles, coupling) };
}

/** Sorts blocks of the same bin by the length of their rows; bins are stored one after another. */
function sortByLength(order: Int32Array, rowStart: Int32Array, binOf: (a: number) => number): void {
	const lengthOf = (a: number): number => rowStart[a + 1]! - rowStart[a]!;
	// Every second bin the other way round, so that rows of near lengths meet where two do.
	let sign = -1;
	for (let from = 0; from < order.length; ) {
		const bin = binOf(order[from]!);
		let to = from + 1;
		while (to < order.length && binOf(order[to]!) === bin) to += 1;
		const way = sign;
		order.subarray(from, to).sort((p, q) => way * (lengthOf(p) - lengthOf(q)) || p - q);
		sign = -sign;
		from = to;
	}
}

/** Whole tiles as runs, by the colours of tiles. */
function tileRuns(blocks: number, contacts: number, tile: Int32Array, tiles: number, coupling: Coupling): Int32Array {
	const colour = colourTiles(tile, tiles, coupling);
	const numbers = Int32Array.from({ length: tiles }, (_, t) => t);
	const runs: number[] = [];
	for (const t of sortedBy(numbers, tiles, (number) => colour[number]!)) {
		const from = Math.min(t * TILE_CONTACTS, contacts);
		runs.push(from, t * TILE_CONTACTS < contacts ? Math.min(from + TILE_CONTACTS, contacts) : blocks);
	}
	return mergeRuns(runs);
}
