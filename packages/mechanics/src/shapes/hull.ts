/**
 * The convex hull of some points by gift wrapping: a plane is turned about each edge of a face that was found until it meets the next vertex. All
 * vertices within a tolerance of that plane make one face, so that coplanar triangles are merged from the start. Every vertex given has to be a corner.
 */
import type { Faces } from "./convex.js";

/** Why some points are not the corners of a polyhedron. */
export interface HullFault {
	/** The vertex at fault, or -1 where it is all of them. */
	readonly vertex: number;
	readonly problem: string;
	readonly remedy: string;
}

/** Vertices this near to a plane are in it, relative to the extent. The first that gives a closed surface is taken. */
const TOLERANCES = [1e-7, 1e-9, 1e-11, 1e-6, 1e-5];

/** Vertices nearer to each other than this part of the extent are one; where there is no hull, those nearer than the other are why. */
const SAME = 1e-10;
const NEARLY_SAME = 1e-6;

/** The faces of the hull, or why there are none. Faces begin with their smallest vertex and are sorted; so are edges. */
export function hullFaces(vertices: Float64Array): Faces | HullFault {
	const count = vertices.length / 3;
	if (count < 4) return { vertex: -1, problem: `${count} vertices`, remedy: "give at least four" };
	const extent = largestExtent(vertices);
	const twin = findTwin(vertices, SAME * extent);
	if (twin !== undefined) return { ...twin, problem: `the same as ${twin.problem}` };
	let fault: HullFault | undefined;
	for (const tolerance of TOLERANCES) {
		const loops = wrap(vertices, tolerance * extent);
		if (loops === undefined || !isClosed(loops)) continue;
		const missing = firstMissing(loops, count);
		if (missing < 0) return toFaces(vertices, loops);
		fault = { vertex: missing, problem: "not a corner of the hull", remedy: "leave it out" };
	}
	if (fault !== undefined) return fault;
	const near = findTwin(vertices, NEARLY_SAME * extent);
	if (near !== undefined) return { ...near, problem: `nearly the same as ${near.problem}` };
	return { vertex: -1, problem: "all vertices are in one plane", remedy: "give a solid, or make it thicker" };
}

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

/** A vertex that is so near to an earlier one, which is the problem. */
function findTwin(vertices: Float64Array, distance: number): HullFault | undefined {
	const count = vertices.length / 3;
	const x = (v: number) => vertices[3 * v]!;
	const order = Array.from({ length: count }, (_, v) => v).sort((a, b) => x(a) - x(b) || a - b);
	for (const [place, a] of order.entries()) {
		for (let next = place + 1; next < count && x(order[next]!) - x(a) <= distance; next += 1) {
			const b = order[next]!;
			const dy = Math.abs(vertices[3 * a + 1]! - vertices[3 * b + 1]!);
			const dz = Math.abs(vertices[3 * a + 2]! - vertices[3 * b + 2]!);
			if (dy > distance || dz > distance) continue;
			return { vertex: Math.max(a, b), problem: `vertex ${Math.min(a, b)}`, remedy: "give each corner once" };
		}
	}
	return undefined;
}

type Triple = [number, number, number];

/** The corners of each face, counter-clockwise from outside; undefined where the points are flat or the search goes astray. */
function wrap(vertices: Float64Array, tolerance: number): number[][] | undefined {
	const first = firstFace(vertices, tolerance);
	if (first === undefined) return undefined;
	const count = vertices.length / 3;
	const loops = [first];
	const known = new Set<number>();
	const addEdges = (loop: number[]) => {
		for (const [place, a] of loop.entries()) known.add(a * count + loop[(place + 1) % loop.length]!);
	};
	addEdges(first);
	// Grows while it is walked. No polyhedron has more faces than twice its vertices.
	for (let at = 0; at < loops.length && loops.length <= 2 * count; at += 1) {
		const loop = loops[at]!;
		const normal = loopNormal(vertices, loop);
		for (const [place, a] of loop.entries()) {
			const b = loop[(place + 1) % loop.length]!;
			if (known.has(b * count + a)) continue;
			const next = faceAcross(vertices, point(vertices, b), point(vertices, a), normal, tolerance);
			if (next === undefined) return undefined;
			loops.push(next);
			addEdges(next);
		}
	}
	return loops;
}

/** From the plane x = least, turned about a line along y, then about the line through the first two vertices. */
function firstFace(vertices: Float64Array, tolerance: number): number[] | undefined {
	let lowest = 0;
	for (let v = 1; v < vertices.length / 3; v += 1) if (vertices[3 * v]! < vertices[3 * lowest]!) lowest = v;
	const p = point(vertices, lowest);
	const outward: Triple = [-1, 0, 0];
	const q = turn(vertices, p, [0, 1, 0], outward, tolerance);
	if (q < 0) return undefined;
	const normal = unit(cross([0, 1, 0], difference(point(vertices, q), p)));
	if (normal === undefined) return undefined;
	return faceAcross(vertices, p, point(vertices, q), normal, tolerance);
}

