/**
 * A capsule that lies on a face of a polyhedron: the points at both ends of the part of its axis that is above the face. Features: 0 and 1 for ends of
 * the capsule; where the axis leaves the face, 2 and on for the corner before the side that it crosses.
 */
import type { Faces } from "../shapes/convex.js";
import { addPoint, type Manifold, type PlacedPiece } from "./manifold.js";
import { normalTurn, placeNormal } from "./placed.js";
import type { Separation } from "./separation.js";
import { support } from "./widening.js";

/** The most that the squared sine may be of the angles of the face with the axis and with the plane across the common normal. */
const FLAT = 0.1;
/** Points less than this apart, relative to the pieces, are one. */
const APART = 1e-3;

const normal = new Float64Array(3);
const candidate = new Float64Array(3);
const from = new Float64Array(3);
const inward = new Float64Array(3);
const part = { start: 0, end: 1, startFeature: 0, endFeature: 1 };

/** Takes the first piece of `p` as the capsule; `p` stays as it is. */
export function addFaceEnds(p: Separation, polyhedron: PlacedPiece, margin: number, manifold: Manifold): void {
	const { first, second, firstRadius } = p;
	const faces = polyhedron.convex.faces!;
	const face = faceAcross(p, polyhedron, faces);
	if (face < 0) return;
	const length = axisLength(p);
	if (!clip(p, faces, face) || (part.end - part.start) * length <= APART * (p.scale + firstRadius)) return;
	for (let c = 0; c < 3; c++) inward[c] = -normal[c]!;
	const v = 3 * faces.vertex[faces.start[face]!]!;
	const rho = support(p.widening, inward[0]!, inward[1]!, inward[2]!);
	for (let end = 0; end < 2; end++) {
		const place = end === 0 ? part.start : part.end;
		let height = 0;
		for (let c = 0; c < 3; c++) {
			// Written so that both ends are the very vertices.
			const x = (1 - place) * first[c]! + place * first[3 + c]!;
			height += normal[c]! * (x - second[v + c]!);
			from[c] = x + (p.widening.count > 0 ? p.widening.witness[c]! : 0);
		}
		const value = height - rho;
		if (value - firstRadius > margin) continue;
		addFacePoint(inward, from, value, firstRadius, end === 0 ? part.startFeature : part.endFeature, manifold);
	}
	support(p.widening, p.n[0]!, p.n[1]!, p.n[2]!);
}

/** Of a point of the smooth piece, its round ball of `radius` left out, and the face at the distance `value` straight below it. */
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

/** Cuts the axis by the sides of the face; false if nothing is left. */
function clip(p: Separation, faces: Faces, face: number): boolean {
	const { first, second } = p;
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
		const ox = y * normal[2]! - z * normal[1]!;
		const oy = z * normal[0]! - x * normal[2]!;
		const oz = x * normal[1]! - y * normal[0]!;
		const h0 = ox * (first[0]! - second[a]!) + oy * (first[1]! - second[a + 1]!) + oz * (first[2]! - second[a + 2]!);
		const h1 = ox * (first[3]! - second[a]!) + oy * (first[4]! - second[a + 1]!) + oz * (first[5]! - second[a + 2]!);
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
