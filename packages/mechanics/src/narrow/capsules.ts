/**
 * Two capsules, deformed or not. Besides the closest point there are, where they lie side by side, the points where an end of one faces the other: a
 * capsule that rests on another one along a line is held in two points. An end's point is that of the two balls there, with a normal of its own.
 * Features: 0 and 1 for the ends of the first, 2 and 3 for those of the second, 4 for a point between.
 */
import { climb } from "./climb.js";
import type { Manifold, PlacedPiece } from "./manifold.js";
import { separateRounded } from "./rounded.js";
import { makeSeparation, type Separation } from "./separation.js";
import { addIfDeeper, addWitness } from "./witness.js";

const separation = makeSeparation();
const BETWEEN = 4;
/** The most that the squared sine of the angle between axes that lie side by side may be. */
const SIDE_BY_SIDE = 0.1;
/** Points less than this apart, relative to the pieces, are one. */
const APART = 1e-3;
/** Of the closest point and the ends of axes that are all but parallel, in parts of the pieces: then the ends say it all. */
const SAME = 1e-10;

export function touchCapsules(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const p = separation;
	if (!separateRounded(p, a, b, margin)) return;
	if (areSideBySide(p)) addOuterEnds(p, margin, manifold);
	addIfDeeper(p, BETWEEN, SAME, manifold);
}

function areSideBySide(p: Separation): boolean {
	const { first: a, second: b } = p;
	const ax = a[3]! - a[0]!;
	const ay = a[4]! - a[1]!;
	const az = a[5]! - a[2]!;
	const bx = b[3]! - b[0]!;
	const by = b[4]! - b[1]!;
	const bz = b[5]! - b[2]!;
	const x = ay * bz - az * by;
	const y = az * bx - ax * bz;
	const z = ax * by - ay * bx;
	const squares = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz);
	return x * x + y * y + z * z <= SIDE_BY_SIDE * squares;
}

/** Of the two axes points that face each other, six numbers, and the place along the first axis: those least and most along it. */
const outer = [new Float64Array(7), new Float64Array(7)] as const;
const outerFeature = [0, 0];
const facing = new Float64Array(7);

function addOuterEnds(p: Separation, margin: number, manifold: Manifold): void {
	const { first, second } = p;
	let count = 0;
	for (let feature = 0; feature < BETWEEN; feature++) {
		const end = 3 * (feature % 2);
		const isFirst = feature < 2;
		if (!faceAcross(isFirst ? first : second, end, isFirst ? second : first, isFirst)) continue;
		facing[6] = 0;
		for (let c = 0; c < 3; c++) facing[6] += (first[3 + c]! - first[c]!) * facing[c]!;
		for (let side = 0; side < 2; side++) {
			if (count > 0 && (side === 0 ? facing[6]! >= outer[0][6]! : facing[6]! <= outer[1][6]!)) continue;
			outer[side]!.set(facing);
			outerFeature[side] = feature;
		}
		count++;
	}
	if (count < 2) return;
	let square = 0;
	for (let c = 0; c < 3; c++) {
		const along = outer[1][c]! - outer[0][c]!;
		square += along * along;
	}
	const least = APART * (p.firstRadius + p.secondRadius + p.scale);
	if (square <= least * least) return;
	addBalls(p, outer[0], outerFeature[0]!, margin, manifold);
	addBalls(p, outer[1], outerFeature[1]!, margin, manifold);
}

/** Whether an end of one axis faces a point within the other; then both are in `facing`, that of the first capsule first. */
function faceAcross(own: Float64Array, end: number, other: Float64Array, isFirst: boolean): boolean {
	let along = 0;
	let square = 0;
	for (let c = 0; c < 3; c++) {
		const axis = other[3 + c]! - other[c]!;
		along += axis * (own[end + c]! - other[c]!);
		square += axis * axis;
	}
	const place = along / square;
	if (!(place >= -1e-9 && place <= 1 + 1e-9)) return false;
	for (let c = 0; c < 3; c++) {
		facing[(isFirst ? 0 : 3) + c] = own[end + c]!;
		facing[(isFirst ? 3 : 0) + c] = other[c]! + place * (other[3 + c]! - other[c]!);
	}
	return true;
}

const balls = makeSeparation();

/** The point in which the balls at two points of the axes touch, unless they are apart or touch the wrong way round. */
function addBalls(p: Separation, points: Float64Array, feature: number, margin: number, manifold: Manifold): void {
	balls.firstCount = 1;
	balls.secondCount = 1;
	balls.first.set(points.subarray(0, 3));
	balls.second.set(points.subarray(3, 6));
	balls.widening.count = p.widening.count;
	balls.widening.matrix.set(p.widening.matrix);
	balls.isFirstStretched = p.isFirstStretched;
	balls.firstRadius = p.firstRadius;
	balls.secondRadius = p.secondRadius;
	balls.n.set(p.n);
	const limit = margin + (p.firstRadius + p.secondRadius);
	if (climb(balls, limit) > limit) return;
	// No two balls of the pieces overlap more than these, at the direction that is best for them.
	if (balls.value < p.value - SAME * p.scale) return;
	const { n } = balls;
	if (n[0]! * p.n[0]! + n[1]! * p.n[1]! + n[2]! * p.n[2]! < 0.5) return;
	addWitness(balls, feature, manifold);
}
