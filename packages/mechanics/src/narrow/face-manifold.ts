/**
 * The points of a face of one polyhedron (the reference) and the face of the other that looks at it: what the two have in common, seen along the normal of
 * the reference. A point is named by what meets there, a corner of either or a pair of edges, whichever of the two faces is the reference.
 */
import { clipPolygon, growPolygon, makePolygon, type Polygon } from "./clip.js";
import { addPoint, MANIFOLD_POINTS, type Manifold } from "./manifold.js";
import { edgesFeature, firstVertexFeature, secondVertexFeature } from "./polyhedron-features.js";
import { lowestVertex, type Solid } from "./solid.js";

const reference = makePolygon(64);
const incident = makePolygon(64);

/** The points found, in the plane of the reference; their sides are their features. */
const points = makePolygon(128);

/** Origin, two axes and normal of the plane of the reference. */
const frame = new Float64Array(12);

/** Points this near to a corner, in parts of the edges beside it, go by its name, so that a small motion renames nothing. */
const SLACK = 1e-4;

/**
 * Finds the points of gap at most `margin` of face `face` of `solid` and the face of `other` that looks at it, and returns the least gap; infinite where there
 * are none. `isFirst` says that `solid` is the first of the pair.
 */
export function clipFaces(solid: Solid, face: number, other: Solid, isFirst: boolean, margin: number): number {
	const facing = lookingAt(other, solid, face);
	placeFrame(solid, face);
	project(solid, face, reference);
	project(other, facing, incident);
	const common = clipPolygon(incident, reference);
	growPolygon(points, common.count);
	points.count = 0;
	for (let at = 0; at < common.count; at += 1) {
		if (common.height[at]! > margin) continue;
		const before = common.side[at === 0 ? common.count - 1 : at - 1]!;
		const feature = isFirst
			? nameOf(common, at, before, solid, face, reference, other, facing, incident)
			: nameOf(common, at, before, other, facing, incident, solid, face, reference);
		keep(common.x[at]!, common.y[at]!, common.height[at]!, feature);
	}
	reduce();
	return points.count === 0 ? Number.POSITIVE_INFINITY : points.height[deepest()]!;
}

/** Writes the points found, half-way between the faces; the origin is that of the solids in the frame of the pair. */
export function writeFacePoints(isFirst: boolean, origin: Float64Array, manifold: Manifold): void {
	const f = frame;
	const sign = isFirst ? 1 : -1;
	for (let k = 0; k < points.count; k += 1) {
		const u = points.x[k]!;
		const v = points.y[k]!;
		const gap = points.height[k]!;
		const px = origin[0]! + (f[0]! + u * f[3]! + v * f[6]! + 0.5 * gap * f[9]!);
		const py = origin[1]! + (f[1]! + u * f[4]! + v * f[7]! + 0.5 * gap * f[10]!);
		const pz = origin[2]! + (f[2]! + u * f[5]! + v * f[8]! + 0.5 * gap * f[11]!);
		addPoint(manifold, sign * f[9]!, sign * f[10]!, sign * f[11]!, px, py, pz, gap, points.side[k]!);
	}
}

/** Of the faces round the corner that is lowest over this face the one that is turned to it most. */
function lookingAt(other: Solid, solid: Solid, face: number): number {
	const x = solid.normal[3 * face]!;
	const y = solid.normal[3 * face + 1]!;
	const z = solid.normal[3 * face + 2]!;
	const { normal, faces } = other;
	const corner = lowestVertex(other, x, y, z);
	let best = 0;
	let least = Number.POSITIVE_INFINITY;
	for (let f = 0; f < faces.offset.length; f += 1) {
		const along = normal[3 * f]! * x + normal[3 * f + 1]! * y + normal[3 * f + 2]! * z;
		if (along >= least) continue;
		let at = faces.start[f]!;
		const end = faces.start[f + 1]!;
		while (at < end && faces.vertex[at] !== corner) at += 1;
		if (at === end) continue;
		least = along;
		best = f;
	}
	return best;
}

/** The origin is the first corner of the face, put on its plane; the first axis is along the first side. */
function placeFrame(solid: Solid, face: number): void {
	const { vertex, normal, faces } = solid;
	const from = faces.start[face]!;
	const p = 3 * faces.vertex[from]!;
	const q = 3 * faces.vertex[from + 1]!;
	const nx = normal[3 * face]!;
	const ny = normal[3 * face + 1]!;
	const nz = normal[3 * face + 2]!;
	const above = solid.offset[face]! - (nx * vertex[p]! + ny * vertex[p + 1]! + nz * vertex[p + 2]!);
	let ux = vertex[q]! - vertex[p]!;
	let uy = vertex[q + 1]! - vertex[p + 1]!;
	let uz = vertex[q + 2]! - vertex[p + 2]!;
	const slope = nx * ux + ny * uy + nz * uz;
	ux -= slope * nx;
	uy -= slope * ny;
	uz -= slope * nz;
	const scale = 1 / Math.sqrt(ux * ux + uy * uy + uz * uz);
	ux *= scale;
	uy *= scale;
	uz *= scale;
	frame[0] = vertex[p]! + above * nx;
	frame[1] = vertex[p + 1]! + above * ny;
	frame[2] = vertex[p + 2]! + above * nz;
	frame[3] = ux;
	frame[4] = uy;
	frame[5] = uz;
	frame[6] = ny * uz - nz * uy;
	frame[7] = nz * ux - nx * uz;
	frame[8] = nx * uy - ny * ux;
	frame[9] = nx;
	frame[10] = ny;
	frame[11] = nz;
}

