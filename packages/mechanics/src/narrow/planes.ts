/** A sphere, an ellipsoid or a capsule, deformed or not, and a plane: of each end the point that is lowest. */
import { addPoint, type Manifold, type PlacedPiece } from "./manifold.js";
import { placeBall, placeVertices } from "./placed.js";

const ends = new Float64Array(6);
const ball = new Float64Array(9);

export function touchSmoothPlane(smooth: PlacedPiece, plane: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const { map, centre } = plane;
	const { normal, offset } = plane.convex.plane!;
	const x = map[0]! * normal[0]! + map[1]! * normal[1]! + map[2]! * normal[2]!;
	const y = map[3]! * normal[0]! + map[4]! * normal[1]! + map[5]! * normal[2]!;
	const z = map[6]! * normal[0]! + map[7]! * normal[1]! + map[8]! * normal[2]!;
	const height = offset + (x * centre[0]! + y * centre[1]! + z * centre[2]!);
	const count = placeVertices(smooth, ends);
	// From the centre of the ball to its highest point along the normal.
	let wx = x;
	let wy = y;
	let wz = z;
	let reach = 0;
	if (smooth.isRigid && smooth.convex.radius !== undefined) {
		reach = smooth.convex.radius;
		wx *= reach;
		wy *= reach;
		wz *= reach;
	} else {
		placeBall(smooth, ball, 0);
		const u = ball[0]! * x + ball[3]! * y + ball[6]! * z;
		const v = ball[1]! * x + ball[4]! * y + ball[7]! * z;
		const w = ball[2]! * x + ball[5]! * y + ball[8]! * z;
		reach = Math.sqrt(u * u + v * v + w * w);
		wx = (ball[0]! * u + ball[1]! * v + ball[2]! * w) / reach;
		wy = (ball[3]! * u + ball[4]! * v + ball[5]! * w) / reach;
		wz = (ball[6]! * u + ball[7]! * v + ball[8]! * w) / reach;
	}
	for (let end = 0; end < count; end++) {
		const px = ends[3 * end]!;
		const py = ends[3 * end + 1]!;
		const pz = ends[3 * end + 2]!;
		const gap = x * px + y * py + z * pz - height - reach;
		if (gap > margin) continue;
		const half = 0.5 * gap;
		addPoint(manifold, -x, -y, -z, px - wx - half * x, py - wy - half * y, pz - wz - half * z, gap, end);
	}
}
