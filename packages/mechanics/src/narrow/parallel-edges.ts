/**
 * Two polyhedra that meet in parallel edges, as two cards that lean against each other. The direction of least overlap is the normal of one of the four faces
 * there, and changes from step to step among them; the edges are pushed apart along the middle of all directions that separate the two wedges.
 */
import type { SeparatingAxis } from "./axis.js";
import { addPoint, type Manifold } from "./manifold.js";
import { edgesFeature, firstVertexFeature, secondVertexFeature } from "./polyhedron-features.js";
import type { Solid } from "./solid.js";

/** Edges meet if they are nearer than this, in parts of the smaller reach. */
export const MEETING = 1e-3;
/** Square of the sine of the angle (0.01) below which edges count as parallel. */
const PARALLEL = 1e-4;
/** Cosine of the angle (0.1) between the outermost directions below which the wedges lie on each other with faces. */
const FLAT = 0.995;

/** Unit vector along the first edge, start of the first edge and its length. */
const along = new Float64Array(3);
const start = new Float64Array(3);
let span = 0;
/** From the first edge to the second where their common stretch begins, and where it ends. */
const low = new Float64Array(3);
const high = new Float64Array(3);
/** Four directions: normals out of the first wedge, and into the second. */
const sides = new Float64Array(12);
/** Outermost common directions of the two wedges, and their middle. */
const outer = new Float64Array(6);
const middle = new Float64Array(3);

/** Writes the points of two edges that meet, one of each body's best face; false if there are none. */
export function writeParallelEdges(
	first: Solid,
	second: Solid,
	face: SeparatingAxis,
	other: SeparatingAxis,
	margin: number,
	size: number,
	origin: Float64Array,
	manifold: Manifold,
): boolean {
	const [one, two] = [first.faces, second.faces];
	for (let i = one.start[face.face]!; i < one.start[face.face + 1]!; i += 1) {
		const firstEdge = one.loopEdge[i]!;
		placeAlong(first, firstEdge);
		for (let j = two.start[other.face]!; j < two.start[other.face + 1]!; j += 1) {
			const secondEdge = two.loopEdge[j]!;
			const stretch = commonStretch(second, secondEdge);
			if (stretch === undefined || nearest() > MEETING * size) continue;
			if (!placeMiddle(first, firstEdge, second, secondEdge)) continue;
			writePoints(first, firstEdge, second, secondEdge, stretch, margin, origin, manifold);
			return manifold.count > 0;
		}
	}
	return false;
}

function placeAlong({ vertex, faces }: Solid, edge: number): void {
	const [p, p2] = [3 * faces.edge[2 * edge]!, 3 * faces.edge[2 * edge + 1]!];
	let square = 0;
	for (let d = 0; d < 3; d += 1) {
		start[d] = vertex[p + d]!;
		along[d] = vertex[p2 + d]! - start[d]!;
		square += along[d]! * along[d]!;
	}
	span = Math.sqrt(square);
	for (let d = 0; d < 3; d += 1) along[d]! /= span;
}

interface Stretch {
	/** Where the common stretch begins and ends, as lengths along the first edge. */
	readonly from: number;
	readonly to: number;
	/** Corners of the second body at both of its ends, in this order. */
	readonly corners: readonly [number, number];
}

/** Leaves the vectors between the two edges at both ends of what they have beside each other; undefined if they are not parallel or not side by side. */
function commonStretch({ vertex, faces }: Solid, edge: number): Stretch | undefined {
	let [c, c2] = [faces.edge[2 * edge]!, faces.edge[2 * edge + 1]!];
	let [from, to] = [coordinate(vertex, 3 * c), coordinate(vertex, 3 * c2)];
	if (from > to) [c, c2, from, to] = [c2, c, to, from];
	let square = 0;
	for (let d = 0; d < 3; d += 1) square += (vertex[3 * c2 + d]! - vertex[3 * c + d]!) ** 2;
	if (square - (to - from) ** 2 > PARALLEL * square) return undefined;
	const [begin, end] = [Math.max(0, from), Math.min(span, to)];
	if (!(end > begin)) return undefined;
	for (let d = 0; d < 3; d += 1) {
		const slope = (vertex[3 * c2 + d]! - vertex[3 * c + d]!) / (to - from);
		low[d] = vertex[3 * c + d]! + (begin - from) * slope - (start[d]! + begin * along[d]!);
		high[d] = vertex[3 * c + d]! + (end - from) * slope - (start[d]! + end * along[d]!);
	}
	return { from: begin, to: end, corners: [c, c2] };
}

function coordinate(vertex: Float64Array, at: number): number {
	return (
		(vertex[at]! - start[0]!) * along[0]! +
		(vertex[at + 1]! - start[1]!) * along[1]! +
		(vertex[at + 2]! - start[2]!) * along[2]!
	);
}

/** Where the two edges are nearest to each other, 0 at the beginning of the common stretch and 1 at its end. */
let nearestAt = 0;

/** Their least distance. */
function nearest(): number {
	let [square, slope] = [0, 0];
	for (let d = 0; d < 3; d += 1) {
		const change = high[d]! - low[d]!;
		square += change * change;
		slope -= change * low[d]!;
	}
	nearestAt = square > 0 ? Math.min(1, Math.max(0, slope / square)) : 0;
	let distance = 0;
	for (let d = 0; d < 3; d += 1) distance += between(d, nearestAt) ** 2;
	return Math.sqrt(distance);
}

