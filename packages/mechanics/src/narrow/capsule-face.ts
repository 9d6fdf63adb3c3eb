/**
 * A capsule that lies on a face of a polyhedron: the points at both ends of the part of its axis that is above the face. Features: 0 and 1 for ends of
 * the capsule; where the axis leaves the face, 2 and on for the corner before the side that it crosses.
 */
import type { Faces } from "../shapes/convex.js";
import { addPoint, type Manifold, type PlacedPiece } from "./manifold.js";
import { normalTurn, placeNormal } from "./placed.js";
import type { Separation } from "./separation.js";

/** The most that the squared sine may be of the angles of the face with the axis and with the plane across the common normal. */
const FLAT = 0.1;
/** Points less than this apart, relative to the pieces, are one. */
const APART = 1e-3;

const normal = new Float64Array(3);
const candidate = new Float64Array(3);
const from = new Float64Array(3);
const part = { start: 0, end: 1, startFeature: 0, endFeature: 1 };

/**
 * Takes the first piece of `p` as the capsule, at its signed distance. All points have the common normal, along which the face is farther at the ends
 * than at the closest point.
 */
export function addFaceEnds(p: Separation, polyhedron: PlacedPiece, margin: number, manifold: Manifold): void {
	const { n, first, second, firstRadius, widening } = p;
	const faces = polyhedron.convex.faces!;
	const face = faceAcross(p, polyhedron, faces);
	if (face < 0) return;
	const length = axisLength(p);
	if (!clip(p, faces, face) || (part.end - part.start) * length <= APART * (p.scale + firstRadius)) return;
	const v = 3 * faces.vertex[faces.start[face]!]!;
	const cosine = -(normal[0]! * n[0]! + normal[1]! * n[1]! + normal[2]! * n[2]!);
	for (let end = 0; end < 2; end++) {
		const place = end === 0 ? part.start : part.end;
		let height = 0;
		for (let c = 0; c < 3; c++) {
			// Written so that both ends are the very vertices.
			const x = (1 - place) * first[c]! + place * first[3 + c]!;
			from[c] = x + (widening.count > 0 ? widening.witness[c]! : 0);
			height += normal[c]! * (from[c]! - second[v + c]!);
		}
		const value = height / cosine;
		if (value - firstRadius > margin) continue;
		addFacePoint(n, from, value, firstRadius, end === 0 ? part.startFeature : part.endFeature, manifold);
	}
}

/** Of a point of the smooth piece, its round ball of `radius` left out, and a face at the distance `value` from it along n. */
export function addFacePoint(
	n: Float64Array,
	point: Float64Array,
	value: number,
	radius: number,
	feature: number,
	manifold: Manifold,
): void {
	const half = 0.5 * (value + radius);
	const x = point[0]! + half * n[0]!;
	const y = point[1]! + half * n[1]!;
	const z = point[2]! + half * n[2]!;
	addPoint(manifold, n[0]!, n[1]!, n[2]!, x, y, z, value - radius, feature);
}

/** The face that is most across the common normal, its own in `normal`; -1 if it is not flat under the axis. */
function faceAcross(p: Separation, polyhedron: PlacedPiece, faces: Faces): number {
	const { n, first } = p;
	const turn = normalTurn(polyhedron);
	let best = 0;
	let face = -1;
	for (let k = 0; k < faces.offset.length; k++) {
		placeNormal(turn, faces.normal, 3 * k, candidate);
		const cosine = -(candidate[0]! * n[0]! + candidate[1]! * n[1]! + candidate[2]! * n[2]!);
		if (cosine <= best) continue;
		best = cosine;
		face = k;
		normal.set(candidate);
	}
	if (1 - best * best > FLAT) return -1;
	let along = 0;
	let square = 0;
	for (let c = 0; c < 3; c++) {
		const axis = first[3 + c]! - first[c]!;
		along += axis * normal[c]!;
		square += axis * axis;
	}
	return along * along > FLAT * square ? -1 : face;
}

function axisLength(p: Separation): number {
	const { first } = p;
	const x = first[3]! - first[0]!;
	const y = first[4]! - first[1]!;
	const z = first[5]! - first[2]!;
	return Math.sqrt(x * x + y * y + z * z);
}

/** Cuts what the axis is along the normal, with the witness of its ball, by the sides of the face; false if nothing is left. */
function clip(p: Separation, faces: Faces, face: number): boolean {
	const { n, first, second, widening } = p;
	const wx = widening.count > 0 ? widening.witness[0]! : 0;
	const wy = widening.count > 0 ? widening.witness[1]! : 0;
	const wz = widening.count > 0 ? widening.witness[2]! : 0;
	part.start = 0;
	part.end = 1;
	part.startFeature = 0;
	part.endFeature = 1;
	const begin = faces.start[face]!;
	const end = faces.start[face + 1]!;
	for (let k = begin; k < end; k++) {
		const corner = faces.vertex[k]!;
		const a = 3 * corner;
		const b = 3 * faces.vertex[k + 1 < end ? k + 1 : begin]!;
		const x = second[b]! - second[a]!;
		const y = second[b + 1]! - second[a + 1]!;
		const z = second[b + 2]! - second[a + 2]!;
		// Across the edge and n, outwards as n points into the polyhedron.
		const ox = z * n[1]! - y * n[2]!;
		const oy = x * n[2]! - z * n[0]!;
		const oz = y * n[0]! - x * n[1]!;
		const shift = ox * (wx - second[a]!) + oy * (wy - second[a + 1]!) + oz * (wz - second[a + 2]!);
		const h0 = shift + (ox * first[0]! + oy * first[1]! + oz * first[2]!);
		const h1 = shift + (ox * first[3]! + oy * first[4]! + oz * first[5]!);
		if (h0 > 0 && h1 > 0) return false;
		if (h0 <= 0 && h1 <= 0) continue;
		const place = h0 / (h0 - h1);
		if (h0 > 0 && place > part.start) {
			part.start = place;
			part.startFeature = 2 + corner;
		} else if (h1 > 0 && place < part.end) {
			part.end = place;
			part.endFeature = 2 + corner;
		}
	}
	return part.start < part.end;
}
