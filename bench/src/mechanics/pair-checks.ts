/** What has to hold of the points of any pair. Each check returns how far it is from holding, relative to the size of the pair. */
import { Random } from "@stickslip/core";
import { type Manifold, makeManifold, type PlacedPiece, touch } from "@stickslip/mechanics";
import { dot, offSurface, placedPlane, reachAlong, times } from "./independent.js";
import { type Pair, product, randomDirection, randomRotation } from "./random-pairs.js";

export interface PairReport {
	readonly points: number;
	/** Numbers that are not finite, normals that are not unit vectors, features that come twice. */
	readonly isSound: boolean;
	/** Of the closest-point conditions: both points on their surfaces, and the gap as far as the pieces reach along the normal. */
	readonly residual: number;
	/** By how much a sampled direction separates the pieces more than the gap says. */
	readonly bound: number;
	/** Whether swapping the pieces changes any bit but turns the normals. */
	readonly isSwapSafe: boolean;
	/** Whether bodies that are moved by what is exact in binary have the same bits, whatever was asked between. */
	readonly isMoveSafe: boolean;
	/** Change of the gap by rotating the pair, and of the gap by numbering the bodies the other way round. */
	readonly rotated: number;
	readonly renumbered: number;
	/** Whether a margin of nothing keeps the points that overlap, and no others. */
	readonly isMarginSafe: boolean;
}

const manifold = makeManifold();
const other = makeManifold();

export function checkPair(pair: Pair, seed: number, number: number): PairReport | undefined {
	const { first, second, scale } = pair;
	const random = new Random(seed + 1, number);
	touch(first, second, 10 * scale, manifold);
	const closest = closestOf(manifold);
	// Beyond the margin, which is far beyond what the shapes are made for: only planes are so wide.
	if (closest < 0) return undefined;
	const gap = manifold.gap[closest]!;
	const n = manifold.normal.subarray(3 * closest, 3 * closest + 3);
	const isDeep = gap < -1e-3 * scale;
	const report = {
		points: manifold.count,
		isSound: isSound(manifold),
		residual: residualOf(pair, n, gap) / scale,
		bound: Math.max(0, sampledGap(pair, n, random) - gap) / scale,
		isSwapSafe: isSwapSafe(pair),
		isMoveSafe: isMoveSafe(pair, random),
		rotated: Math.max(0, Math.abs(rotatedGap(pair, random) - gap) - preferenceOf(pair)) / scale,
		renumbered: Math.abs(renumberedGap(pair) - gap) / scale,
		isMarginSafe: isDeep || isMarginSafe(pair, gap),
	};
	return report;
}

function closestOf(points: Manifold): number {
	let closest = points.count - 1;
	for (let k = closest - 1; k >= 0; k -= 1) if (points.gap[k]! <= points.gap[closest]!) closest = k;
	return closest;
}

function isSound(points: Manifold): boolean {
	for (let k = 0; k < points.count; k += 1) {
		const n = points.normal.subarray(3 * k, 3 * k + 3);
		if (!(Math.abs(dot(n, n) - 1) < 1e-12) || !Number.isFinite(points.gap[k])) return false;
		if (![0, 1, 2].every((c) => Number.isFinite(points.point[3 * k + c]))) return false;
		for (let before = 0; before < k; before += 1) if (points.feature[before] === points.feature[k]) return false;
	}
	return true;
}

/** min n . x of the second piece less max n . x of the first one. */
function gapAlong(pair: Pair, n: ArrayLike<number>): number {
	const against = [-n[0]!, -n[1]!, -n[2]!];
	for (const [plane, solid, sign] of [
		[pair.first, pair.second, 1],
		[pair.second, pair.first, -1],
	] as const) {
		if (plane.convex.plane === undefined) continue;
		const { normal, height } = placedPlane(plane);
		if (sign * dot(normal, n) < 1 - 1e-9) return Number.NEGATIVE_INFINITY;
		return -reachAlong(solid, [-normal[0]!, -normal[1]!, -normal[2]!]) - height;
	}
	return -reachAlong(pair.second, against) - reachAlong(pair.first, n);
}

function residualOf(pair: Pair, n: Float64Array, gap: number): number {
	// Capsules side by side are held by the balls at their ends, each with a normal of its own.
	const isLine = manifold.count > 1 && pair.first.convex.kind === "capsule" && pair.second.convex.kind === "capsule";
	let worst = isLine ? 0 : Math.max(0, Math.abs(gapAlong(pair, n) - gap) - preferenceOf(pair));
	for (let k = 0; k < manifold.count; k += 1) {
		const normal = manifold.normal.subarray(3 * k, 3 * k + 3);
		const half = 0.5 * manifold.gap[k]!;
		const point = (side: number) => [0, 1, 2].map((c) => manifold.point[3 * k + c]! + side * half * normal[c]!);
		worst = Math.max(worst, offSurface(pair.first, point(-1), normal));
		worst = Math.max(worst, offSurface(pair.second, point(1), [-normal[0]!, -normal[1]!, -normal[2]!]));
	}
	return worst;
}

