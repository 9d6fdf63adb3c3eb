/**
 * The order of all blocks of a problem, from global ids alone and so the same for any partition. Contacts are gathered in tiles of
 * neighbours, tiles are coloured so that no two of a colour couple, and a sweep goes over one colour of tiles after another: whatever
 * rank owns a tile, it is the same sweep. In a small problem every contact is a tile; in a large one tiles are what keeps a sweep
 * in the cache and messages few. Blocks are ordered by (tile, colour of the contact, length of the row, id): rows of a length side by side
 * waste no room in SELL-2 and end their loops predictably. Equality blocks are the last tile, with a colour of its own.
 */
import { Random } from "../random.js";
import { BodyColours } from "./body-colours.js";
import { localityOrder } from "./locality.js";
import { type Coupling, colourTiles } from "./tiles.js";

/** Up to so many contacts every one is a tile of its own: a sweep stays in the cache anyway. */
const SINGLE_MAX = 4096;

/** Contacts per tile: enough tiles to share out, and each large enough to be swept fast. */
export function tileContacts(contacts: number): number {
	if (contacts <= SINGLE_MAX) return 1;
	if (contacts <= 2 ** 16) return 32;
	return contacts <= 2 ** 19 ? 128 : 512;
}

export interface Layout {
	/** Block id of each place, in the order of the whole problem. */
	readonly order: Int32Array;
	/** Place of each block id. */
	readonly place: Int32Array;
	/** Which order this is; only a coloured one has colours of contacts, the others have 0. */
	readonly name: OrderName;
	readonly colours: number;
	/** Where each tile starts; tiles + 1 entries. */
	readonly tileStart: Int32Array;
	readonly tileColour: Int32Array;
	/** Colours of tiles: the steps of a sweep. */
	readonly steps: number;
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

/** Blocks in the given order, swept as one tile. */
function sequentialLayout(order: Int32Array, name: OrderName): Layout {
	return {
		order,
		place: inverse(order),
		name,
		colours: 0,
		tileStart: Int32Array.of(0, order.length),
		tileColour: Int32Array.of(0),
		steps: 1,
	};
}

function inverse(order: Int32Array): Int32Array {
	const place = new Int32Array(order.length);
	for (let at = 0; at < order.length; at += 1) place[order[at]!] = at;
	return place;
}

/** The order of blocks of which the first `contacts` are contacts; points are three coordinates per contact where they are known. */
export function makeLayout(
	blocks: number,
	contacts: number,
	coupling: Coupling,
	options: LayoutOptions,
	point?: Float64Array,
): Layout {
	if (options.order === "coloured") {
		const colour = colourBlocks(blocks, coupling, options.seed);
		const size = tileContacts(contacts);
		return size === 1
			? singleTiles(blocks, contacts, colour, coupling)
			: manyTiles(blocks, contacts, colour, coupling, size, point);
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

function countColours(colour: Int32Array): number {
	return colour.reduce((most, c) => Math.max(most, c + 1), 0);
}

/** Every contact a tile, by its own colour; the equality blocks come behind, as one tile. */
function singleTiles(blocks: number, contacts: number, colour: Int32Array, coupling: Coupling): Layout {
	const colours = countColours(colour);
	const ids = Int32Array.from({ length: blocks }, (_, a) => a);
	const bin = (a: number): number => (a < contacts ? colour[a]! : colours + colour[a]!);
	const order = sortedBy(ids, 2 * colours, bin);
	if ("rowStart" in coupling) sortByLength(order, coupling.rowStart, bin);
	const steps = countColours(colour.subarray(0, contacts)) + (blocks > contacts ? 1 : 0);
	const tiles = contacts + (blocks > contacts ? 1 : 0);
	const tileStart = Int32Array.from({ length: tiles + 1 }, (_, t) => (t < tiles ? t : blocks));
	const tileColour = Int32Array.from({ length: tiles }, (_, t) => (t < contacts ? colour[order[t]!]! : steps - 1));
	return { order, place: inverse(order), name: "coloured", colours, tileStart, tileColour, steps };
}

function manyTiles(
	blocks: number,
	contacts: number,
	colour: Int32Array,
	coupling: Coupling,
	size: number,
	point: Float64Array | undefined,
): Layout {
	const colours = countColours(colour);
	const contactTiles = Math.ceil(contacts / size);
	const tiles = contactTiles + (blocks > contacts ? 1 : 0);
	const tile = new Int32Array(blocks).fill(contactTiles);
	for (const [at, id] of localityOrder(contacts, point).entries()) tile[id] = Math.floor(at / size);
	const ids = Int32Array.from({ length: blocks }, (_, a) => a);
	const order = sortedBy(
		sortedBy(ids, colours, (a) => colour[a]!),
		tiles,
		(a) => tile[a]!,
	);
	if ("rowStart" in coupling) sortByLength(order, coupling.rowStart, (a) => tile[a]! * colours + colour[a]!);
	const tileStart = Int32Array.from({ length: tiles + 1 }, (_, t) => Math.min(t * size, contacts));
	tileStart[tiles] = blocks;
	const tileColour = colourTiles(tile, contactTiles, coupling);
	const steps = countColours(tileColour) + (blocks > contacts ? 1 : 0);
	const withEqualities = new Int32Array(tiles).fill(steps - 1);
	withEqualities.set(tileColour);
	return { order, place: inverse(order), name: "coloured", colours, tileStart, tileColour: withEqualities, steps };
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
