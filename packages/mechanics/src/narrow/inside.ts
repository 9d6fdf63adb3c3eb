/** What a convex piece says of a point and of a direction, both in the axes of its body. */
import type { Convex } from "../shapes/convex.js";

/** Two directions whose cosine differs from one by less are one. */
const ALIGNED = 1e-10;

/** How far inside a point is; negative outside. Of ellipsoids in units in which the point's own direction has no less than it says. */
export function depthInside(convex: Convex, x: Float64Array): number {
	if (convex.faces !== undefined) return depthUnderFaces(convex, x);
	if (convex.radius !== undefined) return convex.radius - distanceFromCore(convex.vertices, x);
	if (convex.ball !== undefined) return depthInEllipsoid(convex, x);
	return Number.NEGATIVE_INFINITY;
}

function depthUnderFaces(convex: Convex, x: Float64Array): number {
	const { normal, offset } = convex.faces!;
	let least = Number.POSITIVE_INFINITY;
	for (let face = 0; face < offset.length; face += 1) {
		const k = 3 * face;
		const height = normal[k]! * x[0]! + normal[k + 1]! * x[1]! + normal[k + 2]! * x[2]!;
		least = Math.min(least, offset[face]! - height);
	}
	return least;
}

/** From a point, or from a segment. */
function distanceFromCore(ends: Float64Array, x: Float64Array): number {
	const px = x[0]! - ends[0]!;
	const py = x[1]! - ends[1]!;
	const pz = x[2]! - ends[2]!;
	if (ends.length === 3) return Math.sqrt(px * px + py * py + pz * pz);
	const ux = ends[3]! - ends[0]!;
	const uy = ends[4]! - ends[1]!;
	const uz = ends[5]! - ends[2]!;
	const t = Math.min(1, Math.max(0, (px * ux + py * uy + pz * uz) / (ux * ux + uy * uy + uz * uz)));
	const dx = px - t * ux;
	const dy = py - t * uy;
	const dz = pz - t * uz;
	return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** With ball y = x - middle: inside where |y| < 1, and then at least (1 - |y|) times the smallest half-axis deep. */
function depthInEllipsoid(convex: Convex, x: Float64Array): number {
	const b = convex.ball!;
	const px = x[0]! - convex.vertices[0]!;
	const py = x[1]! - convex.vertices[1]!;
	const pz = x[2]! - convex.vertices[2]!;
	// The columns of a ball are its half-axes, at right angles to each other.
	let square = 0;
	let least = Number.POSITIVE_INFINITY;
	for (let k = 0; k < 3; k += 1) {
		const half = b[k]! * b[k]! + b[3 + k]! * b[3 + k]! + b[6 + k]! * b[6 + k]!;
		const along = (b[k]! * px + b[3 + k]! * py + b[6 + k]! * pz) / half;
		square += along * along;
		least = Math.min(least, half);
	}
	return (1 - Math.sqrt(square)) * Math.sqrt(least);
}

/** How far the piece reaches along a direction that need not be a unit vector. */
export function reachAlong(convex: Convex, n: Float64Array): number {
	const { vertices, ball } = convex;
	let most = Number.NEGATIVE_INFINITY;
	for (let v = 0; v < vertices.length; v += 3)
		most = Math.max(most, n[0]! * vertices[v]! + n[1]! * vertices[v + 1]! + n[2]! * vertices[v + 2]!);
	if (ball === undefined) return most;
	const x = ball[0]! * n[0]! + ball[3]! * n[1]! + ball[6]! * n[2]!;
	const y = ball[1]! * n[0]! + ball[4]! * n[1]! + ball[7]! * n[2]!;
	const z = ball[2]! * n[0]! + ball[5]! * n[1]! + ball[8]! * n[2]!;
	return most + Math.sqrt(x * x + y * y + z * z);
}

/** Whether the surface is smooth where its normal is `n`: of polyhedra, whether that is the normal of a face. */
export function isSmoothAlong(convex: Convex, n: Float64Array): boolean {
	if (convex.faces === undefined) return true;
	const { normal } = convex.faces;
	const enough = (1 - ALIGNED) * Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!);
	for (let k = 0; k < normal.length; k += 3)
		if (normal[k]! * n[0]! + normal[k + 1]! * n[1]! + normal[k + 2]! * n[2]! >= enough) return true;
	return false;
}
