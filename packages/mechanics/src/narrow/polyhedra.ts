/**
 * Two convex polyhedra. Where they overlap, the axis of least overlap says what touches: a face, whose points are those that it has in common with the face
 * that looks at it, or two edges, which have one point. Where they are apart, the nearest points are on such faces too or else on two edges.
 */
import {
	type Axis,
	copyAxis,
	EDGES,
	FACE_OF_FIRST,
	FACE_OF_SECOND,
	isNearlyParallel,
	makeAxis,
	NEARLY_PARALLEL,
} from "./axis.js";
import { boxEdge, faceAlong, placeBoxes, searchBoxEdges, searchBoxFaces } from "./box-axes.js";
import { type EdgeDistance, nearestEdges, nearestOnEdges } from "./edge-distance.js";
import { clipFaces, writeFacePoints } from "./face-manifold.js";
import { addPoint, type Manifold, type PlacedPiece } from "./manifold.js";
import { findNearEdges } from "./near-edges.js";
import { searchEdges, searchFaces } from "./polyhedron-axes.js";
import { edgesFeature, firstVertexFeature, secondVertexFeature } from "./polyhedron-features.js";
import { lowestVertex, makeSolid, placeSolid } from "./solid.js";

const first = makeSolid();
const second = makeSolid();
const face = makeAxis();
const other = makeAxis();
const edges = makeAxis();
const nearest: EdgeDistance = { square: 0, firstEdge: 0, secondEdge: 0, s: 0, t: 0, isOverlap: false, s2: 0, t2: 0 };

/** In parts of the smaller reach: how much better an axis has to be to be taken before a face that was found first. */
const PREFERENCE = 1e-9;

/** In parts of the smaller reach: what is nearer touches, since the direction from one point to the other is lost in rounding. */
const TOUCHING = 1e-8;

export function touchPolyhedra(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	// The origin is half-way between the two centres: the same numbers whichever of the two comes first.
	const hx = 0.5 * (b.centre[0]! - a.centre[0]!);
	const hy = 0.5 * (b.centre[1]! - a.centre[1]!);
	const hz = 0.5 * (b.centre[2]! - a.centre[2]!);
	const size = Math.min(a.convex.reach, b.convex.reach);
	const areBoxes = a.convex.halfEdges !== undefined && b.convex.halfEdges !== undefined;
	if (areBoxes) {
		placeBoxes(a, b, 2 * hx, 2 * hy, 2 * hz);
		if (!searchBoxFaces(FACE_OF_FIRST, margin, face) || !searchBoxFaces(FACE_OF_SECOND, margin, other)) return;
		copyAxis(face, edges);
		if (other.separation > edges.separation) copyAxis(other, edges);
		if (!searchBoxEdges(margin, edges)) return;
	}
	placeSolid(first, a, -hx, -hy, -hz);
	placeSolid(second, b, hx, hy, hz);
	if (!areBoxes) {
		if (!searchFaces(first, second, FACE_OF_FIRST, margin, face)) return;
		if (!searchFaces(second, first, FACE_OF_SECOND, margin, other)) return;
	}
	const separation = Math.max(face.separation, other.separation);
	if (other.separation > face.separation + PREFERENCE * size && !isNearlyParallel(face, other)) copyAxis(other, face);
	const x = 0.5 * (a.centre[0]! + b.centre[0]!);
	const y = 0.5 * (a.centre[1]! + b.centre[1]!);
	const z = 0.5 * (a.centre[2]! + b.centre[2]!);
	if (areBoxes) {
		nameFace(face);
		nameEdges(edges);
	}
	if (separation > TOUCHING * size) writeApart(margin, separation, x, y, z, manifold);
	else {
		if (!areBoxes) {
			copyAxis(face, edges);
			edges.separation = separation;
			const near = findNearEdges(first, second, Math.max(margin, Math.abs(separation)) + PREFERENCE * size);
			if (!searchEdges(first, second, near, margin, edges)) return;
		}
		writeOverlapping(margin, separation + PREFERENCE * size, x, y, z, manifold);
	}
}

function nameFace(axis: Axis): void {
	const isFirst = axis.kind === FACE_OF_FIRST;
	const sign = isFirst ? 1 : -1;
	axis.face = faceAlong(isFirst ? first : second, sign * axis.x, sign * axis.y, sign * axis.z);
}

function nameEdges(axis: Axis): void {
	if (axis.kind !== EDGES) return;
	axis.firstEdge = boxEdge(first, axis.firstEdge, axis.x, axis.y, axis.z);
	axis.secondEdge = boxEdge(second, axis.secondEdge, -axis.x, -axis.y, -axis.z);
}

function clip(margin: number): number {
	return face.kind === FACE_OF_FIRST
		? clipFaces(first, face.face, second, true, margin)
		: clipFaces(second, face.face, first, false, margin);
}

