/**
 * The graph of tiles, which all ranks have: how many contacts each has, and which tiles share a body. Tiles of a colour share none, so that a sweep
 * over one colour after another is the same sweep whoever owns which.
 */
import { type Communicator, colourBlocks } from "@stickslip/core/parallel";
import { grown } from "../base/grow.js";
import { allGather } from "./all-gather.js";
import type { ContactOrder } from "./contact-order.js";
import type { ContactOwners } from "./contact-owners.js";

export interface TileGraph {
	/** Where the contacts of each tile start in the order of all; one entry more than there are tiles. */
	readonly start: Int32Array;
	/** Of each tile; 0 where there are no contacts. */
	readonly colour: Int32Array;
	readonly colours: number;
	/** Over all ranks, of the whole numbers that each told with its tiles. */
	readonly sums: readonly number[];
}

type TileColours = Pick<TileGraph, "colour" | "colours">;

const SEED = 1;

/** Collective. `body` has two numbers per contact, -1 for what does not move. */
export function shareTileGraph(
	communicator: Communicator,
	{ order, tiles: present, start: own }: ContactOrder,
	body: Int32Array,
	bodies: number,
	owner: ContactOwners,
	tiles: number,
	counts: readonly number[] = [],
): TileGraph {
	if (communicator.size === 1 && tiles <= FEW_TILES) {
		const start = startsOf(present, own, tiles);
		const { colour, colours } = coloursOfFew(body, bodies, owner.tile, tiles);
		return { start, colour, colours, sums: counts };
	}
	listTilesOfBodies(body, bodies, owner.tile);
	const message = [...counts];
	seenBy = grown(seenBy, tiles).fill(-1, 0, tiles);
	visitedBy = grown(visitedBy, bodies).fill(-1, 0, bodies);
	for (let t = 0; t < present.length; t += 1) {
		const tile = present[t]!;
		const at = message.push(tile, own[t + 1]! - own[t]!, 0) - 1;
		seenBy[tile] = tile;
		for (let i = own[t]!; i < own[t + 1]!; i += 1) {
			for (let k = 2 * order[i]!; k < 2 * order[i]! + 2; k += 1) {
				const b = body[k]!;
				if (b < 0 || visitedBy[b] === tile) continue;
				visitedBy[b] = tile;
				for (let j = listStart[b]!; j < listEnd[b]!; j += 1) {
					const other = list[j]!;
					if (seenBy[other] === tile) continue;
					seenBy[other] = tile;
					message.push(other);
				}
			}
		}
		message[at] = message.length - at - 1;
	}
	const told = allGather(communicator, new Float64Array(message));
	const sums = counts.map((_, i) => told.reduce((sum, numbers) => sum + numbers[i]!, 0));
	const messages = told.map((numbers) => numbers.subarray(counts.length));
	return { ...graphOf(messages, tiles), sums };
}

/** The contacts of a rank that is alone, by tile. */
function startsOf(present: Int32Array, own: Int32Array, tiles: number): Int32Array {
	const start = new Int32Array(tiles + 1);
	for (let t = 0; t < present.length; t += 1) start[present[t]! + 1] = own[t + 1]! - own[t]!;
	for (let tile = 0; tile < tiles; tile += 1) start[tile + 1]! += start[tile]!;
	return start;
}

/** So many tiles are the bits of a number. */
const FEW_TILES = 32;

/** Colours where tiles are few: those at each body, and around each tile, as bits. The colours stay as long as these do. */
function coloursOfFew(body: Int32Array, bodies: number, tile: Int32Array, tiles: number): TileColours {
	tilesAt = grown(tilesAt, bodies).fill(0, 0, bodies);
	around.fill(0);
	for (let a = 0; a < tile.length; a += 1) {
		const bit = 1 << tile[a]!;
		const first = body[2 * a]!;
		const second = body[2 * a + 1]!;
		if (first >= 0) tilesAt[first]! |= bit;
		if (second >= 0) tilesAt[second]! |= bit;
	}
	for (let a = 0; a < tile.length; a += 1) {
		const first = body[2 * a]!;
		const second = body[2 * a + 1]!;
		around[tile[a]!]! |= (first >= 0 ? tilesAt[first]! : 0) | (second >= 0 ? tilesAt[second]! : 0);
	}
	if (lastFew === undefined || lastFew.tiles !== tiles || !areSame(lastFew.around, around)) {
		lastFew = { tiles, around: around.slice(), ...coloursOf(tiles, patternOf(around, tiles)) };
	}
	return lastFew;
}

let tilesAt = new Int32Array(0);
const around = new Int32Array(FEW_TILES);
let lastFew: (TileColours & { readonly tiles: number; readonly around: Int32Array }) | undefined;

