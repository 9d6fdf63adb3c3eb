/** Two spheres. */
import type { Manifold, PlacedPiece } from "./manifold.js";
import { placeMiddle } from "./placed.js";

const first = new Float64Array(3);
const second = new Float64Array(3);

export function touchSpheres(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	placeMiddle(a, first);
	placeMiddle(b, second);
	const [ra, rb] = [a.convex.radius!, b.convex.radius!];
	const x = second[0]! - first[0]!;
	const y = second[1]! - first[1]!;
	const z = second[2]! - first[2]!;
	const square = x * x + y * y + z * z;
	const limit = margin + (ra + rb);
	if (limit < 0 || square > limit * limit) return;
	const distance = Math.sqrt(square);
	// Of two spheres with one centre any direction is as good.
	const inverse = distance > 0 ? 1 / distance : 0;
	const { normal, point } = manifold;
	normal[0] = x * inverse;
	normal[1] = y * inverse;
	normal[2] = distance > 0 ? z * inverse : 1;
	const shift = ra - rb;
	for (let k = 0; k < 3; k++) point[k] = 0.5 * (first[k]! + second[k]! + shift * normal[k]!);
	manifold.gap[0] = distance - (ra + rb);
	manifold.feature[0] = 0;
	manifold.count = 1;
}
