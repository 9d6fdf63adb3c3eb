/**
 * The convex hull of some points: triangles of the hull whose corners are within a tolerance of one plane make one face. Every vertex given has to be a
 * corner.
 */
import type { Faces } from "./convex.js";
import { type TriangulatedHull, triangulatedHull } from "./triangulated-hull.js";

/** Why some points are not the corners of a polyhedron. */
export interface HullFault {
	/** Vertices at fault, ascending; empty where it is all of them. */
	readonly vertices: readonly number[];
	readonly problem: string;
	readonly remedy: string;
}

/** Most points of one convex shape. */
export const HULL_POINTS_MAX = 10_000;

/** Sizes whose squares and products neither overflow nor vanish. */
const [EXTENT_MIN, EXTENT_MAX] = [1e-100, 1e100];

/** Vertices this near to a plane are in it, relative to the extent. The first that gives a closed surface is taken. */
const TOLERANCES = [1e-7, 1e-9, 1e-11, 1e-6, 1e-5];

/** Vertices nearer to each other than this part of the extent are one; where there is no hull, those nearer than the other are why. */
const SAME = 1e-10;
const NEARLY_SAME = 1e-6;

/** The faces of the hull, or why there are none. Faces begin with their smallest vertex and are sorted; so are edges. */
export function hullFaces(vertices: Float64Array): Faces | HullFault {
	const count = vertices.length / 3;
	if (count < 4) return { vertices: [], problem: `${count} vertices`, remedy: "give at least four" };
	if (count > HULL_POINTS_MAX) {
		return { vertices: [], problem: `${count} vertices`, remedy: `give at most ${HULL_POINTS_MAX}` };
	}
	const extent = largestExtent(vertices);
	if (extent > EXTENT_MAX || (extent > 0 && extent < EXTENT_MIN)) {
		return { vertices: [], problem: `${extent} metres across`, remedy: "give coordinates in metres" };
	}
	const twins = findTwins(vertices, SAME * extent);
	if (twins !== undefined) return { ...twins, problem: `the same as ${twins.problem}` };
	const hull = triangulatedHull(vertices);
	if (hull === undefined) return FLAT;
	let fault: HullFault | undefined;
	for (const tolerance of TOLERANCES) {
		const faces = mergeTriangles(vertices, hull, tolerance * extent);
		if (!isClosed(faces)) continue;
		const missing = unusedVertices(faces, count);
		if (missing.length === 0) return toFaces(vertices, faces);
		fault = { vertices: missing, problem: "not a corner of the hull", remedy: "leave it out" };
	}
	if (fault !== undefined) return fault;
	const near = findTwins(vertices, NEARLY_SAME * extent);
	if (near !== undefined) return { ...near, problem: `nearly the same as ${near.problem}` };
	return isThin(vertices, hull, FLATNESS * extent) ? FLAT : CROWDED;
}

const FLAT: HullFault = {
	vertices: [],
	problem: "all vertices are in one plane",
	remedy: "give a solid, or make it thicker",
};

function largestExtent(vertices: Float64Array): number {
	let extent = 0;
	for (let axis = 0; axis < 3; axis += 1) {
		let low = Number.POSITIVE_INFINITY;
		let high = Number.NEGATIVE_INFINITY;
		for (let at = axis; at < vertices.length; at += 3) {
			low = Math.min(low, vertices[at]!);
			high = Math.max(high, vertices[at]!);
		}
		extent = Math.max(extent, high - low);
	}
	return extent;
}

const CROWDED: HullFault = {
	vertices: [],
	problem: "corners are so near to each other that faces cannot be told from edges",
	remedy: "give fewer vertices",
};

/** A solid that is thinner than this part of its extent is flat. */
const FLATNESS = 1e-5;

/** True if all vertices are near the plane of the largest triangle. */
function isThin(vertices: Float64Array, { count, corner }: TriangulatedHull, thickness: number): boolean {
	let largest: Triple = [0, 0, 0];
	let p: Triple = [0, 0, 0];
	for (let t = 0; t < count; t += 1) {
		const normal = triangleNormal(vertices, corner, t);
		if (!(dot(normal, normal) > dot(largest, largest))) continue;
		largest = normal;
		p = point(vertices, corner[3 * t]!);
	}
	const normal = unit(largest);
	if (normal === undefined) return true;
	for (let v = 0; v < vertices.length / 3; v += 1) {
		if (-dot(difference(point(vertices, v), p), normal) > thickness) return false;
	}
	return true;
}

/** A direction along which distinct corners of usual shapes do not coincide. */
const SWEEP: Triple = [0.61, 0.37, 0.7];