const columnRoom = new Int32Array(FEW_TILES * FEW_TILES);

/** The others around each tile, as rows. */
function patternOf(around: Int32Array, tiles: number): Pattern {
	const rowStart = new Int32Array(tiles + 1);
	let count = 0;
	for (let tile = 0; tile < tiles; tile += 1) {
		// From the lowest bit up.
		for (let others = around[tile]! & ~(1 << tile); others !== 0; others &= others - 1) {
			columnRoom[count] = 31 - Math.clz32(others & -others);
			count += 1;
		}
		rowStart[tile + 1] = count;
	}
	return { rowStart, column: columnRoom.slice(0, count) };
}

/** Used again by each step: the last tile that came by each tile and each body; and by body its list of tiles. */
let seenBy = new Int32Array(0);
let visitedBy = new Int32Array(0);
let listStart = new Int32Array(0);
let listEnd = new Int32Array(0);
let list = new Int32Array(0);

/** The tiles of the contacts at each body, each once. `body` is of as many contacts as have tiles. */
function listTilesOfBodies(body: Int32Array, bodies: number, tile: Int32Array): void {
	const sides = 2 * tile.length;
	listStart = grown(listStart, bodies + 1).fill(0, 0, bodies + 1);
	listEnd = grown(listEnd, bodies);
	for (let k = 0; k < sides; k += 1) if (body[k]! >= 0) listStart[body[k]! + 1]! += 1;
	for (let b = 0; b < bodies; b += 1) {
		listEnd[b] = listStart[b]!;
		listStart[b + 1]! += listStart[b]!;
	}
	list = grown(list, listStart[bodies]!);
	for (let k = 0; k < sides; k += 1) {
		const b = body[k]!;
		if (b < 0) continue;
		const own = tile[k >> 1]!;
		const end = listEnd[b]!;
		let at = listStart[b]!;
		while (at < end && list[at] !== own) at += 1;
		if (at < end) continue;
		list[at] = own;
		listEnd[b] = at + 1;
	}
}

function graphOf(messages: readonly Float64Array[], tiles: number): Omit<TileGraph, "sums"> {
	const start = new Int32Array(tiles + 1);
	const rowStart = new Int32Array(tiles + 1);
	for (const message of messages) {
		for (let at = 0; at < message.length; at += 3 + message[at + 2]!) {
			start[message[at]! + 1] = message[at + 1]!;
			rowStart[message[at]! + 1] = message[at + 2]!;
		}
	}
	for (let tile = 0; tile < tiles; tile += 1) {
		start[tile + 1]! += start[tile]!;
		rowStart[tile + 1]! += rowStart[tile]!;
	}
	const column = new Int32Array(rowStart[tiles]!);
	for (const message of messages) {
		for (let at = 0; at < message.length; at += 3 + message[at + 2]!) {
			writeAscending(message, at + 3, message[at + 2]!, column, rowStart[message[at]!]!);
		}
	}
	return { start, ...coloursOf(tiles, { rowStart, column }) };
}

/** Ranks list neighbours as they find them, and few: they are sorted by insertion. */
function writeAscending(message: Float64Array, from: number, count: number, column: Int32Array, to: number): void {
	for (let k = 0; k < count; k += 1) {
		const tile = message[from + k]!;
		let hole = to + k;
		for (; hole > to && column[hole - 1]! > tile; hole -= 1) column[hole] = column[hole - 1]!;
		column[hole] = tile;
	}
}

type Pattern = Parameters<typeof colourBlocks>[1] & { readonly rowStart: Int32Array; readonly column: Int32Array };

/** Of the last graph: which tiles are neighbours often stays from one step to the next, and colours follow from it. */
let last: { readonly pattern: Pattern; readonly colour: Int32Array; readonly colours: number } | undefined;

function coloursOf(tiles: number, pattern: Pattern): TileColours {
	const isKnown =
		last && areSame(last.pattern.rowStart, pattern.rowStart) && areSame(last.pattern.column, pattern.column);
	if (last === undefined || !isKnown) {
		const colour = colourBlocks(tiles, pattern, SEED);
		let colours = 1;
		for (let tile = 0; tile < tiles; tile += 1) if (colour[tile]! >= colours) colours = colour[tile]! + 1;
		last = { pattern, colour, colours };
	}
	const { colour, colours } = last;
	return { colour, colours };
}

function areSame(one: Int32Array, other: Int32Array): boolean {
	if (one.length !== other.length) return false;
	for (let k = 0; k < one.length; k += 1) if (one[k] !== other[k]) return false;
	return true;
}
