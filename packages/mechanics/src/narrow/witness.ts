/** From pieces to their signed distance, and from that to the point in which they touch. */
import { addPoint, type Manifold, type PlacedPiece } from "./manifold.js";
import { placeBall, placeVertices } from "./placed.js";
import type { Separation } from "./separation.js";

export function placeFirst(p: Separation, piece: PlacedPiece): void {
	const size = piece.convex.vertices.length;
	if (p.first.length < size) p.first = new Float64Array(2 * size);
	p.firstCount = placeVertices(piece, p.first);
	p.widening.count = 0;
	p.firstRadius = widen(p, piece);
	p.isFirstStretched = p.widening.count === 1;
}

/** After `placeFirst`. */
export function placeSecond(p: Separation, piece: PlacedPiece): void {
	const size = piece.convex.vertices.length;
	if (p.second.length < size) p.second = new Float64Array(2 * size);
	p.secondCount = placeVertices(piece, p.second);
	p.secondRadius = widen(p, piece);
}

/** Adds the ball of a piece. Returns its radius if it is round, as that is no part of f. */
function widen(p: Separation, piece: PlacedPiece): number {
	const { radius, ball } = piece.convex;
	if (ball === undefined) return 0;
	if (piece.isRigid && radius !== undefined) return radius;
	placeBall(piece, p.widening.matrix, 9 * p.widening.count);
	p.widening.count++;
	return 0;
}

/** The point half-way between the points of the two surfaces that have the common normal. */
export function addWitness(p: Separation, feature: number, manifold: Manifold): void {
	const { n, weight, widening, firstRadius, secondRadius } = p;
	const { point } = manifold;
	const at = 3 * manifold.count;
	addPoint(manifold, n[0]!, n[1]!, n[2]!, 0, 0, 0, p.value - (firstRadius + secondRadius), feature);
	for (let c = 0; c < 3; c++) {
		let a = firstRadius * n[c]!;
		let b = -secondRadius * n[c]!;
		for (let k = 0; k < p.active; k++) {
			a += weight[k]! * p.first[3 * p.i[k]! + c]!;
			b += weight[k]! * p.second[3 * p.j[k]! + c]!;
		}
		if (widening.count === 2) {
			a += widening.witness[c]!;
			b -= widening.witness[3 + c]!;
		} else if (widening.count === 1) {
			if (p.isFirstStretched) a += widening.witness[c]!;
			else b -= widening.witness[c]!;
		}
		point[at + c] = 0.5 * (a + b);
	}
}

/** The closest point, unless one of those in the manifold is as close within `tolerance`, relative to the pieces. */
export function addIfDeeper(p: Separation, feature: number, tolerance: number, manifold: Manifold): void {
	let least = Number.POSITIVE_INFINITY;
	for (let k = 0; k < manifold.count; k++) least = Math.min(least, manifold.gap[k]!);
	const radii = p.firstRadius + p.secondRadius;
	if (p.value - radii < least - tolerance * (p.scale + radii)) addWitness(p, feature, manifold);
}
