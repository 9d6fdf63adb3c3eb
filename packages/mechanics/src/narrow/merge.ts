/**
 * Points of the pieces of unions that stand for nothing on the union's own surface are left out: those on a face that another piece covers, those of an
 * edge or a corner that vanishes where two pieces lie flush, and those that two pieces give both. Only pieces that have points themselves can do that.
 */
import { grown } from "../base/grow.js";
import type { Convex } from "../shapes/convex.js";
import { NEARLY_PARALLEL } from "./axis.js";
import { depthInside, isSmoothAlong, reachAlong } from "./inside.js";
import type { PlacedPiece } from "./manifold.js";
import type { PairPoints } from "./pair-points.js";

/** In parts of a piece's reach: by how much faces that lie flush may miss each other. */
const ROUNDING = 1e-8;

/** In parts of the smaller reach: points that are nearer are one. */
const SAME = 1e-4;

type Pieces = readonly Convex[];

let isKept = new Uint8Array(0);
/** By point the piece that covers it, or -1. */
let coveredBy = new Int32Array(0);

/** The pieces are those of the two shapes. At least one point stays. */
export function mergePoints(
	points: PairPoints,
	first: PlacedPiece,
	second: PlacedPiece,
	firstPieces: Pieces,
	secondPieces: Pieces,
): void {
	if (points.count < 2) return;
	isKept = grown(isKept, points.count);
	isKept.fill(1, 0, points.count);
	coveredBy = grown(coveredBy, points.count);
	if (firstPieces.length > 1) keepSurface(points, first, firstPieces, 0);
	if (secondPieces.length > 1) keepSurface(points, second, secondPieces, 1);
	dropDoubles(points, firstPieces, secondPieces);
	points.keep(isKept);
}

/** Inverse of the map, by rows. */
const back = new Float64Array(9);
/** A point and a normal out of the piece, in the axes of the body. */
const at = new Float64Array(3);
const outward = new Float64Array(3);
/** Half-way from there to the mean of the points that the two pieces have. */
const within = new Float64Array(3);
const mean = new Float64Array(3);

/** Drops what is covered, unless the piece that covers it has nothing left: two pieces that meet in a concave corner cover each other there. */
function keepSurface(points: PairPoints, body: PlacedPiece, pieces: Pieces, side: 0 | 1): void {
	const { count, piece } = points;
	invert(body);
	coveredBy.fill(-1, 0, count);
	for (let i = 0, end = 0; i < count; i += 1) {
		if (i === end) end = placeMean(points, i);
		placeAt(points, i, body, side);
		const own = piece[2 * i + side]!;
		let last = own;
		for (let k = 0; k < count && coveredBy[i] === -1; k += 1) {
			const other = piece[2 * k + side]!;
			if (isKept[k] === 0 || other === own || other === last) continue;
			last = other;
			if (isCovered(pieces[own]!, pieces[other]!)) coveredBy[i] = other;
		}
	}
	for (let i = 0; i < count; i += 1) {
		for (let k = 0; k < count && coveredBy[i] !== -1; k += 1) {
			if (isKept[k] === 1 && coveredBy[k] === -1 && piece[2 * k + side] === coveredBy[i]) isKept[i] = 0;
		}
	}
}

/** The mean of the points that these two pieces have together from `from` on, in the pair's frame. Returns where they end. */
function placeMean({ count, piece, point }: PairPoints, from: number): number {
	let end = from;
	mean.fill(0);
	while (end < count && piece[2 * end] === piece[2 * from] && piece[2 * end + 1] === piece[2 * from + 1]) {
		for (let d = 0; d < 3; d += 1) mean[d]! += point[3 * end + d]!;
		end += 1;
	}
	for (let d = 0; d < 3; d += 1) mean[d]! /= end - from;
	return end;
}

