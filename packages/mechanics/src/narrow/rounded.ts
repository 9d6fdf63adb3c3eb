/** Two smooth pieces, deformed or not: one point, by climbing to their signed distance. */

import { climb } from "./climb.js";
import { deepest } from "./deep.js";
import { addPoint, type Manifold, type PlacedPiece } from "./manifold.js";
import { placeBall, placeVertices } from "./placed.js";
import { makeSeparation, type Separation } from "./separation.js";
import { leastRadius } from "./widening.js";

const separation = makeSeparation();

export function touchRounded(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const p = separation;
	p.firstCount = placeVertices(a, p.first);
	p.secondCount = placeVertices(b, p.second);
	p.widening.count = 0;
	const radiusA = widen(p, a);
	p.isFirstStretched = p.widening.count === 1;
	const radiusB = widen(p, b);
	towards(p);
	const limit = margin + (radiusA + radiusB);
	if (climb(p, limit) > limit) return;
	if (p.value < -leastRadius(p.widening)) deepest(p);
	addWitness(p, radiusA, radiusB, 0, manifold);
}

/** Adds the ball of a piece. Returns its radius if it is round, as that is no part of f. */
export function widen(p: Separation, piece: PlacedPiece): number {
	const { radius, ball } = piece.convex;
	if (ball === undefined) return 0;
	if (piece.isRigid && radius !== undefined) return radius;
	placeBall(piece, p.widening.matrix, 9 * p.widening.count);
	p.widening.count++;
	return 0;
}

/** The direction from the middle of one core to that of the other, where climbs start. */
function towards(p: Separation): void {
	const { n } = p;
	for (let c = 0; c < 3; c++) {
		let sum = 0;
		for (let k = 0; k < p.secondCount; k++) sum += p.second[3 * k + c]! / p.secondCount;
		for (let k = 0; k < p.firstCount; k++) sum -= p.first[3 * k + c]! / p.firstCount;
		n[c] = sum;
	}
	const length = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!);
	if (length === 0) n[2] = 1;
	else for (let c = 0; c < 3; c++) n[c] = n[c]! / length;
}

/** The point half-way between the points of the two surfaces that have the common normal. */
export function addWitness(p: Separation, radiusA: number, radiusB: number, feature: number, manifold: Manifold): void {
	const { n, weight, widening } = p;
	const { point } = manifold;
	const at = 3 * manifold.count;
	addPoint(manifold, n[0]!, n[1]!, n[2]!, 0, 0, 0, p.value - (radiusA + radiusB), feature);
	// The ball of the first core, if it is stretched, comes first.
	for (let c = 0; c < 3; c++) {
		let a = radiusA * n[c]!;
		let b = -radiusB * n[c]!;
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
