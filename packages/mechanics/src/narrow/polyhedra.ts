/**
 * Two convex polyhedra. Where they overlap, the axis of least overlap says what touches: a face, whose points are those that it has in common with the face
 * that looks at it, or two edges, which have one point. Where they are apart, the nearest points are on such faces too or else on two edges.
 */
import {
	copyAxis,
	EDGES,
	FACE_OF_FIRST,
	FACE_OF_SECOND,
	isNearlyParallel,
	makeAxis,
	NEARLY_PARALLEL,
	type SeparatingAxis,
} from "./axis.js";
import { boxEdge, faceAlong, placeBoxes, searchBoxEdges, searchBoxFaces } from "./box-axes.js";
import { makeEdgeDistance, nearestEdges, nearestOnEdges } from "./edge-distance.js";
import { endsAlong, placeEnds, writeAcross, writeEnds, writeNearest } from "./edge-points.js";
import { clipFaces, writeFacePoints } from "./face-manifold.js";
import type { Manifold, PlacedPiece } from "./manifold.js";
import { findNearEdges } from "./near-edges.js";
import { MEETING, writeParallelEdges } from "./parallel-edges.js";
import { searchEdges, searchFaces } from "./polyhedron-axes.js";
import { edgesFeature } from "./polyhedron-features.js";
import { holdsPoint, makeSolid, placeSolid } from "./solid.js";

const first = makeSolid();
const second = makeSolid();
/** The best faces of the first and of the second, and the best axis of all, which may be one of theirs. */
const face = makeAxis();
const other = makeAxis();
const best = makeAxis();
const nearest = makeEdgeDistance();
/** Of the middle between the two bodies, about which they are placed, in the frame of the pair. */
const origin = new Float64Array(3);

/** In parts of the smaller reach: how much better an axis has to be to be taken before a face that was found first. */
const PREFERENCE = 1e-9;

/** In parts of the smaller reach: what is nearer touches, since the direction from one point to the other is lost in rounding. */
const TOUCHING = 1e-8;

/** In parts of the smaller reach: how much farther apart than all else the points of a preferred face may be. */
const SLACK = 1e-3;

export function touchPolyhedra(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const size = Math.min(a.convex.reach, b.convex.reach);
	const areBoxes = a.convex.halfEdges !== undefined && b.convex.halfEdges !== undefined;
	if (areBoxes && !searchBoxes(a, b, margin)) return;
	placeBoth(a, b);
	let isWhole = true;
	if (areBoxes) nameFeatures();
	else {
		if (!searchFaces(first, second, FACE_OF_FIRST, margin, face)) return;
		if (!searchFaces(second, first, FACE_OF_SECOND, margin, other)) return;
		copyAxis(other.separation > face.separation ? other : face, best);
		if (best.separation <= TOUCHING * size) {
			const reach = Math.max(margin, -best.separation) + PREFERENCE * size;
			const near = findNearEdges(first, second, reach);
			isWhole = near.isWhole;
			if (!searchEdges(first, second, near, margin, best)) return;
		}
	}
	write(margin, size, manifold);
	if (isWhole || overlapsAt(manifold, size)) return;
	// Edges farther off were left out as if the two overlapped, and that is not so: these may be what tells them apart.
	manifold.count = 0;
	const all = findNearEdges(first, second, Number.POSITIVE_INFINITY);
	if (searchEdges(first, second, all, margin, best)) write(margin, size, manifold);
}

/** False where one of their fifteen axes has them farther apart than the margin. */
function searchBoxes(a: PlacedPiece, b: PlacedPiece, margin: number): boolean {
	placeBoxes(a, b);
	if (!searchBoxFaces(FACE_OF_FIRST, margin, face) || !searchBoxFaces(FACE_OF_SECOND, margin, other)) return false;
	copyAxis(other.separation > face.separation ? other : face, best);
	return searchBoxEdges(margin, best);
}

/** About the middle between the two centres: the same numbers whichever of the two comes first. */
function placeBoth(a: PlacedPiece, b: PlacedPiece): void {
	for (let k = 0; k < 3; k += 1) origin[k] = 0.5 * (a.centre[k]! + b.centre[k]!);
	const x = 0.5 * (b.centre[0]! - a.centre[0]!);
	const y = 0.5 * (b.centre[1]! - a.centre[1]!);
	const z = 0.5 * (b.centre[2]! - a.centre[2]!);
	placeSolid(first, a, -x, -y, -z);
	placeSolid(second, b, x, y, z);
}

function nameFeatures(): void {
	face.face = faceAlong(first, face.x, face.y, face.z);
	other.face = faceAlong(second, -other.x, -other.y, -other.z);
	if (best.kind !== EDGES) return;
	best.firstEdge = boxEdge(first, best.firstEdge, best.x, best.y, best.z);
	best.secondEdge = boxEdge(second, best.secondEdge, -best.x, -best.y, -best.z);
}

