/**
 * The points in which two pieces touch: a table of functions by kinds. A pair whose kinds come in the other order, and a pair of like kinds whose
 * places come in the other order, is given to its function swapped and the normals are turned round, so that swapping the pieces changes no bit.
 */
import type { Convex } from "../shapes/convex.js";
import { touchCapsules } from "./capsules.js";
import { touchFacing } from "./facing.js";
import type { Manifold, PairFunction, PlacedPiece } from "./manifold.js";
import { placeMiddle } from "./placed.js";
import { touchSmoothPlane } from "./planes.js";
import { touchPolyhedra } from "./polyhedra.js";
import { touchPolyhedronPlane } from "./polyhedron-plane.js";
import { touchRounded } from "./rounded.js";
import { touchSpheres } from "./spheres.js";

/** What a piece is where it is: a sphere that is deformed is an ellipsoid, a capsule that is deformed a segment widened by one. */
const [SPHERE, CAPSULE, ELLIPSOID, DEFORMED_CAPSULE, POLYHEDRON, PLANE] = [0, 1, 2, 3, 4, 5];
const KINDS = 6;

const table: (PairFunction | undefined)[] = new Array(KINDS * KINDS);

/** The pieces come to the function in this order of kinds. */
function row(first: number, second: number, touches: PairFunction): void {
	table[first * KINDS + second] = touches;
}

row(SPHERE, SPHERE, touchSpheres);
for (const second of [CAPSULE, ELLIPSOID, DEFORMED_CAPSULE]) row(SPHERE, second, touchRounded);
row(CAPSULE, CAPSULE, touchCapsules);
row(CAPSULE, ELLIPSOID, touchRounded);
row(CAPSULE, DEFORMED_CAPSULE, touchCapsules);
row(ELLIPSOID, ELLIPSOID, touchRounded);
row(ELLIPSOID, DEFORMED_CAPSULE, touchRounded);
row(DEFORMED_CAPSULE, DEFORMED_CAPSULE, touchCapsules);
for (const smooth of [SPHERE, CAPSULE, ELLIPSOID, DEFORMED_CAPSULE]) {
	row(smooth, POLYHEDRON, touchFacing);
	row(smooth, PLANE, touchSmoothPlane);
}
row(POLYHEDRON, POLYHEDRON, touchPolyhedra);
row(POLYHEDRON, PLANE, touchPolyhedronPlane);

export function touch(first: PlacedPiece, second: PlacedPiece, margin: number, manifold: Manifold): void {
	const a = kindOf(first);
	const b = kindOf(second);
	const isTurned = a > b || (a === b && a !== SPHERE && isAfter(first, second));
	const touches = isTurned ? table[b * KINDS + a] : table[a * KINDS + b];
	// Two planes never move against each other.
	if (touches === undefined) manifold.count = 0;
	else if (isTurned) {
		touches(second, first, margin, manifold);
		const { normal } = manifold;
		for (let k = 3 * manifold.count - 1; k >= 0; k--) normal[k] = -normal[k]!;
		if (a === b && a !== ELLIPSOID) turnFeatures(first.convex, second.convex, manifold.feature, manifold.count);
	} else touches(first, second, margin, manifold);
}

function kindOf(piece: PlacedPiece): number {
	switch (piece.convex.kind) {
		case "sphere":
			return piece.isRigid ? SPHERE : ELLIPSOID;
		case "ellipsoid":
			return ELLIPSOID;
		case "capsule":
			return piece.isRigid ? CAPSULE : DEFORMED_CAPSULE;
		case "polyhedron":
			return POLYHEDRON;
		case "plane":
			return PLANE;
	}
}

/**
 * Features of two polyhedra or two capsules count the corners of the first, then those of the second, then pairs of an edge of each: renames those
 * that were found with the pieces swapped.
 */
function turnFeatures(first: Convex, second: Convex, feature: Int32Array, count: number): void {
	const firstCorners = first.vertices.length / 3;
	const secondCorners = second.vertices.length / 3;
	const firstEdges = first.faces === undefined ? 1 : first.faces.edge.length / 2;
	const secondEdges = second.faces === undefined ? 1 : second.faces.edge.length / 2;
	for (let k = 0; k < count; k++) {
		const old = feature[k]!;
		const pair = old - firstCorners - secondCorners;
		if (old < secondCorners) feature[k] = firstCorners + old;
		else if (pair < 0) feature[k] = old - secondCorners;
		else {
			const secondEdge = Math.floor(pair / firstEdges);
			const firstEdge = pair % firstEdges;
			feature[k] = firstCorners + secondCorners + firstEdge * secondEdges + secondEdge;
		}
	}
}

const middles = [new Float64Array(3), new Float64Array(3)] as const;

/**
 * An order that depends on where pieces are and on nothing else: along the axis in which their middles are farthest apart, so that bodies above each other
 * keep theirs while they move a little.
 */
function isAfter(first: PlacedPiece, second: PlacedPiece): boolean {
	placeMiddle(first, middles[0]);
	placeMiddle(second, middles[1]);
	let most = 0;
	let isLater = false;
	for (let k = 0; k < 3; k++) {
		const apart = middles[0][k]! - middles[1][k]!;
		if (Math.abs(apart) <= most) continue;
		most = Math.abs(apart);
		isLater = apart > 0;
	}
	if (most > 0) return isLater;
	return isGreater(first, second);
}

/** Of pieces with one middle: an order by what they are. */
function isGreater(first: PlacedPiece, second: PlacedPiece): boolean {
	const order = compare(first.map, second.map);
	if (order !== 0) return order > 0;
	if (first.convex === second.convex) return first.isRigid && !second.isRigid;
	const a = first.convex;
	const b = second.convex;
	if (a.ball !== undefined && b.ball !== undefined && compare(a.ball, b.ball) !== 0) return compare(a.ball, b.ball) > 0;
	return compare(a.vertices, b.vertices) > 0;
}

/** Below zero, zero or above it, as the first list comes before the second one, is the same, or comes after it. */
function compare(a: Float64Array, b: Float64Array): number {
	if (a.length !== b.length) return a.length - b.length;
	for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k]! < b[k]! ? -1 : 1;
	return 0;
}
