/**
 * The points in which two pieces touch: a table of functions by kinds. A pair whose kinds come in the other order, and a pair of like kinds whose
 * places come in the other order, is given to its function swapped and the normals are turned round, so that swapping the pieces changes no bit.
 */
import type { Convex } from "../shapes/convex.js";
import { touchCapsules } from "./capsules.js";
import { touchEllipsoids } from "./ellipsoids.js";
import { touchFacing } from "./facing.js";
import type { Manifold, PairFunction, PlacedPiece } from "./manifold.js";
import { isAfter } from "./order.js";
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
row(SPHERE, CAPSULE, touchRounded);
row(SPHERE, ELLIPSOID, touchEllipsoids);
row(SPHERE, DEFORMED_CAPSULE, touchRounded);
row(CAPSULE, CAPSULE, touchCapsules);
row(CAPSULE, ELLIPSOID, touchRounded);
row(CAPSULE, DEFORMED_CAPSULE, touchCapsules);
row(ELLIPSOID, ELLIPSOID, touchEllipsoids);
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
	const isTurned = a > b || (a === b && a !== SPHERE && a !== ELLIPSOID && isAfter(first, second));
	const touches = isTurned ? table[b * KINDS + a] : table[a * KINDS + b];
	// Two planes never move against each other.
	if (touches === undefined) manifold.count = 0;
	else if (isTurned) {
		touches(second, first, margin, manifold);
		const { normal } = manifold;
		for (let k = 3 * manifold.count - 1; k >= 0; k--) normal[k] = -normal[k]!;
		if (a === b) turnFeatures(first.convex, second.convex, manifold.feature, manifold.count);
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