function write(margin: number, size: number, manifold: Manifold): void {
	if (meetsInEdges(size) && writeParallelEdges(first, second, face, other, margin, size, origin, manifold)) return;
	const isSecond = other.separation > face.separation + PREFERENCE * size && !isNearlyParallel(face, other);
	const preferred = isSecond ? other : face;
	if (best.separation > TOUCHING * size) writeApart(preferred, margin, size, manifold);
	else writeOverlapping(preferred, margin, size, manifold);
}

/** True if both bodies reach their best face by an edge or a corner, and the two faces do not lie on each other. */
function meetsInEdges(size: number): boolean {
	const reach = MEETING * size;
	const least = Math.min(face.separation, other.separation);
	return least > -reach && best.separation < reach && !isNearlyParallel(face, other);
}

function clip(axis: SeparatingAxis, margin: number): number {
	return axis.kind === FACE_OF_FIRST
		? clipFaces(first, axis.face, second, true, margin)
		: clipFaces(second, axis.face, first, false, margin);
}

function writeClipped(axis: SeparatingAxis, manifold: Manifold): void {
	writeFacePoints(axis.kind === FACE_OF_FIRST, origin, manifold);
}

/** Two edges only where they are better than the faces and not next to the preferred one, or where that has no points that are as deep. */
function writeOverlapping(preferred: SeparatingAxis, margin: number, size: number, manifold: Manifold): void {
	const faces = Math.max(face.separation, other.separation);
	const areEdges = best.kind === EDGES && best.separation > faces + PREFERENCE * size;
	const enough = Math.min(margin, best.separation + SLACK * size);
	const rest = preferred === face ? other : face;
	if ((!areEdges || isNearlyParallel(best, preferred)) && clip(preferred, margin) <= enough)
		writeClipped(preferred, manifold);
	else if (!areEdges && rest.separation > preferred.separation && clip(rest, margin) <= enough)
		writeClipped(rest, manifold);
	else if (best.kind === EDGES) writeCrossing(manifold);
	else writeAcross(first, second, best, origin, manifold);
}

function writeCrossing(manifold: Manifold): void {
	nearest.square = Number.POSITIVE_INFINITY;
	nearestOnEdges(first, second, best.firstEdge, best.secondEdge, nearest);
	placeEnds(first, second, nearest, nearest.s, nearest.t);
	const feature = edgesFeature(first, second, best.firstEdge, best.secondEdge);
	writeEnds(best.x, best.y, best.z, best.separation, feature, origin, manifold);
}

/**
 * The separation along a face's normal is at most the distance times the cosine between the two directions. So points of the preferred face that are no
 * farther than separation / cosine are near enough; otherwise edges and the other face have to be asked.
 */
function writeApart(preferred: SeparatingAxis, margin: number, size: number, manifold: Manifold): void {
	const gap = clipApart(preferred, margin);
	if (gap * NEARLY_PARALLEL <= preferred.separation) {
		writeClipped(preferred, manifold);
		return;
	}
	const reach = Math.min(margin, gap) * (1 + PREFERENCE);
	nearestEdges(first, second, findNearEdges(first, second, reach), nearest);
	const distance = nearest.square <= reach * reach ? Math.sqrt(nearest.square) : Number.POSITIVE_INFINITY;
	const least = Math.min(distance, gap);
	const rest = preferred === face ? other : face;
	const restGap = rest.separation > preferred.separation ? clipApart(rest, margin) : Number.POSITIVE_INFINITY;
	if (restGap < least - SLACK * size) writeClipped(rest, manifold);
	else if (distance <= margin && !(gap <= distance + SLACK * size && isAlong(preferred, distance))) {
		writeNearest(first, second, nearest, origin, manifold);
	} else if (gap <= margin) {
		clip(preferred, margin);
		writeClipped(preferred, manifold);
	}
}

/** Of bodies that are apart no points overlap: they would be behind the body of the face, which is a wedge there. */
function clipApart(axis: SeparatingAxis, margin: number): number {
	const gap = clip(axis, margin);
	return gap < 0.5 * best.separation ? Number.POSITIVE_INFINITY : gap;
}

/** Whether the nearest points of edges face each other along the axis. */
function isAlong(axis: SeparatingAxis, distance: number): boolean {
	placeEnds(first, second, nearest, nearest.s, nearest.t);
	return endsAlong(axis.x, axis.y, axis.z) > NEARLY_PARALLEL * distance;
}

/** Whether the deepest point, which is half-way between the two surfaces, is in both, so that they do overlap. */
function overlapsAt({ count, gap, point }: Manifold, size: number): boolean {
	if (count === 0) return false;
	let deepest = 0;
	for (let k = 1; k < count; k += 1) if (gap[k]! < gap[deepest]!) deepest = k;
	const x = point[3 * deepest]! - origin[0]!;
	const y = point[3 * deepest + 1]! - origin[1]!;
	const z = point[3 * deepest + 2]! - origin[2]!;
	return holdsPoint(first, x, y, z, PREFERENCE * size) && holdsPoint(second, x, y, z, PREFERENCE * size);
}
