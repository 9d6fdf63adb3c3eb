/** Single points of two polyhedra: of two edges, of a corner beside an edge or a corner, and of a corner under a face. */
import { FACE_OF_FIRST, type SeparatingAxis } from "./axis.js";
import type { EdgeDistance } from "./edge-distance.js";
import { addPoint, type Manifold } from "./manifold.js";
import { edgesFeature, firstVertexFeature, secondVertexFeature } from "./polyhedron-features.js";
import { lowestVertex, type Solid } from "./solid.js";

/** The two points that face each other. */
const ends = new Float64Array(6);

/** The points at s and t of the two edges. */
export function placeEnds(first: Solid, second: Solid, { firstEdge, secondEdge }: EdgeDistance, s: number, t: number) {
	const p = 3 * first.faces.edge[2 * firstEdge]!;
	const p2 = 3 * first.faces.edge[2 * firstEdge + 1]!;
	const q = 3 * second.faces.edge[2 * secondEdge]!;
	const q2 = 3 * second.faces.edge[2 * secondEdge + 1]!;
	for (let k = 0; k < 3; k += 1) {
		const from = first.vertex[p + k]!;
		const to = second.vertex[q + k]!;
		ends[k] = from + s * (first.vertex[p2 + k]! - from);
		ends[3 + k] = to + t * (second.vertex[q2 + k]! - to);
	}
}

/** From the first point to the second, along a direction. */
export function endsAlong(x: number, y: number, z: number): number {
	return x * (ends[3]! - ends[0]!) + y * (ends[4]! - ends[1]!) + z * (ends[5]! - ends[2]!);
}

/** Half-way between the two points. */
export function writeEnds(
	nx: number,
	ny: number,
	nz: number,
	gap: number,
	feature: number,
	origin: Float64Array,
	manifold: Manifold,
): void {
	const x = origin[0]! + 0.5 * (ends[0]! + ends[3]!);
	const y = origin[1]! + 0.5 * (ends[1]! + ends[4]!);
	const z = origin[2]! + 0.5 * (ends[2]! + ends[5]!);
	addPoint(manifold, nx, ny, nz, x, y, z, gap, feature);
}

/** The nearest points of edges that are apart: one, or where parallel edges are side by side both ends of what they share. */
export function writeNearest(
	first: Solid,
	second: Solid,
	nearest: EdgeDistance,
	origin: Float64Array,
	manifold: Manifold,
): void {
	const { s, t, s2, t2, isOverlap } = nearest;
	placeEnds(first, second, nearest, s, t);
	const x = ends[3]! - ends[0]!;
	const y = ends[4]! - ends[1]!;
	const z = ends[5]! - ends[2]!;
	const distance = Math.sqrt(x * x + y * y + z * z);
	const nx = x / distance;
	const ny = y / distance;
	const nz = z / distance;
	writeEnds(nx, ny, nz, distance, endFeature(first, second, nearest, s, t), origin, manifold);
	if (!isOverlap) return;
	placeEnds(first, second, nearest, s2, t2);
	writeEnds(nx, ny, nz, distance, endFeature(first, second, nearest, s2, t2), origin, manifold);
}

/** A corner where one of the edges ends there, else both edges. */
function endFeature(
	first: Solid,
	second: Solid,
	{ firstEdge, secondEdge }: EdgeDistance,
	s: number,
	t: number,
): number {
	if (s === 0 || s === 1) return firstVertexFeature(first.faces.edge[2 * firstEdge + s]!);
	if (t === 0 || t === 1) return secondVertexFeature(first, second.faces.edge[2 * secondEdge + t]!);
	return edgesFeature(first, second, firstEdge, secondEdge);
}

/** The corner that is deepest across a face: for shapes so thin that rounding left no point in it. */
export function writeAcross(
	first: Solid,
	second: Solid,
	face: SeparatingAxis,
	origin: Float64Array,
	manifold: Manifold,
): void {
	const isFirst = face.kind === FACE_OF_FIRST;
	const { x, y, z, separation } = face;
	const vertex = isFirst ? lowestVertex(second, x, y, z) : lowestVertex(first, -x, -y, -z);
	const solid = isFirst ? second : first;
	// From the corner to its foot on the face.
	const shift = isFirst ? -separation : separation;
	for (let k = 0; k < 3; k += 1) {
		ends[k] = solid.vertex[3 * vertex + k]!;
		ends[3 + k] = ends[k]! + shift * (k === 0 ? x : k === 1 ? y : z);
	}
	const feature = isFirst ? secondVertexFeature(first, vertex) : firstVertexFeature(vertex);
	writeEnds(x, y, z, separation, feature, origin, manifold);
}
