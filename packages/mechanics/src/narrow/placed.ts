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
