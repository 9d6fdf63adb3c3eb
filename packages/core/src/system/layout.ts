/**
 * The order in which blocks are stored and swept. Contacts are coloured so that no two of a colour couple, and stored by
 * (tile, colour, length of the row, id), a tile being a run of neighbouring contacts; equality blocks follow. Rows of a length
 * side by side waste no room in SELL-2 and end their loops predictably. A coloured sweep goes over the
 * colours and, inside each, over the tiles: runs of contiguous rows, the same in any split of tiles among ranks.
 * Everything derives from global ids, so the order is the problem's and not the partition's.
 */
import { assert } from "../errors.js";
import { Random } from "../random.js";

/** Contacts per tile: measured best of 128 to 65,536 for the product in cache, and as good as any of them beyond it. */
const TILE_CONTACTS = 1024;
const COLOURS_MAX = 4096;

export interface Layout {
	/** Block id of each storage place. */
	readonly order: Int32Array;
	/** Storage place of each block id. */
	readonly place: Int32Array;
	readonly colours: number;
	/** The sweep: runs [from, to) of storage places, in order. */
	readonly runs: Int32Array;
}

/** Which blocks couple: the pattern of W, or for rigid bodies the bodies of each contact. */
export type Coupling =
	| { readonly rowStart: Int32Array; readonly column: Int32Array }
	| { readonly body: Int32Array; readonly bodies: number };

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
	const usedBy = new Int32Array(COLOURS_MAX).fill(-1);
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
		assert(c < COLOURS_MAX, "colours fit their table");
		colour[a] = c;
	}
	return colour;
}

/** First-fit colours of rigid contacts, by the colours already at their bodies (one bit each, in words of 32). */
function colourByBody(sequence: Int32Array, body: Int32Array, bodies: number): Int32Array {
	const words = COLOURS_MAX / 32;
	const colour = new Int32Array(sequence.length);
	const pages: (Int32Array | undefined)[] = new Array(words);
	for (const a of sequence) {
		const b0 = body[2 * a]!;
		const b1 = body[2 * a + 1]!;
		let c = -1;
		for (let word = 0; c < 0; word += 1) {
			assert(word < words, "colours fit their table");
			const page = pages[word] ?? new Int32Array(bodies);
			pages[word] = page;
			const used = (b0 < 0 ? 0 : page[b0]!) | (b1 < 0 ? 0 : page[b1]!);
			if (used === -1) continue;
			const bit = 31 - Math.clz32(~used & -~used);
			c = 32 * word + bit;
			if (b0 >= 0) page[b0]! |= 1 << bit;
			if (b1 >= 0) page[b1]! |= 1 << bit;
		}
		colour[a] = c;
	}
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
function sequentialLayout(order: Int32Array): Layout {
	const place = new Int32Array(order.length);
	for (let at = 0; at < order.length; at += 1) place[order[at]!] = at;
	return { order, place, colours: order.length, runs: Int32Array.of(0, order.length) };
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
	return sequentialLayout(order);
}

/** Stores by (part, tile, colour, length, id) by counting sort, part 0 being contacts and 1 equality blocks. */
function colouredLayout(blocks: number, contacts: number, colour: Int32Array, coupling: Coupling): Layout {
	let colours = 0;
	for (let a = 0; a < blocks; a += 1) colours = Math.max(colours, colour[a]! + 1);
	const contactTiles = Math.ceil(contacts / TILE_CONTACTS);
	const tiles = contactTiles + (blocks > contacts ? 1 : 0);
	const binOf = (a: number) => (a < contacts ? Math.floor(a / TILE_CONTACTS) : contactTiles) * colours + colour[a]!;
	const start = new Int32Array(tiles * colours + 1);
	for (let a = 0; a < blocks; a += 1) start[binOf(a) + 1]! += 1;
	for (let bin = 0; bin < tiles * colours; bin += 1) start[bin + 1]! += start[bin]!;
	const runs: number[] = [];
	for (let c = 0; c < colours; c += 1) {
		for (let tile = 0; tile < tiles; tile += 1) runs.push(start[tile * colours + c]!, start[tile * colours + c + 1]!);
	}
	const order = new Int32Array(blocks);
	const next = start.slice();
	for (let a = 0; a < blocks; a += 1) {
		const bin = binOf(a);
		order[next[bin]!] = a;
		next[bin]! += 1;
	}
	if ("rowStart" in coupling) {
		const { rowStart } = coupling;
		const length = Int32Array.from({ length: blocks }, (_, a) => rowStart[a + 1]! - rowStart[a]!);
		for (let bin = 0; bin < tiles * colours; bin += 1) {
			// Every second colour the other way round, so that rows of near lengths meet where two runs do.
			const sign = (bin % colours) % 2 === 0 ? -1 : 1;
			order.subarray(start[bin]!, start[bin + 1]!).sort((p, q) => sign * (length[p]! - length[q]!) || p - q);
		}
	}
	const place = new Int32Array(blocks);
	for (let at = 0; at < blocks; at += 1) place[order[at]!] = at;
	return { order, place, colours, runs: mergeRuns(runs) };
}
