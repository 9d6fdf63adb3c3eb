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
	const b = piece.convex.ball!;
	const isDiagonal = b[1] === 0 && b[2] === 0 && b[3] === 0 && b[5] === 0 && b[6] === 0 && b[7] === 0;
	for (let i = 0; i < 9; i += 3) {
		const x = map[i]!;
		const y = map[i + 1]!;
		const z = map[i + 2]!;
		if (isDiagonal) {
			target[at + i] = x * b[0]!;
			target[at + i + 1] = y * b[4]!;
			target[at + i + 2] = z * b[8]!;
		} else {
			target[at + i] = x * b[0]! + y * b[3]! + z * b[6]!;
			target[at + i + 1] = x * b[1]! + y * b[4]! + z * b[7]!;
			target[at + i + 2] = x * b[2]! + y * b[5]! + z * b[8]!;
		}
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
	turnNormal(turn, normals, at, target);
	const length = Math.sqrt(target[0]! * target[0]! + target[1]! * target[1]! + target[2]! * target[2]!);
	for (let c = 0; c < 3; c++) target[c] = target[c]! / length;
}

/** The same by a rotation: it is of length one but for rounding. */
export function turnNormal(turn: Float64Array, normals: Float64Array, at: number, target: Float64Array): void {
	const x = normals[at]!;
	const y = normals[at + 1]!;
	const z = normals[at + 2]!;
	target[0] = turn[0]! * x + turn[1]! * y + turn[2]! * z;
	target[1] = turn[3]! * x + turn[4]! * y + turn[5]! * z;
	target[2] = turn[6]! * x + turn[7]! * y + turn[8]! * z;
}
