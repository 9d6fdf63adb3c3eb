/** An order of the two pieces of a pair that their names have no part in. */
import type { PlacedPiece } from "./manifold.js";
import { placeMiddle } from "./placed.js";

const middles = [new Float64Array(3), new Float64Array(3)] as const;

/**
 * An order that depends on where pieces are and on nothing else: along the axis in which their middles are farthest apart, so that bodies above each other
 * keep theirs while they move a little.
 */
export function isAfter(first: PlacedPiece, second: PlacedPiece): boolean {
	placeMiddle(first, middles[0]);
	placeMiddle(second, middles[1]);
	let most = 0;
	let isLater = false;
	for (let k = 0; k < 3; k++) {
		const apart = middles[0][k]! - middles[1][k]!;
		if (Math.abs(apart) <= most) continue;
		most = Math.abs(apart);
		isLater = apart > 0;
	}
	if (most > 0) return isLater;
	return isGreater(first, second);
}

/** Of pieces with one middle: an order by what they are. */
function isGreater(first: PlacedPiece, second: PlacedPiece): boolean {
	const order = compare(first.map, second.map);
	if (order !== 0) return order > 0;
	if (first.convex === second.convex) return first.isRigid && !second.isRigid;
	const a = first.convex;
	const b = second.convex;
	if (a.ball !== undefined && b.ball !== undefined && compare(a.ball, b.ball) !== 0) return compare(a.ball, b.ball) > 0;
	return compare(a.vertices, b.vertices) > 0;
}

/** Below zero, zero or above it, as the first list comes before the second one, is the same, or comes after it. */
function compare(a: Float64Array, b: Float64Array): number {
	if (a.length !== b.length) return a.length - b.length;
	for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k]! < b[k]! ? -1 : 1;
	return 0;
}
