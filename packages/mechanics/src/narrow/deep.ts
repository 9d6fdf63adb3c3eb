/**
 * The signed distance of pieces that overlap by more than their curvature: f has several maxima then, and the climb starts from many directions. They
 * are spread evenly over the directions, and evenly over the surface of each stretched ball, as the maxima of needles and discs are narrow.
 */
import { climb } from "./climb.js";
import { cofactorsOf, placeNormal } from "./placed.js";
import { evaluate, type Separation } from "./separation.js";

/** The directions of whole numbers from -3 to 3 without a common divisor: 290, close to evenly spread. */
const directions = latticeDirections(3);
/** From the best maximum of a first look to others right beside it: 26 directions, and how far. */
const aside = latticeDirections(1);
const ASIDE = 0.06;
/** Needles within polyhedra have narrow maxima: with 16 two of a million pairs ended on a lower one. */
const STARTS = 48;
/** The cosine of the angle within which one start is enough. */
const NEAR = 0.97;

function latticeDirections(most: number): Float64Array {
	const list: number[] = [];
	for (let x = -most; x <= most; x++) {
		for (let y = -most; y <= most; y++) {
			for (let z = -most; z <= most; z++) {
				if ([2, 3].some((k) => x % k === 0 && y % k === 0 && z % k === 0)) continue;
				const length = Math.sqrt(x * x + y * y + z * z);
				list.push(x / length, y / length, z / length);
			}
		}
	}
	return Float64Array.from(list);
}

let count = 0;
const values = new Float64Array(STARTS);
const starts = new Float64Array(3 * STARTS);
const best = new Float64Array(3);
const top = new Float64Array(3);
const normal = new Float64Array(3);
const cofactors = new Float64Array(9);

/** Climbs from `n`, from the `more` directions given and from the best of many others; `n` ends where f is highest. */
export function deepest(p: Separation, more = directions, moreCount = 0): number {
	count = 0;
	keep(p, p.n[0]!, p.n[1]!, p.n[2]!);
	for (let k = 0; k < 3 * moreCount; k += 3) keep(p, more[k]!, more[k + 1]!, more[k + 2]!);
	for (let k = 0; k < directions.length; k += 3) keep(p, directions[k]!, directions[k + 1]!, directions[k + 2]!);
	for (let ball = 0; ball < p.widening.count; ball++) keepNormals(p, 9 * ball);
	let highest = Number.NEGATIVE_INFINITY;
	for (let k = 0; k < count; k++) {
		const value = climbFrom(p, starts, 3 * k);
		if (value <= highest) continue;
		highest = value;
		best.set(starts.subarray(3 * k, 3 * k + 3));
	}
	climbFrom(p, best, 0);
	top.set(p.n);
	for (let k = 0; k < aside.length; k += 3) {
		for (let c = 0; c < 3; c++) normal[c] = top[c]! + ASIDE * aside[k + c]!;
		const length = Math.sqrt(normal[0]! * normal[0]! + normal[1]! * normal[1]! + normal[2]! * normal[2]!);
		for (let c = 0; c < 3; c++) normal[c] = normal[c]! / length;
		const value = climbFrom(p, normal, 0);
		// More than rounding, so that the first one stays where it is as good.
		if (value <= highest + 1e-13 * p.scale) continue;
		highest = value;
		best.set(normal);
	}
	return climbFrom(p, best, 0);
}

function climbFrom(p: Separation, from: Float64Array, at: number): number {
	p.n.set(from.subarray(at, at + 3));
	return climb(p, Number.POSITIVE_INFINITY);
}

/** Keeps a direction if it is the best near it, and among the best so far. */
function keep(p: Separation, x: number, y: number, z: number): void {
	p.n[0] = x;
	p.n[1] = y;
	p.n[2] = z;
	const value = evaluate(p);
	if (count === STARTS && value <= values[count - 1]!) return;
	for (let k = 0; k < count; k++) {
		if (x * starts[3 * k]! + y * starts[3 * k + 1]! + z * starts[3 * k + 2]! < NEAR) continue;
		if (values[k]! >= value) return;
		values.copyWithin(k, k + 1, count);
		starts.copyWithin(3 * k, 3 * k + 3, 3 * count);
		count--;
		k--;
	}
	if (count < STARTS) count++;
	let k = count - 1;
	for (; k > 0 && values[k - 1]! < value; k--) {
		values[k] = values[k - 1]!;
		starts.copyWithin(3 * k, 3 * k - 3, 3 * k);
	}
	values[k] = value;
	starts.set(p.n, 3 * k);
}

/** The normals at points that are evenly spread over a ball before it is stretched. */
function keepNormals(p: Separation, ball: number): void {
	cofactorsOf(p.widening.matrix, ball, cofactors);
	for (let k = 0; k < directions.length; k += 3) {
		placeNormal(cofactors, directions, k, normal);
		keep(p, normal[0]!, normal[1]!, normal[2]!);
	}
}
