/**
 * The order in which contacts are stored and swept: by tile, in a tile by laws, of a law by colours, so that neighbours in the order share no body, and those of a colour by
 * the number of contacts around, so that rows of a length stand side by side. A tile's order follows from its contacts and their bodies alone.
 */
import { LAWS } from "@stickslip/core";
import { grown } from "../base/grow.js";
import type { ContactOwners } from "./contact-owners.js";

/** Masks have a bit per colour; what finds none free shares the last one, which costs speed and nothing else. */
const COLOURS = 31;
/** Contacts of a tile are counted by these: the colours of each law. */
const CLASSES = COLOURS * LAWS.length;

export interface ContactOrder {
	/** The rank's contacts by tile, and in their order inside it. */
	readonly order: Int32Array;
	/** The tiles that have some, ascending, and where each starts in the order; one entry more. */
	readonly tiles: Int32Array;
	readonly start: Int32Array;
}

/**
 * `body` has two numbers per contact, -1 for what does not move; `degree` is how many contacts there are at each body; `law` is left out where all
 * contacts have the same. A moment stands behind its force: the two have one colour, and in all else they are alike.
 */
export function orderContacts(
	body: Int32Array,
	degree: Int32Array,
	owner: ContactOwners,
	rank: number,
	tiles: number,
	law?: Uint8Array,
	isMoment: Uint8Array = NO_MOMENTS,
): ContactOrder {
	const { order, present, start } = groupByTile(owner, rank, tiles);
	mask = grown(mask, degree.length);
	colour = grown(colour, owner.tile.length);
	for (let t = 0; t < present.length; t += 1) {
		const from = start[t]!;
		const end = start[t + 1]!;
		const colours = colourTile(order, from, end, body, isMoment);
		if (law !== undefined) for (let i = from; i < end; i += 1) colour[order[i]!]! += COLOURS * law[order[i]!]!;
		sortTile(order, from, end, body, degree, law !== undefined ? CLASSES : colours);
	}
	return { order, tiles: present, start };
}

const NO_MOMENTS = new Uint8Array(0);

/** Used again by each step: the colours that a tile has at each body, of which none is left when it is done, and the colour of each contact. */
let mask = new Int32Array(0);
let colour = new Int32Array(0);

/** The rank's contacts by tile, each tile's as they came. */
function groupByTile({ tile, rank: owner, own }: ContactOwners, rank: number, tiles: number) {
	ends = grown(ends, tiles + 1).fill(0, 0, tiles + 1);
	for (let a = 0; a < tile.length; a += 1) if (owner[a] === rank) ends[tile[a]! + 1]! += 1;
	let count = 0;
	for (let t = 1; t <= tiles; t += 1) if (ends[t]! > 0) count += 1;
	const present = new Int32Array(count);
	const start = new Int32Array(count + 1);
	for (let t = 0, to = 0; t < tiles; t += 1) {
		const size = ends[t + 1]!;
		ends[t + 1]! += ends[t]!;
		if (size === 0) continue;
		present[to] = t;
		to += 1;
		start[to] = ends[t + 1]!;
	}
	const order = new Int32Array(own);
	for (let a = 0; a < tile.length; a += 1) {
		if (owner[a] !== rank) continue;
		const t = tile[a]!;
		const at = ends[t]!;
		order[at] = a;
		ends[t] = at + 1;
	}
	return { order, present, start };
}

/** Used again by each step: where the contacts of each tile end as far as they are listed. */
let ends = new Int32Array(0);

/** First fit in an order that has nothing to do with that of ids, in which sweeps converge slowly. Returns how many colours there are. */
function colourTile(order: Int32Array, from: number, end: number, body: Int32Array, isMoment: Uint8Array): number {
	const count = end - from;
	const stride = strideOf(count);
	const haveMoments = isMoment.length > 0;
	let colours = 1;
	for (let i = 0, at = 0; i < count; i += 1) {
		const a = order[from + at]!;
		at += stride;
		if (at >= count) at -= count;
		if (haveMoments && isMoment[a] === 1) continue;
		const first = body[2 * a]!;
		const second = body[2 * a + 1]!;
		const used = (first < 0 ? 0 : mask[first]!) | (second < 0 ? 0 : mask[second]!);
		const free = ~used & (used + 1);
		const own = free > 0 && free < 2 ** COLOURS ? 31 - Math.clz32(free) : COLOURS - 1;
		colour[a] = own;
		if (own >= colours) colours = own + 1;
		if (first >= 0) mask[first]! |= 1 << own;
		if (second >= 0) mask[second]! |= 1 << own;
	}
	for (let i = from; i < end; i += 1) {
		const a = order[i]!;
		if (haveMoments && isMoment[a] === 1) colour[a] = colour[a - 1]!;
		const first = body[2 * a]!;
		const second = body[2 * a + 1]!;
		if (first >= 0) mask[first] = 0;
		if (second >= 0) mask[second] = 0;
	}
	return colours;
}

/** Near 0.618 of the count, and without a common divisor, so that steps of it come by all numbers. */
function strideOf(count: number): number {
	if (count >= strides.length) strides = grown(strides, count + 1);
	const known = strides[count]!;
	if (known > 0) return known;
	let stride = Math.max(1, Math.floor(0.618 * count));
	while (divisor(stride, count) !== 1) stride += 1;
	strides[count] = stride % count || 1;
	return strides[count]!;
}

/** By count, as far as they were asked for; 0 elsewhere. */
let strides = new Int32Array(0);

function divisor(one: number, other: number): number {
	return other === 0 ? one : divisor(other, one % other);
}

/** By law and colour, then by the contacts around, then as they came: counted by colour, and those of a colour, which are few, sorted by insertion. */
function sortTile(
	order: Int32Array,
	from: number,
	end: number,
	body: Int32Array,
	degree: Int32Array,
	classes: number,
): void {
	const count = end - from;
	kept = grown(kept, count);
	around = grown(around, count);
	next.fill(0, 0, classes + 1);
	for (let i = 0; i < count; i += 1) {
		const a = order[from + i]!;
		kept[i] = a;
		next[colour[a]! + 1]! += 1;
	}
	for (let c = 0; c < classes; c += 1) next[c + 1]! += next[c]!;
	// Where each colour begins is where the last one ends, as far as it has been filled.
	for (let c = 0; c < classes; c += 1) first[c] = next[c]!;
	for (let i = 0; i < count; i += 1) {
		const a = kept[i]!;
		const one = body[2 * a]!;
		const other = body[2 * a + 1]!;
		const length = (one < 0 ? 0 : degree[one]!) + (other < 0 ? 0 : degree[other]!);
		const c = colour[a]!;
		let hole = next[c]!;
		next[c] = hole + 1;
		for (; hole > first[c]! && around[hole - 1]! > length; hole -= 1) {
			around[hole] = around[hole - 1]!;
			order[from + hole] = order[from + hole - 1]!;
		}
		around[hole] = length;
		order[from + hole] = a;
	}
}

/** Used again for each tile. */
let kept = new Int32Array(0);
let around = new Int32Array(0);
const next = new Int32Array(CLASSES + 1);
const first = new Int32Array(CLASSES + 1);
