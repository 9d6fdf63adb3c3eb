/**
 * A smooth piece and a polyhedron, deformed or not. Where the lowest point of the smooth piece above the nearest face lies within that face, the
 * answer is in closed form; else the climb goes on from that face's normal to an edge or a vertex.
 */
import type { Faces } from "../shapes/convex.js";
import { climb } from "./climb.js";
import { deepest } from "./deep.js";
import { addPoint, type Manifold, type PlacedPiece } from "./manifold.js";
import { placeVertices } from "./placed.js";
import { addWitness, widen } from "./rounded.js";
import { evaluate, makeSeparation, type Separation } from "./separation.js";
import { leastRadius, support } from "./widening.js";

const separation = makeSeparation();
/** Of the polyhedron's faces, turned as the piece is: for deformed ones by the cofactors of the map. */
const turn = new Float64Array(9);
const normal = new Float64Array(3);
const nearest = new Float64Array(3);

export function touchFacing(smooth: PlacedPiece, polyhedron: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const p = separation;
	const size = polyhedron.convex.vertices.length;
	if (p.second.length < size) p.second = new Float64Array(2 * size);
	p.firstCount = placeVertices(smooth, p.first);
	p.secondCount = placeVertices(polyhedron, p.second);
	p.widening.count = 0;
	const radius = widen(p, smooth);
	p.isFirstStretched = true;
	const limit = margin + radius;
	const face = nearestFace(p, polyhedron, limit);
	if (face < 0) return;
	for (let c = 0; c < 3; c++) p.n[c] = -nearest[c]!;
	evaluate(p);
	const isFace = p.firstCount === 1 && isWithin(p, polyhedron.convex.faces!, face);
	if (!isFace && climb(p, limit) > limit) return;
	// Of a sphere whose centre is inside, the nearest face is the way out.
	const isDeep = p.value < -leastRadius(p.widening) && !(isFace && p.widening.count === 0);
	if (isDeep) deepest(p);
	if (isDeep || !isFace) addWitness(p, radius, 0, 0, manifold);
	else {
		const { n } = p;
		const half = 0.5 * (p.value + radius);
		const x = lowest[0]! + half * n[0]!;
		const y = lowest[1]! + half * n[1]!;
		const z = lowest[2]! + half * n[2]!;
		addPoint(manifold, n[0]!, n[1]!, n[2]!, x, y, z, p.value - radius, 0);
	}
}

/** The face above which the smooth piece is highest, its normal in `nearest`; -1 where it is higher than the limit. */
function nearestFace(p: Separation, polyhedron: PlacedPiece, limit: number): number {
	const { first, second } = p;
	const faces = polyhedron.convex.faces!;
	placeTurn(polyhedron);
	let best = Number.NEGATIVE_INFINITY;
	let face = -1;
	for (let k = 0; k < faces.offset.length; k++) {
		placeNormal(polyhedron, faces.normal, 3 * k);
		const x = normal[0]!;
		const y = normal[1]!;
		const z = normal[2]!;
		const v = 3 * faces.vertex[faces.start[k]!]!;
		let height = Number.POSITIVE_INFINITY;
		for (let i = 0; i < 3 * p.firstCount; i += 3) {
			const dx = first[i]! - second[v]!;
			const dy = first[i + 1]! - second[v + 1]!;
			const dz = first[i + 2]! - second[v + 2]!;
			height = Math.min(height, x * dx + y * dy + z * dz);
		}
		if (height <= best) continue;
		height -= support(p.widening, x, y, z);
		if (height > limit) return -1;
		if (height <= best) continue;
		best = height;
		face = k;
		nearest.set(normal);
	}
	return face;
}

function placeTurn(piece: PlacedPiece): void {
	const m = piece.map;
	if (piece.isRigid) turn.set(m);
	else {
		for (let i = 0; i < 3; i++) {
			const a = 3 * ((i + 1) % 3);
			const b = 3 * ((i + 2) % 3);
			for (let j = 0; j < 3; j++) {
				const c = (j + 1) % 3;
				const d = (j + 2) % 3;
				turn[3 * i + j] = m[a + c]! * m[b + d]! - m[a + d]! * m[b + c]!;
			}
		}
	}
}

function placeNormal(piece: PlacedPiece, normals: Float64Array, at: number): void {
	const x = normals[at]!;
	const y = normals[at + 1]!;
	const z = normals[at + 2]!;
	for (let i = 0; i < 3; i++) normal[i] = turn[3 * i]! * x + turn[3 * i + 1]! * y + turn[3 * i + 2]! * z;
	if (piece.isRigid) return;
	const length = Math.sqrt(normal[0]! * normal[0]! + normal[1]! * normal[1]! + normal[2]! * normal[2]!);
	for (let i = 0; i < 3; i++) normal[i] = normal[i]! / length;
}

const lowest = new Float64Array(3);

/** Whether the lowest point of a smooth piece with one vertex, left in `lowest`, is above a face. */
function isWithin(p: Separation, faces: Faces, face: number): boolean {
	const { first, second, n, widening } = p;
	for (let c = 0; c < 3; c++) {
		lowest[c] = first[c]! + (widening.count > 0 ? widening.witness[c]! : 0);
	}
	const start = faces.start[face]!;
	const end = faces.start[face + 1]!;
	for (let k = start; k < end; k++) {
		const a = 3 * faces.vertex[k]!;
		const b = 3 * faces.vertex[k + 1 < end ? k + 1 : start]!;
		const x = second[b]! - second[a]!;
		const y = second[b + 1]! - second[a + 1]!;
		const z = second[b + 2]! - second[a + 2]!;
		// The side of the edge that is outside, as n points into the polyhedron.
		const outward =
			(z * n[1]! - y * n[2]!) * (lowest[0]! - second[a]!) +
			(x * n[2]! - z * n[0]!) * (lowest[1]! - second[a + 1]!) +
			(y * n[0]! - x * n[1]!) * (lowest[2]! - second[a + 2]!);
		if (outward > 0) return false;
	}
	return true;
}
