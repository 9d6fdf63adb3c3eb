/**
 * The order in which blocks are stored and swept. Contacts are coloured so that no two of a colour couple, and stored by
 * (tile, colour, length of the row, id), a tile being a run of neighbouring contacts; equality blocks follow. Rows of a length
 * side by side waste no room in SELL-2 and end their loops predictably. A coloured sweep goes over the
 * colours and, inside each, over the tiles: runs of contiguous rows, the same in any split of tiles among ranks.
 * Everything derives from global ids, so the order is the problem's and not the partition's.
 */
import { Random } from "../random.js";
import { BodyColours } from "./body-colours.js";

/** Contacts per tile: measured best of 128 to 65,536 for the product in cache, and as good as any of them beyond it. */
const TILE_CONTACTS = 1024;

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

/** Stores by (part, tile, colour, length, id), part 0 being contacts and 1 equality blocks. */
function colouredLayout(blocks: number, contacts: number, colour: Int32Array, coupling: Coupling): Layout {
	let colours = 0;
	for (let a = 0; a < blocks; a += 1) colours = Math.max(colours, colour[a]! + 1);
	const contactTiles = Math.ceil(contacts / TILE_CONTACTS);
	const tileOf = (a: number): number => (a < contacts ? Math.floor(a / TILE_CONTACTS) : contactTiles);
	const colourOf = (a: number): number => colour[a]!;
	const ids = Int32Array.from({ length: blocks }, (_, a) => a);
	const order = sortedBy(sortedBy(ids, colours, colourOf), contactTiles + 1, tileOf);
	// Where the blocks of a tile and a colour begin: only those that there are, since colours may be as many as contacts.
	const starts: number[] = [];
	for (let at = 0; at < blocks; at += 1) {
		const [a, before] = [order[at]!, order[at - 1]];
		if (before === undefined || colour[a] !== colour[before] || tileOf(a) !== tileOf(before)) starts.push(at);
	}
	const bins = Int32Array.from(starts, (_, bin) => bin);
	const colourOfBin = (bin: number): number => colour[order[starts[bin]!]!]!;
	const runs: number[] = [];
	for (const bin of sortedBy(bins, colours, colourOfBin)) runs.push(starts[bin]!, starts[bin + 1] ?? blocks);
	if ("rowStart" in coupling) {
		const { rowStart } = coupling;
		const length = Int32Array.from({ length: blocks }, (_, a) => rowStart[a + 1]! - rowStart[a]!);
		for (const bin of bins) {
			// Every second colour the other way round, so that rows of near lengths meet where two runs do.
			const sign = colourOfBin(bin) % 2 === 0 ? -1 : 1;
			order.subarray(starts[bin]!, starts[bin + 1] ?? blocks).sort((p, q) => sign * (length[p]! - length[q]!) || p - q);
		}
	}
	const place = new Int32Array(blocks);
	for (let at = 0; at < blocks; at += 1) place[order[at]!] = at;
	return { order, place, name: "coloured", colours, runs: mergeRuns(runs) };
}
