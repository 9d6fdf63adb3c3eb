/** A polyhedron where it is: corners, normals and offsets of its faces, in buffers that are used again for each pair. */
import type { Convex, Faces } from "../shapes/convex.js";
import type { PlacedPiece } from "./manifold.js";

export interface Solid {
	convex: Convex;
	faces: Faces;
	/** Three per vertex. */
	vertex: Float64Array;
	/** Unit normals, three per face, and offsets along them. */
	normal: Float64Array;
	offset: Float64Array;
}

const NO_FACES: Faces = {
	start: new Int32Array(1),
	vertex: new Int32Array(0),
	loopEdge: new Int32Array(0),
	normal: new Float64Array(0),
	offset: new Float64Array(0),
	edge: new Int32Array(0),
	edgeFace: new Int32Array(0),
};

export function makeSolid(): Solid {
	const nothing = new Float64Array(0);
	const convex: Convex = { kind: "polyhedron", vertices: nothing, middle: nothing, reach: 0 };
	return { convex, faces: NO_FACES, vertex: nothing, normal: nothing, offset: nothing };
}

/** With the body's centre at x, y, z. */
export function placeSolid(solid: Solid, piece: PlacedPiece, x: number, y: number, z: number): void {
	const { convex } = piece;
	const faces = convex.faces!;
	solid.convex = convex;
	solid.faces = faces;
	const from = convex.vertices;
	if (solid.vertex.length < from.length) solid.vertex = new Float64Array(2 * from.length);
	if (solid.offset.length < faces.offset.length) {
		solid.normal = new Float64Array(6 * faces.offset.length);
		solid.offset = new Float64Array(2 * faces.offset.length);
	}
	turnPoints(piece.map, from, solid.vertex);
	for (let at = 0; at < from.length; at += 3) {
		solid.vertex[at]! += x;
		solid.vertex[at + 1]! += y;
		solid.vertex[at + 2]! += z;
	}
	if (piece.isRigid) turnPoints(piece.map, faces.normal, solid.normal);
	else deformNormals(piece.map, faces.normal, solid.normal);
	placeOffsets(solid, piece.isRigid, x, y, z);
}

function turnPoints(map: Float64Array, from: Float64Array, to: Float64Array): void {
	const m0 = map[0]!;
	const m1 = map[1]!;
	const m2 = map[2]!;
	const m3 = map[3]!;
	const m4 = map[4]!;
	const m5 = map[5]!;
	const m6 = map[6]!;
	const m7 = map[7]!;
	const m8 = map[8]!;
	for (let at = 0; at < from.length; at += 3) {
		const x = from[at]!;
		const y = from[at + 1]!;
		const z = from[at + 2]!;
		to[at] = m0 * x + m1 * y + m2 * z;
		to[at + 1] = m3 * x + m4 * y + m5 * z;
		to[at + 2] = m6 * x + m7 * y + m8 * z;
	}
}

const cofactor = new Float64Array(9);

/** Normals of a deformed body go with the cofactor of the map (Nanson's formula). */
function deformNormals(map: Float64Array, from: Float64Array, to: Float64Array): void {
	for (let i = 0; i < 3; i += 1) {
		const j = 3 * ((i + 1) % 3);
		const k = 3 * ((i + 2) % 3);
		cofactor[3 * i] = map[j + 1]! * map[k + 2]! - map[j + 2]! * map[k + 1]!;
		cofactor[3 * i + 1] = map[j + 2]! * map[k]! - map[j]! * map[k + 2]!;
		cofactor[3 * i + 2] = map[j]! * map[k + 1]! - map[j + 1]! * map[k]!;
	}
	turnPoints(cofactor, from, to);
	for (let at = 0; at < from.length; at += 3) {
		const scale = 1 / Math.sqrt(to[at]! * to[at]! + to[at + 1]! * to[at + 1]! + to[at + 2]! * to[at + 2]!);
		to[at]! *= scale;
		to[at + 1]! *= scale;
		to[at + 2]! *= scale;
	}
}

function placeOffsets(solid: Solid, isRigid: boolean, x: number, y: number, z: number): void {
	const { faces, normal, offset, vertex } = solid;
	for (let face = 0; face < faces.offset.length; face += 1) {
		const nx = normal[3 * face]!;
		const ny = normal[3 * face + 1]!;
		const nz = normal[3 * face + 2]!;
		if (isRigid) {
			offset[face] = faces.offset[face]! + (nx * x + ny * y + nz * z);
			continue;
		}
		let highest = Number.NEGATIVE_INFINITY;
		for (let at = faces.start[face]!; at < faces.start[face + 1]!; at += 1) {
			const v = 3 * faces.vertex[at]!;
			const height = nx * vertex[v]! + ny * vertex[v + 1]! + nz * vertex[v + 2]!;
			if (height > highest) highest = height;
		}
		offset[face] = highest;
	}
}

/** The vertex that is lowest along (x, y, z). */
export function lowestVertex(solid: Solid, x: number, y: number, z: number): number {
	const { vertex } = solid;
	const end = solid.convex.vertices.length;
	let best = 0;
	let lowest = Number.POSITIVE_INFINITY;
	for (let at = 0; at < end; at += 3) {
		const height = x * vertex[at]! + y * vertex[at + 1]! + z * vertex[at + 2]!;
		if (height < lowest) {
			lowest = height;
			best = at;
		}
	}
	return best / 3;
}

/** Whether a point is in the solid, or no farther out than the tolerance. */
export function holdsPoint(solid: Solid, x: number, y: number, z: number, tolerance: number): boolean {
	const { normal, offset } = solid;
	for (let face = 0; face < solid.faces.offset.length; face += 1) {
		const height = normal[3 * face]! * x + normal[3 * face + 1]! * y + normal[3 * face + 2]! * z;
		if (height > offset[face]! + tolerance) return false;
	}
	return true;
}