/** Edges only where their axis is better than `enough` and not next to that of the face, or where no points of the faces are near. */
function writeOverlapping(margin: number, enough: number, x: number, y: number, z: number, manifold: Manifold): void {
	const areEdges = edges.kind === EDGES && edges.separation > enough && !isNearlyParallel(edges, face);
	if (!areEdges && clip(margin) <= margin) writeFacePoints(face.kind === FACE_OF_FIRST, x, y, z, manifold);
	else if (edges.kind === EDGES) {
		nearest.square = Number.POSITIVE_INFINITY;
		nearestOnEdges(first, second, edges.firstEdge, edges.secondEdge, nearest);
		placeEdgePoints(nearest.s, nearest.t);
		const { firstEdge, secondEdge } = edges;
		const feature = edgesFeature(first, second, firstEdge, secondEdge);
		writePoint(edges.x, edges.y, edges.z, edges.separation, feature, x, y, z, manifold);
	} else writeDeepest(margin, x, y, z, manifold);
}

/** The two nearest points on edges. */
const ends = new Float64Array(6);

function placeEdgePoints(s: number, t: number): void {
	const p = 3 * first.faces.edge[2 * nearest.firstEdge]!;
	const p2 = 3 * first.faces.edge[2 * nearest.firstEdge + 1]!;
	const q = 3 * second.faces.edge[2 * nearest.secondEdge]!;
	const q2 = 3 * second.faces.edge[2 * nearest.secondEdge + 1]!;
	for (let k = 0; k < 3; k += 1) {
		const from = first.vertex[p + k]!;
		const to = second.vertex[q + k]!;
		ends[k] = from + s * (first.vertex[p2 + k]! - from);
		ends[3 + k] = to + t * (second.vertex[q2 + k]! - to);
	}
}

function writePoint(
	nx: number,
	ny: number,
	nz: number,
	gap: number,
	feature: number,
	x: number,
	y: number,
	z: number,
	manifold: Manifold,
): void {
	const px = x + 0.5 * (ends[0]! + ends[3]!);
	const py = y + 0.5 * (ends[1]! + ends[4]!);
	const pz = z + 0.5 * (ends[2]! + ends[5]!);
	addPoint(manifold, nx, ny, nz, px, py, pz, gap, feature);
}

/** The corner that is deepest under the face: for shapes so thin that rounding left no point in the face. */
function writeDeepest(margin: number, x: number, y: number, z: number, manifold: Manifold): void {
	const isFirst = face.kind === FACE_OF_FIRST;
	const sign = isFirst ? 1 : -1;
	const solid = isFirst ? second : first;
	const vertex = lowestVertex(solid, sign * face.x, sign * face.y, sign * face.z);
	if (face.separation > margin) return;
	for (let k = 0; k < 3; k += 1) {
		const n = k === 0 ? face.x : k === 1 ? face.y : face.z;
		ends[k] = solid.vertex[3 * vertex + k]!;
		ends[3 + k] = ends[k]! - sign * face.separation * n;
	}
	const feature = isFirst ? secondVertexFeature(first, vertex) : firstVertexFeature(vertex);
	writePoint(face.x, face.y, face.z, face.separation, feature, x, y, z, manifold);
}

/**
 * The separation along the face's normal is at most the distance times the cosine between the two directions. So points of the face that are no farther than
 * separation / cosine are near enough; otherwise the edges have to be asked.
 */
function writeApart(margin: number, separation: number, x: number, y: number, z: number, manifold: Manifold): void {
	const gap = clip(margin);
	const isFirst = face.kind === FACE_OF_FIRST;
	if (gap * NEARLY_PARALLEL <= separation) {
		writeFacePoints(isFirst, x, y, z, manifold);
		return;
	}
	const reach = Math.min(margin, gap) * (1 + PREFERENCE);
	const near = findNearEdges(first, second, reach);
	nearestEdges(first, second, near, nearest);
	const distance = Math.sqrt(nearest.square);
	if (!(distance <= reach)) {
		if (gap <= margin) writeFacePoints(isFirst, x, y, z, manifold);
		return;
	}
	placeEdgePoints(nearest.s, nearest.t);
	const nx = (ends[3]! - ends[0]!) / distance;
	const ny = (ends[4]! - ends[1]!) / distance;
	const nz = (ends[5]! - ends[2]!) / distance;
	if (gap <= margin && nx * face.x + ny * face.y + nz * face.z > NEARLY_PARALLEL) {
		writeFacePoints(isFirst, x, y, z, manifold);
		return;
	}
	if (distance > margin) return;
	if (nearest.isOverlap) {
		// Parallel edges side by side: both ends of what they share.
		placeEdgePoints(nearest.s, nearest.t);
		writePoint(nx, ny, nz, distance, endFeature(nearest.s, nearest.t), x, y, z, manifold);
		placeEdgePoints(nearest.s2, nearest.t2);
		writePoint(nx, ny, nz, distance, endFeature(nearest.s2, nearest.t2), x, y, z, manifold);
	} else writePoint(nx, ny, nz, distance, endFeature(nearest.s, nearest.t), x, y, z, manifold);
}

/** A corner where one of the edges ends there, else both edges. */
function endFeature(s: number, t: number): number {
	const { firstEdge, secondEdge } = nearest;
	if (s === 0 || s === 1) return firstVertexFeature(first.faces.edge[2 * firstEdge + s]!);
	if (t === 0 || t === 1) return secondVertexFeature(first, second.faces.edge[2 * secondEdge + t]!);
	return edgesFeature(first, second, firstEdge, secondEdge);
}
