/**
 * The order of all blocks of a problem, from global ids alone and so the same for any partition. Contacts are gathered in tiles of
 * neighbours, tiles are coloured so that no two of a colour couple, and a sweep goes over one colour of tiles after another: whatever
 * rank owns a tile, it is the same sweep. In a small problem every contact is a tile; in a large one tiles are what keeps a sweep
 * in the cache and messages few. Blocks are ordered by (tile, colour of the contact, law, length of the row, id): contacts of a law side by side
 * are what its kernels work on, and rows of a length waste no room in SELL-2 and end their loops predictably. Equality blocks are the last tile, with a colour of its own.
 */
import { Random } from "../base/random.js";
import { beginPhase } from "../base/setup-phase.js";
import { LAWS } from "../problem/laws.js";
import { colourBlocks, colourWithoutMasks, sequenceOf } from "./colouring.js";
import { type ColourOrder, orderByMasks } from "./colouring-masks.js";
import { localityOrder } from "./locality.js";
import { type Coupling, colourTiles } from "./tiles.js";

/** Up to so many contacts every one is a tile of its own: a sweep stays in the cache anyway. */
export const SINGLE_MAX = 2 ** 16;

/**
 * And as long as a sweep has no more steps than this. A body with more contacts has a step for each of them, with an exchange in it:
 * ranks would wait for each other and do nothing else. Tiles of its contacts are swept as one, in fewer steps.
 */
const SINGLE_STEPS_MAX = 16_666;

/** Contacts per tile: enough tiles to share out among many ranks, and each large enough to be swept fast. */
export function tileContacts(contacts: number, colours = 0): number {
	if (contacts <= SINGLE_MAX && colours <= SINGLE_STEPS_MAX) return 1;
	if (contacts <= 2 ** 18) return 64;
	return contacts <= 2 ** 20 ? 256 : 512;
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
	/** Where the blocks of each step start, and where the last one ends, where they stand side by side. */
	readonly stepStart?: Int32Array;
}

export type OrderName = "coloured" | "shuffled" | "file";

export const ORDERS: readonly OrderName[] = ["coloured", "shuffled", "file"];

