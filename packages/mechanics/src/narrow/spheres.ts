/** Two spheres. */
import { type Manifold, type PlacedPiece, takePoint } from "./manifold.js";
import { placeMiddle } from "./placed.js";

const first = new Float64Array(3);
const second = new Float64Array(3);

export function touchSpheres(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	placeMiddle(a, first);
	placeMiddle(b, second);
	const ra = a.convex.radius!;
	const rb = b.convex.radius!;
	const x = second[0]! - first[0]!;
	const y = second[1]! - first[1]!;
	const z = second[2]! - first[2]!;
	const square = x * x + y * y + z * z;
	const limit = margin + (ra + rb);
	if (limit < 0 || square > limit * limit) return;
	const distance = Math.sqrt(square);
	// Of two spheres with one centre any direction is as good, if only it turns with the pair.
	const inverse = distance > 0 ? 1 / distance : 0;
	const nx = x * inverse;
	const ny = y * inverse;
	const nz = distance > 0 ? z * inverse : ra <= rb ? 1 : -1;
	const shift = ra - rb;
	const px = 0.5 * (first[0]! + second[0]! + shift * nx);
	const py = 0.5 * (first[1]! + second[1]! + shift * ny);
	const pz = 0.5 * (first[2]! + second[2]! + shift * nz);
	const { normal, point, gap } = manifold;
	const at = takePoint(manifold, 0);
	const k = 3 * at;
	normal[k] = nx;
	normal[k + 1] = ny;
	normal[k + 2] = nz;
	point[k] = px;
	point[k + 1] = py;
	point[k + 2] = pz;
	gap[at] = distance - (ra + rb);
}
