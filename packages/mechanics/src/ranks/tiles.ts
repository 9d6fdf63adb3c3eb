/**
 * Tiles of space: runs of cells along a Hilbert curve, with about as many bodies each. What ranks own, what contacts are swept by and what is
 * coloured are tiles; the table of them is replicated, and follows from all bodies together, not from which rank has which.
 */
import { CURVE_BITS, curvePlaces } from "@stickslip/core/parallel";
import type { Totals } from "./totals.js";

export interface Tiles {
	/** Corner and edge of the cube whose cells are numbered: what lies outside counts for the nearest cell. */
	readonly low: readonly [number, number, number];
	readonly edge: number;
	/** Where tiles begin along the curve, ascending from 0. */
	readonly first: Float64Array;
}

/** Cells along the curve, 8 ** CURVE_BITS. */
const CURVE_END = 2 ** (3 * CURVE_BITS);
const LOWER = 2 ** 24;
const CELLS = 2 ** CURVE_BITS;

/** The cells of so many points, as numbers along the curve; `position` has three coordinates for each. */
export function curveKeys({ low, edge }: Pick<Tiles, "low" | "edge">, position: Float64Array): Float64Array {
	const keys = new Float64Array(position.length / 3);
	const x = low[0];
	const y = low[1];
	const z = low[2];
	const scale = CELLS / edge;
	for (let from = 0; from < keys.length; from += PIECE) {
		const count = Math.min(PIECE, keys.length - from);
		for (let at = 0, of = 3 * from; at < 3 * count; at += 3, of += 3) {
			cells[at] = cellOf((position[of]! - x) * scale);
			cells[at + 1] = cellOf((position[of + 1]! - y) * scale);
			cells[at + 2] = cellOf((position[of + 2]! - z) * scale);
		}
		curvePlaces(cells, upper, lower);
		for (let i = 0; i < count; i += 1) keys[from + i] = upper[i]! * LOWER + lower[i]!;
	}
	return keys;
}

/** So many points at a time, in arrays that are used again by each step. */
const PIECE = 128;
const cells = new Uint16Array(3 * PIECE);
const upper = new Int32Array(PIECE);
const lower = new Int32Array(PIECE);

/** The nearest one there is; what is no number is in the first. */
function cellOf(coordinate: number): number {
	if (!(coordinate > 0)) return 0;
	return coordinate < CELLS ? coordinate : CELLS - 1;
}

/** The tiles that cells are in: the last one that begins at each or before. */
export function tilesOf(first: Float64Array, keys: Float64Array): Int32Array {
	const tile = new Int32Array(keys.length);
	for (let i = 0; i < keys.length; i += 1) tile[i] = tileOf(first, keys[i]!);
	return tile;
}

export function tileOf(first: Float64Array, key: number): number {
	return countBelow(first, key + 1) - 1;
}

/** How many of an ascending list are below a value. */
function countBelow(sorted: Float64Array, value: number): number {
	let from = 0;
	let to = sorted.length;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (sorted[middle]! < value) from = middle + 1;
		else to = middle;
	}
	return from;
}

/** Collective. Tiles of about `wanted` bodies; `position` is of the rank's own ones. */
export function makeTiles(position: Float64Array, wanted: number, totals: Totals): Tiles {
	const cube = cubeOf(position, totals);
	const keys = curveKeys(cube, position).sort();
	// Boxes of an octree, in their order along the curve, until none has too many.
	let start = Float64Array.of(0);
	let width = Float64Array.of(CURVE_END);
	let count = totals.counts(Float64Array.of(keys.length));
	for (;;) {
		const full = indicesOf(count, (bodies, i) => bodies > wanted && width[i]! > 1);
		if (full.length === 0) break;
		const inside = new Float64Array(8 * full.length);
		for (let k = 0; k < inside.length; k += 1) {
			const part = width[full[k >> 3]!]! / 8;
			const from = start[full[k >> 3]!]! + (k & 7) * part;
			inside[k] = countBelow(keys, from + part) - countBelow(keys, from);
		}
		totals.counts(inside);
		({ start, width, count } = divided({ start, width, count }, full, inside));
	}
	return { ...cube, first: joined(start, count, wanted) };
}

function cubeOf(position: Float64Array, totals: Totals): Pick<Tiles, "low" | "edge"> {
	const extent = new Float64Array(6).fill(Number.NEGATIVE_INFINITY);
	for (let i = 0; i < position.length; i += 1) {
		const x = position[i]!;
		extent[i % 3] = Math.max(extent[i % 3]!, x);
		extent[3 + (i % 3)] = Math.max(extent[3 + (i % 3)]!, -x);
	}
	totals.largest(extent);
	const [x = 0, y = 0, z = 0, lowX = 0, lowY = 0, lowZ = 0] = extent;
	const edge = Math.max(x + lowX, y + lowY, z + lowZ);
	if (!(edge > 0 && edge < Number.POSITIVE_INFINITY)) return { low: [0, 0, 0], edge: 1 };
	return { low: [-lowX, -lowY, -lowZ], edge };
}

function indicesOf(values: Float64Array, isWanted: (value: number, i: number) => boolean): Int32Array {
	const found: number[] = [];
	for (let i = 0; i < values.length; i += 1) if (isWanted(values[i]!, i)) found.push(i);
	return Int32Array.from(found);
}

interface Boxes {
	readonly start: Float64Array;
	readonly width: Float64Array;
	readonly count: Float64Array;
}

/** Full boxes in eight, which hold as many bodies as `inside` says. */
function divided({ start, width, count }: Boxes, full: Int32Array, inside: Float64Array) {
	const boxes = start.length + 7 * full.length;
	const next = { start: new Float64Array(boxes), width: new Float64Array(boxes), count: new Float64Array(boxes) };
	for (let i = 0, to = 0, k = 0; i < start.length; i += 1) {
		const parts = full[k] === i ? 8 : 1;
		for (let part = 0; part < parts; part += 1, to += 1) {
			next.width[to] = width[i]! / parts;
			next.start[to] = start[i]! + part * next.width[to]!;
			next.count[to] = parts === 1 ? count[i]! : inside[8 * k + part]!;
		}
		if (parts === 8) k += 1;
	}
	return next;
}

/** Boxes that follow one another, as long as they hold no more bodies than wanted. */
function joined(start: Float64Array, count: Float64Array, wanted: number): Float64Array {
	const first = [0];
	let bodies = 0;
	for (let i = 0; i < start.length; i += 1) {
		if (bodies > 0 && bodies + count[i]! > wanted) {
			first.push(start[i]!);
			bodies = 0;
		}
		bodies += count[i]!;
	}
	return Float64Array.from(first);
}
