/** A polyhedron and a plane: its corners that are low enough, and of more than eight those that are farthest apart. */
import { addPoint, MANIFOLD_POINTS, type Manifold, type PlacedPiece } from "./manifold.js";

let low = new Int32Array(64);
let height = new Float64Array(64);
let apart = new Float64Array(64);

export function touchPolyhedronPlane(solid: PlacedPiece, plane: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const turned = plane.map;
	const { normal, offset } = plane.convex.plane!;
	const x = turned[0]! * normal[0]! + turned[1]! * normal[1]! + turned[2]! * normal[2]!;
	const y = turned[3]! * normal[0]! + turned[4]! * normal[1]! + turned[5]! * normal[2]!;
	const z = turned[6]! * normal[0]! + turned[7]! * normal[1]! + turned[8]! * normal[2]!;
	// Relative to the body's centre, and the normal in its axes: one product per corner.
	const cx = solid.centre[0]!;
	const cy = solid.centre[1]!;
	const cz = solid.centre[2]!;
	const level = offset + x * (plane.centre[0]! - cx) + y * (plane.centre[1]! - cy) + z * (plane.centre[2]! - cz);
	const { map } = solid;
	const bx = map[0]! * x + map[3]! * y + map[6]! * z;
	const by = map[1]! * x + map[4]! * y + map[7]! * z;
	const bz = map[2]! * x + map[5]! * y + map[8]! * z;
	const { vertices } = solid.convex;
	if (3 * low.length < vertices.length) {
		low = new Int32Array(vertices.length);
		height = new Float64Array(vertices.length);
		apart = new Float64Array(vertices.length);
	}
	let count = 0;
	for (let v = 0; v < vertices.length; v += 3) {
		const gap = bx * vertices[v]! + by * vertices[v + 1]! + bz * vertices[v + 2]! - level;
		if (gap > margin) continue;
		low[count] = v;
		height[count++] = gap;
	}
	if (count > MANIFOLD_POINTS) count = spread(vertices, count);
	for (let k = 0; k < count; k += 1) {
		const v = low[k]!;
		const a = vertices[v]!;
		const b = vertices[v + 1]!;
		const c = vertices[v + 2]!;
		const half = 0.5 * height[k]!;
		const px = cx + (map[0]! * a + map[1]! * b + map[2]! * c - half * x);
		const py = cy + (map[3]! * a + map[4]! * b + map[5]! * c - half * y);
		const pz = cz + (map[6]! * a + map[7]! * b + map[8]! * c - half * z);
		addPoint(manifold, -x, -y, -z, px, py, pz, height[k]!, v / 3);
	}
}

/**
 * Keeps eight: from the first corner on always the one that is farthest from those kept, by its place in the body, so that the choice does not change while the
 * same corners are low; and the lowest. They stay in ascending order.
 */
function spread(vertices: Float64Array, count: number): number {
	let lowest = 0;
	for (let k = 1; k < count; k += 1) if (height[k]! < height[lowest]!) lowest = k;
	apart.fill(Number.POSITIVE_INFINITY, 0, count);
	let next = 0;
	// A distance below zero marks those that are kept.
	for (let kept = 0; kept < MANIFOLD_POINTS; kept += 1) {
		if (kept === MANIFOLD_POINTS - 1 && apart[lowest]! >= 0) next = lowest;
		apart[next] = -1;
		const v = low[next]!;
		let far = 0;
		next = lowest;
		for (let k = 0; k < count; k += 1) {
			if (apart[k]! < 0) continue;
			const w = low[k]!;
			const dx = vertices[w]! - vertices[v]!;
			const dy = vertices[w + 1]! - vertices[v + 1]!;
			const dz = vertices[w + 2]! - vertices[v + 2]!;
			apart[k] = Math.min(apart[k]!, dx * dx + dy * dy + dz * dz);
			// Equally far but for rounding: the earlier one.
			if (apart[k]! <= far * (1 + 1e-9)) continue;
			far = apart[k]!;
			next = k;
		}
	}
	let kept = 0;
	for (let k = 0; k < count; k += 1) {
		if (apart[k]! >= 0) continue;
		low[kept] = low[k]!;
		height[kept++] = height[k]!;
	}
	return kept;
}
