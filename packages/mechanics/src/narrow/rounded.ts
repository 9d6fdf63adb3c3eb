/** Two smooth pieces, deformed or not: one point, by climbing to their signed distance. */
import { climb } from "./climb.js";
import { deepest } from "./deep.js";
import type { Manifold, PlacedPiece } from "./manifold.js";
import { makeSeparation, type Separation } from "./separation.js";
import { leastRadius } from "./widening.js";
import { addWitness, placeFirst, placeSecond } from "./witness.js";

const separation = makeSeparation();

export function touchRounded(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	if (separateRounded(separation, a, b, margin)) addWitness(separation, 0, manifold);
}

/** Whether the pieces are within the margin; then `p` is at their signed distance. */
export function separateRounded(p: Separation, a: PlacedPiece, b: PlacedPiece, margin: number): boolean {
	placeFirst(p, a);
	placeSecond(p, b);
	towards(p);
	const limit = margin + (p.firstRadius + p.secondRadius);
	if (climb(p, limit) > limit) return false;
	return p.value >= 0 || p.value >= -leastRadius(p.widening) || deepest(p) <= limit;
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
