/**
 * Separating axes of two boxes, deformed or not: fifteen directions, along each of which a box reaches sum |h . n| from its middle, h its half-edges.
 * Features are looked up once the best axis is known, since most pairs that come here do not touch.
 */
import { EDGES, type FACE_OF_FIRST, type FACE_OF_SECOND, type SeparatingAxis } from "./axis.js";
import type { PlacedPiece } from "./manifold.js";
import type { Solid } from "./solid.js";

/** Three half-edges of each box. */
const halves = [new Float64Array(9), new Float64Array(9)] as const;
/** From the middle of the first to that of the second. */
const between = new Float64Array(3);

export function placeBoxes(first: PlacedPiece, second: PlacedPiece): void {
	for (let k = 0; k < 3; k += 1) between[k] = second.centre[k]! - first.centre[k]!;
	placeHalves(first, halves[0], -1);
	placeHalves(second, halves[1], 1);
}

function placeHalves(piece: PlacedPiece, target: Float64Array, sign: number): void {
	const { map } = piece;
	const { middle, halfEdges } = piece.convex;
	const from = halfEdges!;
	const mx = sign * middle[0]!;
	const my = sign * middle[1]!;
	const mz = sign * middle[2]!;
	for (let i = 0; i < 3; i += 1) {
		const a = map[3 * i]!;
		const b = map[3 * i + 1]!;
		const c = map[3 * i + 2]!;
		between[i]! += a * mx + b * my + c * mz;
		target[i] = a * from[0]! + b * from[1]! + c * from[2]!;
		target[3 + i] = a * from[3]! + b * from[4]! + c * from[5]!;
		target[6 + i] = a * from[6]! + b * from[7]! + c * from[8]!;
	}
}

/** The best of the faces of one box; false where they are farther apart than the margin. */
export function searchBoxFaces(
	kind: typeof FACE_OF_FIRST | typeof FACE_OF_SECOND,
	margin: number,
	axis: SeparatingAxis,
): boolean {
	const h = halves[kind];
	const other = halves[1 - kind]!;
	axis.kind = kind;
	axis.separation = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < 9; i += 3) {
		const j = (i + 3) % 9;
		const k = (i + 6) % 9;
		let x = h[j + 1]! * h[k + 2]! - h[j + 2]! * h[k + 1]!;
		let y = h[j + 2]! * h[k]! - h[j]! * h[k + 2]!;
		let z = h[j]! * h[k + 1]! - h[j + 1]! * h[k]!;
		const along = between[0]! * x + between[1]! * y + between[2]! * z;
		const scale = (along < 0 ? -1 : 1) / Math.sqrt(x * x + y * y + z * z);
		x *= scale;
		y *= scale;
		z *= scale;
		const own = Math.abs(h[i]! * x + h[i + 1]! * y + h[i + 2]! * z);
		const separation = along * scale - own - reachAlong(other, x, y, z);
		if (separation <= axis.separation) continue;
		axis.separation = separation;
		axis.x = x;
		axis.y = y;
		axis.z = z;
		if (separation > margin) return false;
	}
	return true;
}

/** The best of nine pairs of edges, from `axis.separation` up; false where they are farther apart than the margin. */
export function searchBoxEdges(margin: number, axis: SeparatingAxis): boolean {
	const [a, b] = halves;
	for (let i = 0; i < 9; i += 3) {
		for (let j = 0; j < 9; j += 3) {
			let x = a[i + 1]! * b[j + 2]! - a[i + 2]! * b[j + 1]!;
			let y = a[i + 2]! * b[j]! - a[i]! * b[j + 2]!;
			let z = a[i]! * b[j + 1]! - a[i + 1]! * b[j]!;
			const square = x * x + y * y + z * z;
			const first = a[i]! * a[i]! + a[i + 1]! * a[i + 1]! + a[i + 2]! * a[i + 2]!;
			const second = b[j]! * b[j]! + b[j + 1]! * b[j + 1]! + b[j + 2]! * b[j + 2]!;
			// Edges that are parallel: the faces beside them say it all.
			if (square < 1e-10 * first * second) continue;
			const along = between[0]! * x + between[1]! * y + between[2]! * z;
			const scale = (along < 0 ? -1 : 1) / Math.sqrt(square);
			x *= scale;
			y *= scale;
			z *= scale;
			const separation = along * scale - reachAlong(a, x, y, z) - reachAlong(b, x, y, z);
			if (separation <= axis.separation) continue;
			axis.kind = EDGES;
			axis.separation = separation;
			axis.x = x;
			axis.y = y;
			axis.z = z;
			axis.firstEdge = i / 3;
			axis.secondEdge = j / 3;
			if (separation > margin) return false;
		}
	}
	return true;
}

function reachAlong(h: Float64Array, x: number, y: number, z: number): number {
	return (
		Math.abs(h[0]! * x + h[1]! * y + h[2]! * z) +
		Math.abs(h[3]! * x + h[4]! * y + h[5]! * z) +
		Math.abs(h[6]! * x + h[7]! * y + h[8]! * z)
	);
}

/** The face whose normal is nearest to (x, y, z). */
export function faceAlong(solid: Solid, x: number, y: number, z: number): number {
	const { normal } = solid;
	let best = 0;
	let most = Number.NEGATIVE_INFINITY;
	for (let face = 0; face < solid.faces.offset.length; face += 1) {
		const along = normal[3 * face]! * x + normal[3 * face + 1]! * y + normal[3 * face + 2]! * z;
		if (along > most) {
			most = along;
			best = face;
		}
	}
	return best;
}

/** Of the four edges along one axis of a box that which is highest along (x, y, z). Corner k of a box is on the upper side of axis i where bit i of k is set. */
export function boxEdge(solid: Solid, axis: number, x: number, y: number, z: number): number {
	const { edge } = solid.faces;
	const { vertex } = solid;
	let best = 0;
	let highest = Number.NEGATIVE_INFINITY;
	for (let e = 0; 2 * e < edge.length; e += 1) {
		const low = edge[2 * e]!;
		if (edge[2 * e + 1]! - low !== 1 << axis) continue;
		const height = vertex[3 * low]! * x + vertex[3 * low + 1]! * y + vertex[3 * low + 2]! * z;
		if (height > highest) {
			highest = height;
			best = e;
		}
	}
	return best;
}