/** Vertices that are near to earlier ones; the problem names that of the first. */
function findTwins(vertices: Float64Array, distance: number): HullFault | undefined {
	const count = vertices.length / 3;
	const along = Float64Array.from({ length: count }, (_, v) => dot(point(vertices, v), SWEEP));
	const order = [...along.keys()].sort((a, b) => along[a]! - along[b]! || a - b);
	// No two points that are near in all coordinates are farther along the direction; rounding is far below it.
	const reach = 2 * distance;
	const twinOf = new Map<number, number>();
	for (const [place, a] of order.entries()) {
		for (let next = place + 1; next < count && along[order[next]!]! - along[a]! <= reach; next += 1) {
			const b = order[next]!;
			const near = [0, 1, 2].every((axis) => Math.abs(vertices[3 * a + axis]! - vertices[3 * b + axis]!) <= distance);
			if (near && !twinOf.has(Math.max(a, b))) twinOf.set(Math.max(a, b), Math.min(a, b));
		}
	}
	const twins = [...twinOf.keys()].sort((a, b) => a - b);
	if (twins.length === 0) return undefined;
	return { vertices: twins, problem: `vertex ${twinOf.get(twins[0]!)}`, remedy: "give each corner once" };
}

type Triple = [number, number, number];

/** A face: its corners, counter-clockwise from outside, and all vertices in its plane. */
interface Face {
	readonly loop: readonly number[];
	readonly flat: readonly number[];
}

/** Merges triangles whose corners are in one plane, the largest first. */
function mergeTriangles(vertices: Float64Array, hull: TriangulatedHull, tolerance: number): Face[] {
	const { corner } = hull;
	const normals = Array.from({ length: hull.count }, (_, t) => triangleNormal(vertices, corner, t));
	const size = normals.map((normal) => dot(normal, normal));
	const order = [...size.keys()].sort((s, t) => size[t]! - size[s]! || s - t);
	const isCovered = new Uint8Array(hull.count);
	const faces: Face[] = [];
	for (const t of order) {
		if (isCovered[t] === 1) continue;
		const outward = unit(normals[t]!);
		const rough = outward && flatRegion(vertices, hull, t, point(vertices, corner[3 * t]!), outward, tolerance);
		const first = rough && loopOf(vertices, rough.flat, outward);
		if (first === undefined) continue;
		// Once more with the normal of the whole face, which is better than that of one triangle.
		const normal = loopNormal(vertices, first);
		const region = flatRegion(vertices, hull, t, point(vertices, first[0]!), normal, tolerance);
		const loop = region && loopOf(vertices, region.flat, normal);
		if (loop === undefined) continue;
		for (const each of region!.triangles) isCovered[each] = 1;
		faces.push({ loop, flat: region!.flat });
	}
	return faces;
}

/** Twice the area along the outward normal. */
function triangleNormal(vertices: Float64Array, corner: Int32Array, t: number): Triple {
	const [a, b, c] = [0, 1, 2].map((k) => point(vertices, corner[3 * t + k]!)) as [Triple, Triple, Triple];
	return cross(difference(b, a), difference(c, a));
}

/** Triangles around t whose corners are in the plane, with those corners, ascending; undefined where the plane cuts the hull. */
function flatRegion(
	vertices: Float64Array,
	{ corner, neighbour }: TriangulatedHull,
	t: number,
	p: Triple,
	normal: Triple,
	tolerance: number,
): { flat: number[]; triangles: number[] } | undefined {
	const height = (v: number) => dot(difference(point(vertices, v), p), normal);
	const triangles: number[] = [];
	const found = new Set<number>();
	const flat = new Set<number>();
	const waiting = [t];
	for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
		if (found.has(each)) continue;
		const heights = [0, 1, 2].map((k) => height(corner[3 * each! + k]!));
		if (heights.some((own) => own > 8 * tolerance)) return undefined;
		if (heights.some((own) => own < -tolerance)) continue;
		found.add(each);
		triangles.push(each);
		for (let edge = 3 * each; edge < 3 * each + 3; edge += 1) {
			flat.add(corner[edge]!);
			waiting.push(neighbour[edge]!);
		}
	}
	return { flat: [...flat].sort((v, w) => v - w), triangles };
}

/** The corners of the hull of vertices in a plane, counter-clockwise about its normal, the smallest first (monotone chains). */
function loopOf(vertices: Float64Array, inPlane: readonly number[], normal: Triple): number[] | undefined {
	const side = Math.abs(normal[0]) < 0.6 ? ([1, 0, 0] as Triple) : ([0, 1, 0] as Triple);
	const u = unit(cross(side, normal))!;
	const w = cross(normal, u);
	const origin = point(vertices, inPlane[0]!);
	const flat = inPlane.map((vertex) => {
		const d = difference(point(vertices, vertex), origin);
		return { vertex, x: dot(d, u), y: dot(d, w) };
	});
	flat.sort((a, b) => a.x - b.x || a.y - b.y);
	const loop = [...chain(flat), ...chain(flat.reverse())];
	if (loop.length < 3) return undefined;
	const start = loop.reduce((best, vertex, place) => (vertex < loop[best]! ? place : best), 0);
	return [...loop.slice(start), ...loop.slice(0, start)];
}

