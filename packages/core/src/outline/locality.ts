/** Neighbours in space side by side: contacts along a Hilbert curve through their points. Where points are not known the order of ids has to do. */
import { CURVE_BITS, curvePlaces } from "./hilbert.js";

/** Places are sorted by digits of 12 bits. */
const DIGITS = 4096;

/** Ids in the order of one digit of their keys, those of a digit as they came: a counting sort. */
function sortByDigit(key: Int32Array, shift: number, from: Int32Array, to: Int32Array): void {
	const next = new Int32Array(DIGITS);
	for (let id = 0; id < key.length; id += 1) next[(key[id]! >> shift) & (DIGITS - 1)]! += 1;
	let start = 0;
	for (let k = 0; k < DIGITS; k += 1) {
		const count = next[k]!;
		next[k] = start;
		start += count;
	}
	for (let at = 0; at < from.length; at += 1) {
		const id = from[at]!;
		const k = (key[id]! >> shift) & (DIGITS - 1);
		to[next[k]!] = id;
		next[k]! += 1;
	}
}

/** The least and the largest coordinate along an axis. */
function extent(count: number, point: Float64Array, axis: number): [number, number] {
	let low = point[axis]!;
	let high = low;
	for (let i = axis; i < 3 * count; i += 3) {
		const x = point[i]!;
		if (x < low) low = x;
		if (x > high) high = x;
	}
	return [low, high];
}

/** The cells of points in a grid of cubes over all of them; undefined where they are all in one place. */
function cellsOf(count: number, point: Float64Array): Uint16Array | undefined {
	const [lowX, highX] = extent(count, point, 0);
	const [lowY, highY] = extent(count, point, 1);
	const [lowZ, highZ] = extent(count, point, 2);
	const span = Math.max(highX - lowX, highY - lowY, highZ - lowZ);
	if (!(span > 0)) return undefined;
	const top = 2 ** CURVE_BITS - 1;
	const cells = new Uint16Array(3 * count);
	for (let at = 0; at < cells.length; at += 3) {
		cells[at] = ((point[at]! - lowX) / span) * top;
		cells[at + 1] = ((point[at + 1]! - lowY) / span) * top;
		cells[at + 2] = ((point[at + 2]! - lowZ) / span) * top;
	}
	return cells;
}

/** Ids 0 to count - 1 in an order in which neighbours are near; `point` has three coordinates for each. */
export function localityOrder(count: number, point: Float64Array | undefined): Int32Array {
	const order = new Int32Array(count);
	for (let id = 0; id < count; id += 1) order[id] = id;
	const cells = point === undefined || count === 0 ? undefined : cellsOf(count, point);
	if (cells === undefined) return order;
	const upper = new Int32Array(count);
	const lower = new Int32Array(count);
	curvePlaces(cells, upper, lower);
	const other = new Int32Array(count);
	sortByDigit(lower, 0, order, other);
	sortByDigit(lower, 12, other, order);
	sortByDigit(upper, 0, order, other);
	sortByDigit(upper, 12, other, order);
	return order;
}
