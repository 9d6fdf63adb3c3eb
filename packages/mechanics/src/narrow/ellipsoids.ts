/** Two ellipsoids, or an ellipsoid and a sphere: as many pairs are (ellipsoid-pairs.ts), and what does not converge at once by the general climb. */
import type { Convex } from "../shapes/convex.js";
import { EllipsoidPairs, FAR, FOUND } from "./ellipsoid-pairs.js";
import { type Manifold, type PlacedPiece, takePoint } from "./manifold.js";
import { isAfter } from "./order.js";
import { placeBall, placeMiddle } from "./placed.js";
import { touchRounded } from "./rounded.js";

const firstMiddle = new Float64Array(3);
const secondMiddle = new Float64Array(3);
const pairs = new EllipsoidPairs();

export function touchEllipsoids(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const found = separate(a, b, margin);
	if (found === FAR) return;
	if (found === FOUND) {
		const { n, witness, gap } = pairs;
		const at = takePoint(manifold, 0);
		for (let k = 0; k < 3; k++) {
			manifold.normal[3 * at + k] = n[k]!;
			manifold.point[3 * at + k] = 0.5 * (firstMiddle[k]! + witness[k]! + (secondMiddle[k]! - witness[3 + k]!));
		}
		manifold.gap[at] = gap[0]!;
	} else if (!isAfter(a, b)) touchRounded(a, b, margin, manifold);
	else {
		touchRounded(b, a, margin, manifold);
		for (let k = 0; k < 3 * manifold.count; k++) manifold.normal[k] = -manifold.normal[k]!;
	}
}

function separate(a: PlacedPiece, b: PlacedPiece, margin: number): number {
	placeMiddle(a, firstMiddle);
	placeMiddle(b, secondMiddle);
	pairs.reset(2, 1);
	const { c } = pairs;
	for (let k = 0; k < 3; k++) c[k] = secondMiddle[k]! - firstMiddle[k]!;
	const reach = a.convex.reach + b.convex.reach + margin;
	if (a.isRigid && b.isRigid && isCentred(a.convex) && isCentred(b.convex)) {
		if (c[0]! * c[0]! + c[1]! * c[1]! + c[2]! * c[2]! > reach * reach) return FAR;
	}
	placeBall(a, pairs.ball, 0);
	placeBall(b, pairs.ball, 9);
	pairs.placeSquare(0);
	pairs.placeSquare(1);
	pairs.ellipsoid[0] = 0;
	pairs.ellipsoid[1] = 1;
	pairs.limit[0] = margin;
	pairs.count = 1;
	pairs.solve();
	return pairs.outcome[0]!;
}

export function isCentred({ middle }: Convex): boolean {
	return middle[0] === 0 && middle[1] === 0 && middle[2] === 0;
}