/** The face on the other side of the edge from p to q (as that face goes round it) of a face with this normal. */
function faceAcross(
	vertices: Float64Array,
	p: Triple,
	q: Triple,
	normal: Triple,
	tolerance: number,
): number[] | undefined {
	const along = unit(difference(q, p));
	if (along === undefined) return undefined;
	const next = turn(vertices, p, along, normal, tolerance);
	if (next < 0) return undefined;
	const outward = unit(cross(along, difference(point(vertices, next), p)));
	if (outward === undefined) return undefined;
	// Once more with the normal of the whole face, which is better than that of one triangle.
	const loop = coplanarLoop(vertices, p, outward, tolerance);
	if (loop === undefined) return undefined;
	return coplanarLoop(vertices, point(vertices, loop[0]!), loopNormal(vertices, loop), tolerance);
}

/**
 * The vertex that a supporting plane through the line p + s along meets first when it turns about it. All vertices are below the plane; it turns from
 * the direction normal x along, which points away from the face that has this normal and this line for an edge.
 */
function turn(vertices: Float64Array, p: Triple, along: Triple, normal: Triple, tolerance: number): number {
	const away = cross(normal, along);
	let best = -1;
	let bestAway = 0;
	let bestBelow = 0;
	for (let v = 0; v < vertices.length / 3; v += 1) {
		const w = difference(point(vertices, v), p);
		const outside = dot(w, away);
		const below = Math.max(0, -dot(w, normal));
		if (outside * outside + below * below <= tolerance * tolerance) continue;
		const angle = bestAway * below - bestBelow * outside;
		const isFarther = outside * outside + below * below > bestAway * bestAway + bestBelow * bestBelow;
		// Two vertices in the plane, one before the line and one behind it.
		const isOpposite = below === 0 && bestBelow === 0 && outside * bestAway < 0;
		if (best < 0 || angle < 0 || (angle === 0 && (isOpposite ? outside > 0 : isFarther))) {
			best = v;
			bestAway = outside;
			bestBelow = below;
		}
	}
	return best;
}

/** The corners of the hull of all vertices in the plane, counter-clockwise about its normal, the smallest first (monotone chains). */
function coplanarLoop(vertices: Float64Array, p: Triple, normal: Triple, tolerance: number): number[] | undefined {
	const side = Math.abs(normal[0]) < 0.6 ? ([1, 0, 0] as Triple) : ([0, 1, 0] as Triple);
	const u = unit(cross(side, normal))!;
	const w = cross(normal, u);
	const flat: { vertex: number; x: number; y: number }[] = [];
	for (let vertex = 0; vertex < vertices.length / 3; vertex += 1) {
		const d = difference(point(vertices, vertex), p);
		const height = dot(d, normal);
		if (height > 8 * tolerance) return undefined;
		if (height >= -tolerance) flat.push({ vertex, x: dot(d, u), y: dot(d, w) });
	}
	if (flat.length < 3) return undefined;
	flat.sort((a, b) => a.x - b.x || a.y - b.y);
	const loop = [...chain(flat), ...chain(flat.reverse())];
	if (loop.length < 3) return undefined;
	const least = loop.indexOf(Math.min(...loop));
	return [...loop.slice(least), ...loop.slice(0, least)];
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
function isClosed(loops: readonly number[][]): boolean {
	if (loops.length < 4) return false;
	const passed = new Set<string>();
	const used = new Set<number>();
	for (const loop of loops) {
		for (const [place, a] of loop.entries()) {
			const key = `${a} ${loop[(place + 1) % loop.length]!}`;
			if (passed.has(key)) return false;
			passed.add(key);
			used.add(a);
		}
	}
	for (const key of passed) if (!passed.has(key.split(" ").reverse().join(" "))) return false;
	return used.size - passed.size / 2 + loops.length === 2;
}

function firstMissing(loops: readonly number[][], count: number): number {
	const used = new Uint8Array(count);
	for (const loop of loops) for (const vertex of loop) used[vertex] = 1;
	return used.indexOf(0);
}

function toFaces(vertices: Float64Array, loops: number[][]): Faces {
	loops.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
	const start = new Int32Array(loops.length + 1);
	const normal = new Float64Array(3 * loops.length);
	const offset = new Float64Array(loops.length);
	const edges: { low: number; high: number; left: number; right: number }[] = [];
	const leftOf = new Map<string, number>();
	for (const [face, loop] of loops.entries()) {
		start[face + 1] = start[face]! + loop.length;
		const n = loopNormal(vertices, loop);
		normal.set(n, 3 * face);
		// The highest of all vertices, so that the plane supports the hull whatever is a little off it.
		let highest = Number.NEGATIVE_INFINITY;
		for (let v = 0; v < vertices.length / 3; v += 1) highest = Math.max(highest, dot(n, point(vertices, v)));
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