/** The lower chain of the hull in the plane, without its last point. */
function chain(points: readonly { vertex: number; x: number; y: number }[]): number[] {
	const kept: { vertex: number; x: number; y: number }[] = [];
	for (const c of points) {
		while (kept.length >= 2) {
			const a = kept.at(-2)!;
			const b = kept.at(-1)!;
			const area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
			const length = Math.sqrt((c.x - a.x) * (c.x - a.x) + (c.y - a.y) * (c.y - a.y));
			if (area > SAME * length * length) break;
			kept.pop();
		}
		kept.push(c);
	}
	kept.pop();
	return kept.map((c) => c.vertex);
}

/** A solid: each edge is passed once in each direction, and Euler's formula holds. */
function isClosed(faces: readonly Face[]): boolean {
	if (faces.length < 4) return false;
	const passed = new Set<string>();
	const used = new Set<number>();
	for (const { loop } of faces) {
		for (const [place, a] of loop.entries()) {
			const key = `${a} ${loop[(place + 1) % loop.length]!}`;
			if (passed.has(key)) return false;
			passed.add(key);
			used.add(a);
		}
	}
	for (const key of passed) if (!passed.has(key.split(" ").reverse().join(" "))) return false;
	return used.size - passed.size / 2 + faces.length === 2;
}

/** Vertices that are corners of no face. */
function unusedVertices(faces: readonly Face[], count: number): number[] {
	const used = new Uint8Array(count);
	for (const { loop } of faces) for (const vertex of loop) used[vertex] = 1;
	return [...used.keys()].filter((vertex) => used[vertex] === 0);
}

function toFaces(vertices: Float64Array, faces: Face[]): Faces {
	faces.sort(({ loop: a }, { loop: b }) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
	const loops = faces.map(({ loop }) => loop);
	const start = new Int32Array(loops.length + 1);
	const normal = new Float64Array(3 * loops.length);
	const offset = new Float64Array(loops.length);
	const edges: { low: number; high: number; left: number; right: number }[] = [];
	const leftOf = new Map<string, number>();
	for (const [face, { loop, flat }] of faces.entries()) {
		start[face + 1] = start[face]! + loop.length;
		const n = loopNormal(vertices, loop);
		normal.set(n, 3 * face);
		// Vertices that are a little above the plane of the corners are below that of the face.
		const highest = flat.reduce((most, v) => Math.max(most, dot(n, point(vertices, v))), Number.NEGATIVE_INFINITY);
		offset[face] = highest;
		for (const [place, a] of loop.entries()) leftOf.set(`${a} ${loop[(place + 1) % loop.length]!}`, face);
	}
	for (const [key, left] of leftOf) {
		const [low, high] = key.split(" ").map(Number) as [number, number];
		if (low < high) edges.push({ low, high, left, right: leftOf.get(`${high} ${low}`)! });
	}
	edges.sort((a, b) => a.low - b.low || a.high - b.high);
	const numbers = new Map(edges.map(({ low, high }, edge) => [`${low} ${high}`, edge]));
	const loopEdge = loops.flatMap((loop) =>
		loop.map((a, place) => {
			const b = loop[(place + 1) % loop.length]!;
			return numbers.get(`${Math.min(a, b)} ${Math.max(a, b)}`)!;
		}),
	);
	return {
		start,
		vertex: Int32Array.from(loops.flat()),
		loopEdge: Int32Array.from(loopEdge),
		normal,
		offset,
		edge: Int32Array.from(edges.flatMap(({ low, high }) => [low, high])),
		edgeFace: Int32Array.from(edges.flatMap(({ left, right }) => [left, right])),
	};
}

/** The unit normal of a loop by Newell's sum, about its first corner. */
function loopNormal(vertices: Float64Array, loop: readonly number[]): Triple {
	const origin = point(vertices, loop[0]!);
	const sum: Triple = [0, 0, 0];
	for (const [place, a] of loop.entries()) {
		const p = difference(point(vertices, a), origin);
		const q = difference(point(vertices, loop[(place + 1) % loop.length]!), origin);
		const c = cross(p, q);
		for (let axis = 0; axis < 3; axis += 1) sum[axis]! += c[axis]!;
	}
	return unit(sum)!;
}

function point(vertices: Float64Array, vertex: number): Triple {
	return [vertices[3 * vertex]!, vertices[3 * vertex + 1]!, vertices[3 * vertex + 2]!];
}

function difference(a: Triple, b: Triple): Triple {
	return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Triple, b: Triple): number {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Triple, b: Triple): Triple {
	return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a: Triple): Triple | undefined {
	const length = Math.sqrt(dot(a, a));
	return length > 0 ? [a[0] / length, a[1] / length, a[2] / length] : undefined;
}