/**
 * Between polyhedra the normal of a face is taken for the one that tells them apart best if the two are within an angle of 0.01. As far as that turns corners that
 * are at most `scale` from the centre of their body, the gap along the normal may be less.
 */
function preferenceOf({ first, second, scale }: Pair): number {
	return first.convex.kind === "polyhedron" && second.convex.kind === "polyhedron" ? 0.02 * scale : 0;
}

const DIRECTIONS = 32;

/** Over the sphere, and close to the normal. */
function sampledGap(pair: Pair, n: Float64Array, random: Random): number {
	let most = Number.NEGATIVE_INFINITY;
	for (let k = 0; k < DIRECTIONS; k += 1) {
		const direction = randomDirection(random);
		most = Math.max(most, gapAlong(pair, direction));
		const away = 10 ** -random.between(0, 8);
		const near = direction.map((c, axis) => n[axis]! + away * c);
		const length = Math.sqrt(dot(near, near));
		if (length === 0) continue;
		most = Math.max(
			most,
			gapAlong(
				pair,
				near.map((c) => c / length),
			),
		);
	}
	return most;
}

function isSwapSafe({ first, second, scale }: Pair): boolean {
	touch(second, first, 10 * scale, other);
	if (other.count !== manifold.count) return false;
	// Nothing tells two equal pieces with one centre apart, so that nothing can turn their normal round.
	const isBall = first.isRigid && second.isRigid && first.convex.kind === "sphere" && second.convex.kind === "sphere";
	const areSame =
		first.centre.every((c, k) => c === second.centre[k]) &&
		(isBall || first.map.every((c, k) => c === second.map[k])) &&
		(first.convex === second.convex || (isBall && first.convex.radius === second.convex.radius));
	for (let k = 0; k < manifold.count; k += 1) {
		if (other.gap[k] !== manifold.gap[k]) return false;
		for (let c = 3 * k; c < 3 * k + 3; c += 1) {
			if (other.point[c] !== manifold.point[c]) return false;
			if (other.normal[c] !== -manifold.normal[c]! && !areSame) return false;
		}
	}
	return true;
}

/** Of positions that are multiples of 2^-40 below 2^10 sums and differences are exact. */
function isMoveSafe({ first, second, scale }: Pair, random: Random): boolean {
	const onGrid = (x: number) => Math.round(x * 2 ** 40) / 2 ** 40;
	const here = [0, 1, 2].map(() => onGrid(random.between(-500, 500)));
	const there = here.map((x, c) => x + onGrid(second.centre[c]!));
	const shift = here.map(() => onGrid(random.between(-500, 500)));
	const apart = (by: number) => Float64Array.from(here, (x, c) => there[c]! + by * shift[c]! - (x + by * shift[c]!));
	touch(first, { ...second, centre: apart(0) }, 10 * scale, other);
	const before = bitsOf(other);
	touch(second, first, scale, other);
	touch(first, { ...second, centre: apart(1) }, 10 * scale, other);
	return bitsOf(other).every((value, k) => value === before[k]);
}

function bitsOf({ count, gap, normal, point, feature }: Manifold): number[] {
	const ofPoints = [...gap.subarray(0, count), ...normal.subarray(0, 3 * count), ...point.subarray(0, 3 * count)];
	return [count, ...feature.subarray(0, count), ...ofPoints];
}

function rotatedGap(pair: Pair, random: Random): number {
	const turn = randomRotation(random);
	const turned = (piece: PlacedPiece): PlacedPiece => ({
		convex: piece.convex,
		centre: Float64Array.from(times(turn, piece.centre)),
		map: product(turn, piece.map),
		isRigid: piece.isRigid,
	});
	touch(turned(pair.first), turned(pair.second), 11 * pair.scale, other);
	return least(other);
}

/** The bodies in the other order, with the origin at the centre of the other one. */
function renumberedGap({ first, second, scale }: Pair): number {
	const shifted = (piece: PlacedPiece): PlacedPiece => ({
		...piece,
		centre: piece.centre.map((c, k) => c - second.centre[k]!),
	});
	touch(shifted(second), shifted(first), 11 * scale, other);
	return least(other);
}

function least(points: Manifold): number {
	let gap = Number.POSITIVE_INFINITY;
	for (let k = 0; k < points.count; k += 1) gap = Math.min(gap, points.gap[k]!);
	return gap;
}

function isMarginSafe({ first, second, scale }: Pair, gap: number): boolean {
	touch(first, second, 0, other);
	if (other.count === 0) return gap > -1e-12 * scale;
	return least(other) <= 1e-12 * scale && Math.abs(least(other) - gap) <= 1e-9 * scale;
}
