/**
 * A smooth piece and a polyhedron, deformed or not. Where the lowest point of the smooth piece above the nearest face lies within that face, the
 * answer is in closed form; else the climb goes on from that face's normal to an edge or a vertex.
 */
import type { Faces } from "../shapes/convex.js";
import { addFaceEnds, addFacePoint } from "./capsule-face.js";
import { climb } from "./climb.js";
import { deepest } from "./deep.js";
import type { Manifold, PlacedPiece } from "./manifold.js";
import { normalTurn, placeNormal, turnNormal } from "./placed.js";
import { evaluate, makeSeparation, type Separation } from "./separation.js";
import { leastRadius, support } from "./widening.js";
import { addIfDeeper, addWitness, placeFirst, placeSecond } from "./witness.js";

const separation = makeSeparation();
const normal = new Float64Array(3);
const nearest = new Float64Array(3);

export function touchFacing(smooth: PlacedPiece, polyhedron: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const p = separation;
	placeFirst(p, smooth);
	// Most pairs that are near are apart: the heights of faces say so before any vertex is placed.
	if (!polyhedron.isRigid) placeSecond(p, polyhedron);
	const limit = margin + p.firstRadius;
	const face = nearestFace(p, polyhedron, limit);
	if (face < 0) return;
	if (polyhedron.isRigid) placeSecond(p, polyhedron);
	for (let c = 0; c < 3; c++) p.n[c] = -nearest[c]!;
	evaluate(p);
	const isFace = p.firstCount === 1 && isWithin(p, polyhedron.convex.faces!, face);
	if (!isFace && climb(p, limit) > limit) return;
	// Of a sphere whose centre is inside, the nearest face is the way out.
	const isDeep = p.value < 0 && p.value < -leastRadius(p.widening) && !(isFace && p.widening.count === 0);
	if (isDeep) {
		const count = placeInward(polyhedron);
		if (deepest(p, inward, count) > limit) return;
	}
	if (p.firstCount > 1) {
		addFaceEnds(p, polyhedron, margin, manifold);
		addIfDeeper(p, p.firstCount + p.secondCount, 1e-13, manifold);
	} else if (isDeep || !isFace) addWitness(p, 0, manifold);
	else addFacePoint(p.n, lowest, p.value, p.firstRadius, 0, manifold);
}

let inward = new Float64Array(0);

/** Directions into the polyhedron, as `n` has: against the normals of all faces, and between those of the two faces of each edge. Returns their count. */
function placeInward(polyhedron: PlacedPiece): number {
	const { normal: normals, edgeFace } = polyhedron.convex.faces!;
	const turn = normalTurn(polyhedron);
	const count = normals.length + 4.5 * edgeFace.length;
	if (inward.length < count) inward = new Float64Array(2 * count);
	for (let k = 0; k < normals.length; k += 3) {
		placeNormal(turn, normals, k, normal);
		for (let c = 0; c < 3; c++) inward[k + c] = -normal[c]!;
	}
	let at = normals.length;
	for (let edge = 0; edge < edgeFace.length; edge += 2) {
		const a = 3 * edgeFace[edge]!;
		const b = 3 * edgeFace[edge + 1]!;
		for (let part = 1; part < 4; part++, at += 3) {
			for (let c = 0; c < 3; c++) normal[c] = part * inward[a + c]! + (4 - part) * inward[b + c]!;
			const length = Math.sqrt(normal[0]! * normal[0]! + normal[1]! * normal[1]! + normal[2]! * normal[2]!);
			for (let c = 0; c < 3; c++) inward[at + c] = normal[c]! / length;
		}
	}
	return count / 3;
}

/** The face above which the smooth piece is highest, its normal in `nearest`; -1 where it is higher than the limit. */
function nearestFace(p: Separation, polyhedron: PlacedPiece, limit: number): number {
	const { first, second } = p;
	const { centre, isRigid } = polyhedron;
	const faces = polyhedron.convex.faces!;
	const turn = normalTurn(polyhedron);
	let best = Number.NEGATIVE_INFINITY;
	let face = -1;
	for (let k = 0; k < faces.offset.length; k++) {
		if (isRigid) turnNormal(turn, faces.normal, 3 * k, normal);
		else placeNormal(turn, faces.normal, 3 * k, normal);
		const x = normal[0]!;
		const y = normal[1]!;
		const z = normal[2]!;
		const v = 3 * faces.vertex[faces.start[k]!]!;
		const level = isRigid
			? faces.offset[k]! + (x * centre[0]! + y * centre[1]! + z * centre[2]!)
			: x * second[v]! + y * second[v + 1]! + z * second[v + 2]!;
		let height = x * first[0]! + y * first[1]! + z * first[2]!;
		if (p.firstCount > 1) height = Math.min(height, x * first[3]! + y * first[4]! + z * first[5]!);
		height -= level;
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