function project(solid: Solid, face: number, polygon: Polygon): void {
	const { faces, vertex } = solid;
	const from = faces.start[face]!;
	const count = faces.start[face + 1]! - from;
	growPolygon(polygon, count);
	polygon.count = count;
	for (let k = 0; k < count; k += 1) {
		const at = 3 * faces.vertex[from + k]!;
		const x = vertex[at]! - frame[0]!;
		const y = vertex[at + 1]! - frame[1]!;
		const z = vertex[at + 2]! - frame[2]!;
		polygon.x[k] = x * frame[3]! + y * frame[4]! + z * frame[5]!;
		polygon.y[k] = x * frame[6]! + y * frame[7]! + z * frame[8]!;
		polygon.height[k] = x * frame[9]! + y * frame[10]! + z * frame[11]!;
		polygon.side[k] = k;
	}
	polygon.shortest = Number.POSITIVE_INFINITY;
	for (let k = 0, last = count - 1; k < count; last = k, k += 1) {
		const dx = polygon.x[k]! - polygon.x[last]!;
		const dy = polygon.y[k]! - polygon.y[last]!;
		polygon.shortest = Math.min(polygon.shortest, dx * dx + dy * dy);
	}
}

/** The corner of the first's face that is there, or that of the second's, or the two sides that cross; `before` is the side that comes to the point. */
function nameOf(
	common: Polygon,
	at: number,
	before: number,
	first: Solid,
	firstFace: number,
	firstPolygon: Polygon,
	second: Solid,
	secondFace: number,
	secondPolygon: Polygon,
): number {
	const x = common.x[at]!;
	const y = common.y[at]!;
	const firstStart = first.faces.start[firstFace]!;
	const secondStart = second.faces.start[secondFace]!;
	const own = cornerNear(firstPolygon, x, y);
	if (own >= 0) return firstVertexFeature(first.faces.vertex[firstStart + own]!);
	const corner = cornerNear(secondPolygon, x, y);
	if (corner >= 0) return secondVertexFeature(first, second.faces.vertex[secondStart + corner]!);
	const after = common.side[at]!;
	const incidentSide = Math.max(after, before, 0);
	const referenceSide = Math.max(-1 - Math.min(after, before), 0);
	const firstSide = firstPolygon === incident ? incidentSide : referenceSide;
	const secondSide = firstPolygon === incident ? referenceSide : incidentSide;
	return edgesFeature(
		first,
		second,
		first.faces.loopEdge[firstStart + firstSide]!,
		second.faces.loopEdge[secondStart + secondSide]!,
	);
}

/** The corner that is nearest, if it is within the slack of the polygon's shortest side. */
function cornerNear(polygon: Polygon, x: number, y: number): number {
	let best = -1;
	let least = SLACK * SLACK * polygon.shortest;
	for (let k = 0; k < polygon.count; k += 1) {
		const dx = polygon.x[k]! - x;
		const dy = polygon.y[k]! - y;
		const square = dx * dx + dy * dy;
		if (square > least) continue;
		least = square;
		best = k;
	}
	return best;
}

/** A name comes once: of two points that have it the deeper one stays. */
function keep(x: number, y: number, gap: number, feature: number): void {
	let at = points.count;
	for (let k = 0; k < points.count; k += 1) {
		if (points.side[k] !== feature) continue;
		if (points.height[k]! <= gap) return;
		at = k;
	}
	points.x[at] = x;
	points.y[at] = y;
	points.height[at] = gap;
	points.side[at] = feature;
	if (at === points.count) points.count += 1;
}

function deepest(): number {
	let best = 0;
	for (let k = 1; k < points.count; k += 1) if (points.height[k]! < points.height[best]!) best = k;
	return best;
}

/** Leaves out points that the others stand for: those on the line between their neighbours, and, of too many, those nearest to it. Never the deepest. */
function reduce(): void {
	const kept = points.count === 0 ? 0 : deepest();
	let spared = kept;
	while (points.count > 2) {
		let weakest = -1;
		let least = SLACK * SLACK;
		if (points.count > MANIFOLD_POINTS) least = Number.POSITIVE_INFINITY;
		for (let k = 0; k < points.count; k += 1) {
			const share = k === spared ? Number.POSITIVE_INFINITY : bulge(k);
			// A tie goes to the earlier one, also where rounding would tell them apart.
			if (share >= least * 0.999) continue;
			least = share;
			weakest = k;
		}
		if (weakest < 0) return;
		removePoint(weakest);
		if (weakest < spared) spared -= 1;
	}
}

/** How far a point is from the segment between its neighbours, squared, in parts of that segment. */
function bulge(k: number): number {
	const a = k === 0 ? points.count - 1 : k - 1;
	const b = k + 1 === points.count ? 0 : k + 1;
	const ux = points.x[b]! - points.x[a]!;
	const uy = points.y[b]! - points.y[a]!;
	const px = points.x[k]! - points.x[a]!;
	const py = points.y[k]! - points.y[a]!;
	const square = ux * ux + uy * uy;
	if (square === 0) return Number.POSITIVE_INFINITY;
	const t = Math.min(1, Math.max(0, (px * ux + py * uy) / square));
	const dx = px - t * ux;
	const dy = py - t * uy;
	return (dx * dx + dy * dy) / square;
}

function removePoint(k: number): void {
	for (const list of [points.x, points.y, points.height, points.side]) list.copyWithin(k, k + 1, points.count);
	points.count -= 1;
}
