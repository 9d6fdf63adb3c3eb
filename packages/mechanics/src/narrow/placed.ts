/** Pieces where they are: x = centre + map X, written to buffers of the caller. */
import type { PlacedPiece } from "./manifold.js";

/** Three coordinates per vertex, in the pair's frame. Returns their count. */
export function placeVertices(piece: PlacedPiece, target: Float64Array): number {
	return placePoints(piece, piece.convex.vertices, target);
}

export function placeMiddle(piece: PlacedPiece, target: Float64Array): void {
	placePoints(piece, piece.convex.middle, target);
}

function placePoints(piece: PlacedPiece, points: Float64Array, target: Float64Array): number {
	const { centre, map } = piece;
	const x0 = centre[0]!;
	const y0 = centre[1]!;
	const z0 = centre[2]!;
	for (let k = 0; k < points.length; k += 3) {
		const x = points[k]!;
		const y = points[k + 1]!;
		const z = points[k + 2]!;
		target[k] = x0 + (map[0]! * x + map[1]! * y + map[2]! * z);
		target[k + 1] = y0 + (map[3]! * x + map[4]! * y + map[5]! * z);
		target[k + 2] = z0 + (map[6]! * x + map[7]! * y + map[8]! * z);
	}
	return points.length / 3;
}

/** map * ball to `target[at]` and on: the ellipsoid by which a smooth piece is widened is its image of the unit ball. */
export function placeBall(piece: PlacedPiece, target: Float64Array, at: number): void {
	const { map } = piece;
	const ball = piece.convex.ball!;
	for (let i = 0; i < 3; i++) {
		const x = map[3 * i]!;
		const y = map[3 * i + 1]!;
		const z = map[3 * i + 2]!;
		for (let j = 0; j < 3; j++) target[at + 3 * i + j] = x * ball[j]! + y * ball[3 + j]! + z * ball[6 + j]!;
	}
}

const cofactors = new Float64Array(9);

/** By what normals turn: the map of a rigid piece, the cofactors of that of a deformed one. Good until the next call. */
export function normalTurn(piece: PlacedPiece): Float64Array {
	if (piece.isRigid) return piece.map;
	cofactorsOf(piece.map, 0, cofactors);
	return cofactors;
}

/** Of the nine numbers by rows from `matrix[at]` on. */
export function cofactorsOf(matrix: Float64Array, at: number, target: Float64Array): void {
	for (let i = 0; i < 3; i++) {
		const a = at + 3 * ((i + 1) % 3);
		const b = at + 3 * ((i + 2) % 3);
		for (let j = 0; j < 3; j++) {
			const c = (j + 1) % 3;
			const d = (j + 2) % 3;
			target[3 * i + j] = matrix[a + c]! * matrix[b + d]! - matrix[a + d]! * matrix[b + c]!;
		}
	}
}

/** The normal of three numbers from `normals[at]` on, turned, and of length one again. */
export function placeNormal(turn: Float64Array, normals: Float64Array, at: number, target: Float64Array): void {
	const x = normals[at]!;
	const y = normals[at + 1]!;
	const z = normals[at + 2]!;
	const u = turn[0]! * x + turn[1]! * y + turn[2]! * z;
	const v = turn[3]! * x + turn[4]! * y + turn[5]! * z;
	const w = turn[6]! * x + turn[7]! * y + turn[8]! * z;
	const length = Math.sqrt(u * u + v * v + w * w);
	target[0] = u / length;
	target[1] = v / length;
	target[2] = w / length;
}
