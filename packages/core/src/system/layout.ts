/**
 * The order of all blocks of a problem, from global ids alone and so the same for any partition. Contacts are gathered in tiles of
 * neighbours, tiles are coloured so that no two of a colour couple, and a sweep goes over one colour of tiles after another: whatever
 * rank owns a tile, it is the same sweep. In a small problem every contact is a tile; in a large one tiles are what keeps a sweep
 * in the cache and messages few. Blocks are ordered by (tile, colour of the contact, length of the row, id): rows of a length side by side
 * waste no room in SELL-2 and end their loops predictably. Equality blocks are the last tile, with a colour of its own.
 */
import { Random } from "../random.js";
import { colourBlocks } from "./colouring.js";
import { localityOrder } from "./locality.js";
import { type Coupling, colourTiles } from "./tiles.js";

/** Up to so many contacts every one is a tile of its own: a sweep stays in the cache anyway. */
const SINGLE_MAX = 2 ** 16;

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
		const size = options.tile ?? tileContacts(contacts, countColours(colour));
		return size === 1
			? singleTiles(blocks, contacts, colour, coupling)
			: manyTiles(blocks, contacts, colour, coupling, size, options.seed, point);
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
function singleTiles(blocks: number, contacts: number, colour: Int32Array, coupling: Coupling): Layout {
	const colours = countColours(colour);
	const ids = Int32Array.from({ length: blocks }, (_, a) => a);
	const bin = (a: number): number => (a < contacts ? colour[a]! : colours + colour[a]!);
	const order = sortedBy(ids, 2 * colours, bin);
	if ("rowStart" in coupling) sortByLength(order, coupling.rowStart, bin);
	const step = stepsOf(colour.subarray(0, contacts), colours);
	const steps = countColours(step) + (blocks > contacts ? 1 : 0);
	const tiles = contacts + (blocks > contacts ? 1 : 0);
	const tileStart = Int32Array.from({ length: tiles + 1 }, (_, t) => (t < tiles ? t : blocks));
	const tileColour = Int32Array.from({ length: tiles }, (_, t) =>
		t < contacts ? step[colour[order[t]!]!]! : steps - 1,
	);
	return { order, place: inverse(order), name: "coloured", colours, tileStart, tileColour, steps };
}

function manyTiles(
	blocks: number,
	contacts: number,
	colour: Int32Array,
	coupling: Coupling,
	size: number,
	seed: number,
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
	const tileColour = colourTiles(tile, contactTiles, coupling, seed);
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
