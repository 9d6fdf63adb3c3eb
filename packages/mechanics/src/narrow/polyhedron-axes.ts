/** Separating axes of two polyhedra: normals of faces, and pairs of edges whose arcs cross on the Gauss map. */
import { EDGES, FACE_OF_FIRST, type SeparatingAxis } from "./axis.js";
import type { NearEdges } from "./near-edges.js";
import type { Solid } from "./solid.js";

/** The best face of `a` against the vertices of `b`; false where they are farther apart than the margin. */
export function searchFaces(a: Solid, b: Solid, kind: number, margin: number, axis: SeparatingAxis): boolean {
	const { normal, offset } = a;
	const { vertex } = b;
	const end = b.convex.vertices.length;
	const sign = kind === FACE_OF_FIRST ? 1 : -1;
	axis.kind = kind;
	axis.separation = Number.NEGATIVE_INFINITY;
	// The vertex that was nearest to the best face so far: most faces look away from it and are done with.
	let nearest = 0;
	for (let face = 0; face < a.faces.offset.length; face += 1) {
		const x = normal[3 * face]!;
		const y = normal[3 * face + 1]!;
		const z = normal[3 * face + 2]!;
		const enough = axis.separation + offset[face]!;
		let lowest = x * vertex[nearest]! + y * vertex[nearest + 1]! + z * vertex[nearest + 2]!;
		if (lowest <= enough) continue;
		let at = nearest;
		for (let v = 0; v < end; v += 3) {
			const height = x * vertex[v]! + y * vertex[v + 1]! + z * vertex[v + 2]!;
			if (height >= lowest) continue;
			lowest = height;
			at = v;
			if (height <= enough) break;
		}
		if (lowest <= enough) continue;
		nearest = at;
		axis.separation = lowest - offset[face]!;
		axis.x = sign * x;
		axis.y = sign * y;
		axis.z = sign * z;
		axis.face = face;
		if (axis.separation > margin) return false;
	}
	return true;
}

/** The best pair of edges, from `axis.separation` up; false where they are farther apart than the margin. */
export function searchEdges(a: Solid, b: Solid, near: NearEdges, margin: number, axis: SeparatingAxis): boolean {
	for (let i = 0; i < near.firstCount; i += 1) {
		for (let j = 0; j < near.secondCount; j += 1) {
			if (!tryEdges(a, b, near.first[i]!, near.second[j]!, axis)) continue;
			if (axis.separation > margin) return false;
		}
	}
	return true;
}

/**
 * With u, v the directions of the two edges, a1, a2 and b1, b2 the normals beside them: the arc from a1 to a2 crosses that from -b1 to -b2 where u tells b1 from
 * b2, v tells a1 from a2, and both are on one hemisphere. Only then is u x v an axis that both edges support.
 */
function tryEdges(a: Solid, b: Solid, first: number, second: number, axis: SeparatingAxis): boolean {
	const p = 3 * a.faces.edge[2 * first]!;
	const q = 3 * b.faces.edge[2 * second]!;
	const p2 = 3 * a.faces.edge[2 * first + 1]!;
	const q2 = 3 * b.faces.edge[2 * second + 1]!;
	const ux = a.vertex[p2]! - a.vertex[p]!;
	const uy = a.vertex[p2 + 1]! - a.vertex[p + 1]!;
	const uz = a.vertex[p2 + 2]! - a.vertex[p + 2]!;
	const b1 = 3 * b.faces.edgeFace[2 * second]!;
	const b2 = 3 * b.faces.edgeFace[2 * second + 1]!;
	const ub1 = ux * b.normal[b1]! + uy * b.normal[b1 + 1]! + uz * b.normal[b1 + 2]!;
	const ub2 = ux * b.normal[b2]! + uy * b.normal[b2 + 1]! + uz * b.normal[b2 + 2]!;
	if (ub1 * ub2 >= 0) return false;
	const vx = b.vertex[q2]! - b.vertex[q]!;
	const vy = b.vertex[q2 + 1]! - b.vertex[q + 1]!;
	const vz = b.vertex[q2 + 2]! - b.vertex[q + 2]!;
	const a1 = 3 * a.faces.edgeFace[2 * first]!;
	const a2 = 3 * a.faces.edgeFace[2 * first + 1]!;
	const va1 = vx * a.normal[a1]! + vy * a.normal[a1 + 1]! + vz * a.normal[a1 + 2]!;
	const va2 = vx * a.normal[a2]! + vy * a.normal[a2 + 1]! + vz * a.normal[a2 + 2]!;
	if (va1 * va2 >= 0 || ub1 * va2 >= 0) return false;
	let x = uy * vz - uz * vy;
	let y = uz * vx - ux * vz;
	let z = ux * vy - uy * vx;
	const square = x * x + y * y + z * z;
	if (square < 1e-10 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) return false;
	// Out of the first body: to the side of the two faces that meet in its edge.
	const out = (a.normal[a1]! + a.normal[a2]!) * x + (a.normal[a1 + 1]! + a.normal[a2 + 1]!) * y;
	const scale = (out + (a.normal[a1 + 2]! + a.normal[a2 + 2]!) * z < 0 ? -1 : 1) / Math.sqrt(square);
	x *= scale;
	y *= scale;
	z *= scale;
	const dx = b.vertex[q]! - a.vertex[p]!;
	const dy = b.vertex[q + 1]! - a.vertex[p + 1]!;
	const dz = b.vertex[q + 2]! - a.vertex[p + 2]!;
	const separation = x * dx + y * dy + z * dz;
	if (separation <= axis.separation) return false;
	axis.kind = EDGES;
	axis.separation = separation;
	axis.x = x;
	axis.y = y;
	axis.z = z;
	axis.firstEdge = first;
	axis.secondEdge = second;
	return true;
}
