/** The shortest distance between two sets of edges: of polyhedra that are apart, it is theirs unless a vertex is over the inside of a face. */
import type { NearEdges } from "./near-edges.js";
import type { Solid } from "./solid.js";

export interface EdgeDistance {
	square: number;
	/** Edges, and where on them the nearest points are: 0 at the first end, 1 at the second. */
	firstEdge: number;
	secondEdge: number;
	s: number;
	t: number;
	/** Parallel edges beside each other: they are as near at s2 and t2, and everywhere between. */
	isOverlap: boolean;
	s2: number;
	t2: number;
}

export function makeEdgeDistance(): EdgeDistance {
	return { square: 0, firstEdge: 0, secondEdge: 0, s: 0, t: 0, isOverlap: false, s2: 0, t2: 0 };
}

/** A pair of edges that is nearer by less than this part is no nearer, so that the first of several equal ones stays. */
const NEARER = 1 - 1e-9;

/** Square of the sine below which edges are parallel. */
const PARALLEL = 1e-12;

export function nearestEdges(a: Solid, b: Solid, near: NearEdges, best: EdgeDistance): void {
	best.square = Number.POSITIVE_INFINITY;
	for (let i = 0; i < near.firstCount; i += 1) {
		for (let j = 0; j < near.secondCount; j += 1) nearestOnEdges(a, b, near.first[i]!, near.second[j]!, best);
	}
}

/**
 * The points p + s u and q + t v with s, t in [0, 1] that are nearest: s for the lines, then t for that s, then s once more for the t that is left.
 * Where the edges are parallel any s does for a start.
 */
export function nearestOnEdges(a: Solid, b: Solid, first: number, second: number, best: EdgeDistance): void {
	const p = 3 * a.faces.edge[2 * first]!;
	const p2 = 3 * a.faces.edge[2 * first + 1]!;
	const q = 3 * b.faces.edge[2 * second]!;
	const q2 = 3 * b.faces.edge[2 * second + 1]!;
	const ux = a.vertex[p2]! - a.vertex[p]!;
	const uy = a.vertex[p2 + 1]! - a.vertex[p + 1]!;
	const uz = a.vertex[p2 + 2]! - a.vertex[p + 2]!;
	const vx = b.vertex[q2]! - b.vertex[q]!;
	const vy = b.vertex[q2 + 1]! - b.vertex[q + 1]!;
	const vz = b.vertex[q2 + 2]! - b.vertex[q + 2]!;
	const dx = a.vertex[p]! - b.vertex[q]!;
	const dy = a.vertex[p + 1]! - b.vertex[q + 1]!;
	const dz = a.vertex[p + 2]! - b.vertex[q + 2]!;
	const uu = ux * ux + uy * uy + uz * uz;
	const vv = vx * vx + vy * vy + vz * vz;
	const uv = ux * vx + uy * vy + uz * vz;
	const ud = ux * dx + uy * dy + uz * dz;
	const vd = vx * dx + vy * dy + vz * dz;
	const determinant = uu * vv - uv * uv;
	const isParallel = determinant <= PARALLEL * uu * vv;
	let s = isParallel ? 0 : clamped((uv * vd - vv * ud) / determinant);
	const t = clamped((uv * s + vd) / vv);
	s = clamped((uv * t - ud) / uu);
	const x = dx + s * ux - t * vx;
	const y = dy + s * uy - t * vy;
	const z = dz + s * uz - t * vz;
	const square = x * x + y * y + z * z;
	// Where both ends of the second edge are, in parts of the first: what the two have beside each other is from `low` to `high`.
	const start = -ud / uu;
	const low = clamped(Math.min(start, start + uv / uu));
	const high = clamped(Math.max(start, start + uv / uu));
	const isOverlap = isParallel && high - low > 1e-4;
	// An overlap before a corner that is as near.
	if (square >= best.square * (isOverlap && !best.isOverlap ? 2 - NEARER : NEARER)) return;
	best.square = square;
	best.firstEdge = first;
	best.secondEdge = second;
	best.isOverlap = isOverlap;
	best.s = isOverlap ? low : s;
	best.t = isOverlap ? endOf((uv * low + vd) / vv, low) : t;
	best.s2 = high;
	best.t2 = endOf((uv * high + vd) / vv, high);
}

/** Where the first edge goes on beyond what the two share, the second one ends. */
function endOf(t: number, s: number): number {
	if (s === 0 || s === 1) return clamped(t);
	return t < 0.5 ? 0 : 1;
}

function clamped(s: number): number {
	return Math.min(1, Math.max(0, s));
}