function between(d: number, at: number): number {
	return low[d]! + at * (high[d]! - low[d]!);
}

/** Leaves the middle of the directions that separate both wedges in `middle`; false if these are nearly one, as where faces lie on each other, or none. */
function placeMiddle(first: Solid, firstEdge: number, second: Solid, secondEdge: number): boolean {
	placeSide(first, firstEdge, 0, 1);
	placeSide(second, secondEdge, 6, -1);
	let least = 1;
	for (let i = 0; i < 12; i += 3) {
		for (let j = i + 3; j < 12; j += 3) {
			if (!(isInside(i, i < 6 ? 6 : 0) && isInside(j, j < 6 ? 6 : 0))) continue;
			const cosine = dot(sides, i, sides, j);
			if (cosine >= least) continue;
			least = cosine;
			for (let d = 0; d < 3; d += 1) {
				outer[d] = sides[i + d]!;
				outer[3 + d] = sides[j + d]!;
			}
		}
	}
	if (least > FLAT) return false;
	let square = 0;
	for (let d = 0; d < 3; d += 1) {
		middle[d] = outer[d]! + outer[3 + d]!;
		square += middle[d]! * middle[d]!;
	}
	const scale = 1 / Math.sqrt(square);
	for (let d = 0; d < 3; d += 1) middle[d]! *= scale;
	return square > 0;
}

/** Normals of the two faces at an edge, across the first edge. */
function placeSide({ normal, faces }: Solid, edge: number, at: number, sign: number): void {
	for (let side = 0; side < 2; side += 1) {
		const n = 3 * faces.edgeFace[2 * edge + side]!;
		const to = at + 3 * side;
		const slope = dot(normal, n, along, 0);
		let square = 0;
		for (let d = 0; d < 3; d += 1) {
			sides[to + d] = sign * (normal[n + d]! - slope * along[d]!);
			square += sides[to + d]! ** 2;
		}
		for (let d = 0; d < 3; d += 1) sides[to + d]! /= Math.sqrt(square);
	}
}

/** True if a direction is between the two at `wedge`. */
function isInside(direction: number, wedge: number): boolean {
	const turn = crossAlong(wedge, wedge + 3);
	return crossAlong(wedge, direction) * turn >= 0 && crossAlong(direction, wedge + 3) * turn >= 0;
}

/** The part along the edge of the cross product of two of the sides. */
function crossAlong(i: number, j: number): number {
	return (
		along[0]! * (sides[i + 1]! * sides[j + 2]! - sides[i + 2]! * sides[j + 1]!) +
		along[1]! * (sides[i + 2]! * sides[j]! - sides[i]! * sides[j + 2]!) +
		along[2]! * (sides[i]! * sides[j + 1]! - sides[i + 1]! * sides[j]!)
	);
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
	return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;
}

/** Both ends of the common stretch, and where the edges are nearest if that is nearer than both. */
function writePoints(
	first: Solid,
	firstEdge: number,
	second: Solid,
	secondEdge: number,
	{ from, to, corners }: Stretch,
	margin: number,
	origin: Float64Array,
	manifold: Manifold,
): void {
	const ends = first.faces.edge;
	const begin = from === 0 ? firstVertexFeature(ends[2 * firstEdge]!) : secondVertexFeature(first, corners[0]);
	const end = to === span ? firstVertexFeature(ends[2 * firstEdge + 1]!) : secondVertexFeature(first, corners[1]);
	const least = Math.min(gapAt(0), gapAt(1));
	writeAt(0, from, to, margin, begin, origin, manifold);
	writeAt(1, from, to, margin, end, origin, manifold);
	if (gapAt(nearestAt) < least - PARALLEL * MEETING * span) {
		writeAt(nearestAt, from, to, margin, edgesFeature(first, second, firstEdge, secondEdge), origin, manifold);
	}
}

/** Signed distance of the two wedges there: the largest along all common directions. */
function gapAt(at: number): number {
	for (let d = 0; d < 3; d += 1) vector[d] = between(d, at);
	const [one, other] = [dot(vector, 0, outer, 0), dot(vector, 0, outer, 3)];
	const length = Math.sqrt(dot(vector, 0, vector, 0));
	// The direction itself is common to both wedges if it is as near to the middle as the outermost ones.
	const isCommon = dot(vector, 0, middle, 0) >= length * dot(outer, 0, middle, 0);
	return isCommon ? length : Math.max(one, other);
}

const vector = new Float64Array(3);

function writeAt(
	at: number,
	from: number,
	to: number,
	margin: number,
	feature: number,
	origin: Float64Array,
	manifold: Manifold,
): void {
	const gap = gapAt(at);
	if (gap > margin) return;
	const place = from + at * (to - from);
	const [x, y, z] = [0, 1, 2].map((d) => origin[d]! + start[d]! + place * along[d]! + 0.5 * vector[d]!);
	addPoint(manifold, middle[0]!, middle[1]!, middle[2]!, x!, y!, z!, gap, feature);
}