/** The point on this body's own surface, and the normal out of it. */
function placeAt({ point, normal, gap }: PairPoints, i: number, body: PlacedPiece, side: 0 | 1): void {
	const sign = side === 0 ? 1 : -1;
	const { map, centre } = body;
	const nx = sign * normal[3 * i]!;
	const ny = sign * normal[3 * i + 1]!;
	const nz = sign * normal[3 * i + 2]!;
	const half = 0.5 * gap[i]!;
	const x = point[3 * i]! - half * nx - centre[0]!;
	const y = point[3 * i + 1]! - half * ny - centre[1]!;
	const z = point[3 * i + 2]! - half * nz - centre[2]!;
	const dx = 0.5 * (mean[0]! - point[3 * i]!);
	const dy = 0.5 * (mean[1]! - point[3 * i + 1]!);
	const dz = 0.5 * (mean[2]! - point[3 * i + 2]!);
	for (let k = 0; k < 3; k += 1) {
		at[k] = back[3 * k]! * x + back[3 * k + 1]! * y + back[3 * k + 2]! * z;
		within[k] = at[k]! + (back[3 * k]! * dx + back[3 * k + 1]! * dy + back[3 * k + 2]! * dz);
		outward[k] = map[k]! * nx + map[3 + k]! * ny + map[6 + k]! * nz;
	}
}

const above = new Float64Array(3);

/**
 * On a face a point is covered where the space just above it is the other piece's: above a point half-way to the middle of the contact, since at the foot of a
 * wall the corners of a box are under the wall by as much as they overlap it. On an edge or a corner it is covered where the other piece has the point too and
 * reaches farther along the normal: then the normal is none of what the two are together.
 */
function isCovered(own: Convex, other: Convex): boolean {
	const rounding = ROUNDING * Math.min(own.reach, other.reach);
	if (isSmoothAlong(own, outward)) {
		const [x, y, z] = [outward[0]!, outward[1]!, outward[2]!];
		const scale = (2 * rounding) / Math.sqrt(x * x + y * y + z * z);
		for (let k = 0; k < 3; k += 1) above[k] = within[k]! + scale * outward[k]!;
		return depthInside(other, above) > -rounding;
	}
	if (depthInside(other, at) < -rounding) return false;
	const height = outward[0]! * at[0]! + outward[1]! * at[1]! + outward[2]! * at[2]!;
	return reachAlong(other, outward) > height + rounding;
}

/** Of points of different pieces in one place, with one normal, the first stays. */
function dropDoubles(points: PairPoints, firstPieces: Pieces, secondPieces: Pieces): void {
	const { point, normal, piece } = points;
	for (let i = 1; i < points.count; i += 1) {
		const reach = Math.min(firstPieces[piece[2 * i]!]!.reach, secondPieces[piece[2 * i + 1]!]!.reach);
		for (let k = 0; k < i && isKept[i] === 1; k += 1) {
			if (isKept[k] === 0) continue;
			if (piece[2 * i] === piece[2 * k] && piece[2 * i + 1] === piece[2 * k + 1]) continue;
			let square = 0;
			let cosine = 0;
			for (let d = 0; d < 3; d += 1) {
				const apart = point[3 * i + d]! - point[3 * k + d]!;
				square += apart * apart;
				cosine += normal[3 * i + d]! * normal[3 * k + d]!;
			}
			if (square <= SAME * SAME * reach * reach && cosine > NEARLY_PARALLEL) isKept[i] = 0;
		}
	}
}

function invert({ map, isRigid }: PlacedPiece): void {
	for (let i = 0; i < 3; i += 1) {
		const j = (i + 1) % 3;
		const k = (i + 2) % 3;
		for (let c = 0; c < 3; c += 1) {
			const d = (c + 1) % 3;
			const e = (c + 2) % 3;
			const cofactor = map[3 * j + d]! * map[3 * k + e]! - map[3 * j + e]! * map[3 * k + d]!;
			back[3 * c + i] = isRigid ? map[3 * i + c]! : cofactor;
		}
	}
	if (isRigid) return;
	const determinant = map[0]! * back[0]! + map[1]! * back[3]! + map[2]! * back[6]!;
	for (let k = 0; k < 9; k += 1) back[k]! /= determinant;
}
