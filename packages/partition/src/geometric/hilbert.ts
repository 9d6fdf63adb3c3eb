/**
 * Partition along a Hilbert curve: points in the order in which the curve passes them, cut into runs of equal weight. Fast, and near
 * in the order is near in space. The index follows J. Skilling, "Programming the Hilbert curve" (2004): bits of the coordinates are
 * turned into the curve's transposed index by exchanges and inversions from the top bit down.
 */
import type { Graph } from "../graph/graph.js";
import { boxOf } from "./points.js";

/** What a double holds exactly: bits of the curve's index above bits of the vertex. */
const EXACT_BITS = 53;
const BITS_PER_AXIS_MAX = 16;

export function hilbertRuns(graph: Graph, points: Float64Array, parts: number): Int32Array {
	const order = hilbertOrder(points);
	const { vertices, vertexWeight } = graph;
	let total = 0;
	for (let v = 0; v < vertices; v += 1) total += vertexWeight[v]!;
	const owner = new Int32Array(vertices);
	let before = 0;
	for (let i = 0; i < vertices; i += 1) {
		const v = order[i]!;
		// The part in which the middle of the vertex lies.
		const middle = total > 0 ? (before + vertexWeight[v]! / 2) / total : (i + 0.5) / vertices;
		owner[v] = Math.min(parts - 1, Math.floor(middle * parts));
		before += vertexWeight[v]!;
	}
	return owner;
}

/** Points in the order of the curve, of equal places the lower id first. */
export function hilbertOrder(points: Float64Array): Int32Array {
	const count = points.length / 3;
	const idBits = Math.max(1, Math.ceil(Math.log2(Math.max(2, count))));
	const bits = Math.min(BITS_PER_AXIS_MAX, Math.floor((EXACT_BITS - idBits) / 3));
	const { low, high } = boxOf(points);
	// One scale for all axes, so that the curve's cells are cubes.
	const width = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
	const scale = width > 0 ? (2 ** bits - 1) / width : 0;
	const place = new Int32Array(3);
	const keyed = new Float64Array(count);
	for (let v = 0; v < count; v += 1) {
		for (let axis = 0; axis < 3; axis += 1) place[axis] = Math.floor((points[3 * v + axis]! - low[axis]!) * scale);
		keyed[v] = hilbertIndex(place, bits) * 2 ** idBits + v;
	}
	keyed.sort();
	return Int32Array.from(keyed, (key) => key % 2 ** idBits);
}

/** The number of a cell along the curve; `cell` is overwritten. */
export function hilbertIndex(cell: Int32Array, bits: number): number {
	const axes = cell.length;
	for (let bit = 1 << (bits - 1); bit > 1; bit >>= 1) {
		const lower = bit - 1;
		for (let axis = 0; axis < axes; axis += 1) {
			if (cell[axis]! & bit) {
				cell[0]! ^= lower;
			} else {
				const swapped = (cell[0]! ^ cell[axis]!) & lower;
				cell[0]! ^= swapped;
				cell[axis]! ^= swapped;
			}
		}
	}
	for (let axis = 1; axis < axes; axis += 1) cell[axis]! ^= cell[axis - 1]!;
	let flips = 0;
	for (let bit = 1 << (bits - 1); bit > 1; bit >>= 1) if (cell[axes - 1]! & bit) flips ^= bit - 1;
	let index = 0;
	for (let bit = bits - 1; bit >= 0; bit -= 1) {
		for (let axis = 0; axis < axes; axis += 1) index = 2 * index + (((cell[axis]! ^ flips) >> bit) & 1);
	}
	return index;
}