export interface LayoutOptions {
	readonly order: OrderName;
	/** Of the shuffled order, and of the order in which colours are given. */
	readonly seed: number;
	/** Contacts per tile of the coloured order; by size where absent. */
	readonly tile?: number;
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

/** The order of blocks of which the first `contacts` are contacts; points are three coordinates per contact where they are known, law the code of each contact's law where not all have the same. */
export function makeLayout(
	blocks: number,
	contacts: number,
	coupling: Coupling,
	options: LayoutOptions,
	point?: Float64Array,
	law?: Uint8Array,
): Layout {
	if (options.order === "coloured") {
		beginPhase("colours");
		// Of 32 colours at most: none has more steps than single tiles may have.
		const isSimple = blocks === contacts && law === undefined && (options.tile ?? tileContacts(contacts)) === 1;
		const ordered = isSimple ? orderByMasks(sequenceOf(blocks, options.seed), coupling) : undefined;
		if (ordered !== undefined) return layoutOfColours(ordered);
		const colour = (isSimple ? colourWithoutMasks : colourBlocks)(blocks, coupling, options.seed);
		beginPhase("order");
		const size = options.tile ?? tileContacts(contacts, countColours(colour));
		const key = lawKeys(colour, law);
		return size === 1
			? singleTiles(blocks, contacts, colour, key, coupling)
			: manyTiles(blocks, contacts, key, coupling, size, options.seed, point);
	}
	beginPhase("order");
	const order = ascending(blocks);
	if (options.order === "shuffled") new Random(options.seed).shuffle(order.subarray(0, contacts));
	return sequentialLayout(order, options.order);
}

/** Every block a tile, by its own colour. */
function layoutOfColours({ order, place, start }: ColourOrder): Layout {
	const colours = start.length - 1;
	const tileColour = new Int32Array(order.length);
	for (let c = 1; c < colours; c += 1) tileColour.fill(c, start[c]!, start[c + 1]!);
	const tileStart = ascending(order.length + 1);
	return { order, place, name: "coloured", colours, tileStart, tileColour, steps: colours, stepStart: start };
}

function ascending(count: number): Int32Array {
	const ids = new Int32Array(count);
	for (let id = 0; id < count; id += 1) ids[id] = id;
	return ids;
}

/** Ids in the order of their keys (0 to keys - 1), those of a key as they came: a counting sort. */
function sortedBy(ids: Int32Array, keys: number, key: Int32Array): Int32Array {
	const next = new Int32Array(keys + 1);
	for (let id = 0; id < key.length; id += 1) next[key[id]! + 1]! += 1;
	for (let k = 0; k < keys; k += 1) next[k + 1]! += next[k]!;
	const sorted = new Int32Array(ids.length);
	for (let at = 0; at < ids.length; at += 1) {
		const id = ids[at]!;
		const k = key[id]!;
		sorted[next[k]!] = id;
		next[k]! += 1;
	}
	return sorted;
}

function countColours(colour: Int32Array): number {
	let colours = 0;
	for (let a = 0; a < colour.length; a += 1) colours = Math.max(colours, colour[a]! + 1);
	return colours;
}

/** What blocks of a tile are sorted by: their colour, and among those of a colour the law. */
interface SortKeys {
	readonly key: Int32Array;
	/** They are below this. */
	readonly keys: number;
	readonly colours: number;
}

function lawKeys(colour: Int32Array, law: Uint8Array | undefined): SortKeys {
	const colours = countColours(colour);
	if (law === undefined) return { key: colour, keys: colours, colours };
	const key = colour.map((c, a) => LAWS.length * c + (law[a] ?? 0));
	return { key, keys: LAWS.length * colours, colours };
}

/** The colours that are in use, numbered without gaps: some may have equality blocks only. */
function stepsOf(colour: Int32Array, colours: number): Int32Array {
	const step = new Int32Array(colours).fill(-1);
	for (const c of colour) step[c] = 0;
	let next = 0;
	for (let c = 0; c < colours; c += 1) {
		if (step[c] !== 0) continue;
		step[c] = next;
		next += 1;
	}
	return step;
}

/** Every contact a tile, by its own colour; the equality blocks come behind, as one tile. */
function singleTiles(
	blocks: number,
	contacts: number,
	colour: Int32Array,
	{ key, keys, colours }: SortKeys,
	coupling: Coupling,
): Layout {
	const bin = key.slice();
	for (let a = contacts; a < blocks; a += 1) bin[a]! += keys;
	const order = sortedBy(ascending(blocks), 2 * keys, bin);
	if (coupling.rowStart) sortByLength(order, coupling.rowStart, bin);
	const step = stepsOf(colour.subarray(0, contacts), colours);
	const steps = countColours(step) + (blocks > contacts ? 1 : 0);
	const tiles = contacts + (blocks > contacts ? 1 : 0);
	const tileStart = ascending(tiles + 1);
	tileStart[tiles] = blocks;
	const tileColour = new Int32Array(tiles).fill(steps - 1);
	for (let t = 0; t < contacts; t += 1) tileColour[t] = step[colour[order[t]!]!]!;
	return { order, place: inverse(order), name: "coloured", colours, tileStart, tileColour, steps };
}

function manyTiles(
	blocks: number,
	contacts: number,
	{ key, keys, colours }: SortKeys,
	coupling: Coupling,
	size: number,
	seed: number,
	point: Float64Array | undefined,
): Layout {
	const contactTiles = Math.ceil(contacts / size);
	const tiles = contactTiles + (blocks > contacts ? 1 : 0);
	const tile = new Int32Array(blocks).fill(contactTiles);
	const near = localityOrder(contacts, point);
	for (let at = 0, t = 0; at < contacts; t += 1) {
		for (const end = Math.min(at + size, contacts); at < end; at += 1) tile[near[at]!] = t;
	}
	const order = sortedBy(sortedBy(ascending(blocks), keys, key), tiles, tile);
	const bin = new Int32Array(blocks);
	for (let a = 0; a < blocks; a += 1) bin[a] = tile[a]! * keys + key[a]!;
	if (coupling.rowStart) sortByLength(order, coupling.rowStart, bin);
	const tileStart = new Int32Array(tiles + 1);
	for (let t = 0; t < tiles; t += 1) tileStart[t] = Math.min(t * size, contacts);
	tileStart[tiles] = blocks;
	const tileColour = colourTiles(tile, contactTiles, coupling, seed);
	const steps = countColours(tileColour) + (blocks > contacts ? 1 : 0);
	const withEqualities = new Int32Array(tiles).fill(steps - 1);
	withEqualities.set(tileColour);
	return { order, place: inverse(order), name: "coloured", colours, tileStart, tileColour: withEqualities, steps };
}

/** Sorts blocks of the same bin by the length of their rows, those of a length by id; bins are stored one after another, and by id. */
function sortByLength(order: Int32Array, rowStart: Int32Array, bin: Int32Array): void {
	let longest = 0;
	for (let a = 0; a + 1 < rowStart.length; a += 1) longest = Math.max(longest, rowStart[a + 1]! - rowStart[a]!);
	const next = new Int32Array(longest + 2);
	const unsorted = new Int32Array(order.length);
	unsorted.set(order);
	// Every second bin the other way round, so that rows of near lengths meet where two do.
	let isFalling = true;
	for (let from = 0; from < order.length; isFalling = !isFalling) {
		const own = bin[order[from]!]!;
		let to = from + 1;
		while (to < order.length && bin[order[to]!] === own) to += 1;
		if (to - from <= INSERTED_MAX) insertByLength(order, from, to, rowStart, isFalling);
		else countByLength(unsorted, order, from, to, rowStart, isFalling, next);
		from = to;
	}
}

/** Bins this short are sorted where they stand. */
const INSERTED_MAX = 16;

function insertByLength(order: Int32Array, from: number, to: number, rowStart: Int32Array, isFalling: boolean): void {
	for (let at = from + 1; at < to; at += 1) {
		const a = order[at]!;
		const length = rowStart[a + 1]! - rowStart[a]!;
		let hole = at;
		for (; hole > from; hole -= 1) {
			const b = order[hole - 1]!;
			const other = rowStart[b + 1]! - rowStart[b]!;
			if (isFalling ? other >= length : other <= length) break;
			order[hole] = b;
		}
		order[hole] = a;
	}
}

/** A counting sort; `next` has room for all lengths. */
function countByLength(
	ids: Int32Array,
	order: Int32Array,
	from: number,
	to: number,
	rowStart: Int32Array,
	isFalling: boolean,
	next: Int32Array,
): void {
	next.fill(0);
	for (let at = from; at < to; at += 1) next[rowStart[ids[at]! + 1]! - rowStart[ids[at]!]!]! += 1;
	let start = from;
	for (let i = 0; i < next.length; i += 1) {
		const length = isFalling ? next.length - 1 - i : i;
		const count = next[length]!;
		next[length] = start;
		start += count;
	}
	for (let at = from; at < to; at += 1) {
		const a = ids[at]!;
		const length = rowStart[a + 1]! - rowStart[a]!;
		order[next[length]!] = a;
		next[length]! += 1;
	}
}
