/**
 * Two ellipsoids, or an ellipsoid and a sphere, that are apart or overlap little: the signed distance of separation.ts without vertices, by Newton's method
 * on f(n) = n . c - |A1^T n| - |A2^T n|, c from centre to centre. Every sum is one of the two pieces in either order, so that swapping them turns all signs
 * and changes nothing else. What does not converge at once goes to the general climb.
 */
import { addPoint, type Manifold, type PlacedPiece } from "./manifold.js";
import { isAfter } from "./order.js";
import { placeBall, placeMiddle } from "./placed.js";
import { touchRounded } from "./rounded.js";

const FAR = 0;
const FOUND = 1;
const UNKNOWN = 2;
const MOST_STEPS = 12;

const firstMiddle = new Float64Array(3);
const secondMiddle = new Float64Array(3);
const c = new Float64Array(3);
/** A1 and A2. */
const balls = new Float64Array(18);
/** A A^T of each: xx, xy, xz, yy, yz, zz. */
const squares = new Float64Array(12);
const n = new Float64Array(3);
const next = new Float64Array(3);
/** Both A u, u = A^T n / |A^T n|, and the lengths |A^T n|. */
const witness = new Float64Array(6);
const rho = new Float64Array(2);
const gap = new Float64Array(1);
/** The gradient of f across n. */
const across = new Float64Array(3);
const m = new Float64Array(6);

export function touchEllipsoids(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const found = separate(a, b, margin);
	if (found === FAR) return;
	if (found === FOUND) {
		const x = 0.5 * (firstMiddle[0]! + witness[0]! + (secondMiddle[0]! - witness[3]!));
		const y = 0.5 * (firstMiddle[1]! + witness[1]! + (secondMiddle[1]! - witness[4]!));
		const z = 0.5 * (firstMiddle[2]! + witness[2]! + (secondMiddle[2]! - witness[5]!));
		addPoint(manifold, n[0]!, n[1]!, n[2]!, x, y, z, gap[0]!, 0);
	} else if (!isAfter(a, b)) touchRounded(a, b, margin, manifold);
	else {
		touchRounded(b, a, margin, manifold);
		for (let k = 0; k < 3 * manifold.count; k++) manifold.normal[k] = -manifold.normal[k]!;
	}
}

function separate(a: PlacedPiece, b: PlacedPiece, margin: number): number {
	placeMiddle(a, firstMiddle);
	placeMiddle(b, secondMiddle);
	for (let k = 0; k < 3; k++) c[k] = secondMiddle[k]! - firstMiddle[k]!;
	const reach = a.convex.reach + b.convex.reach + margin;
	if (a.isRigid && b.isRigid && isCentred(a) && isCentred(b)) {
		if (c[0]! * c[0]! + c[1]! * c[1]! + c[2]! * c[2]! > reach * reach) return FAR;
	}
	placeBall(a, balls, 0);
	placeBall(b, balls, 9);
	square(0);
	square(1);
	if (!start()) return UNKNOWN;
	let value = valueAt(n);
	let residual = residualAt(value);
	const scale = Math.abs(c[0]!) + Math.abs(c[1]!) + Math.abs(c[2]!) + (rho[0]! + rho[1]!);
	for (let step = 0; step < MOST_STEPS; step++) {
		if (value > margin) return FAR;
		if (residual <= 1e-15 * scale) return isOnlyWayOut(value) ? FOUND : UNKNOWN;
		if (!newton(value, scale)) return UNKNOWN;
		const found = valueAt(next);
		// Within rounding f may fall while the residual does, too.
		if (found < value - 1e-14 * scale) return UNKNOWN;
		n.set(next);
		value = found;
		const before = residual;
		residual = residualAt(value);
		if (before < 1e-12 * scale && residual >= 0.5 * before) return isOnlyWayOut(value) ? FOUND : UNKNOWN;
	}
	return UNKNOWN;
}

function isCentred(piece: PlacedPiece): boolean {
	const { middle } = piece.convex;
	return middle[0] === 0 && middle[1] === 0 && middle[2] === 0;
}

/** Keeps the gap; whether the overlap, if it is one, is less than the least radii of curvature together, each least axis squared by longest axis, bounded as in widening.ts. */
function isOnlyWayOut(value: number): boolean {
	gap[0] = value;
	if (value >= 0) return true;
	let radii = 0;
	for (let k = 0; k < 2; k++) {
		const s = 6 * k;
		const trace = squares[s]! + squares[s + 3]! + squares[s + 5]!;
		const ratio = (2 * determinantOf(9 * k)) / trace;
		radii += (ratio * ratio) / Math.sqrt(trace);
	}
	return -value <= radii;
}

function determinantOf(k: number): number {
	const x = balls[k + 4]! * balls[k + 8]! - balls[k + 5]! * balls[k + 7]!;
	const y = balls[k + 3]! * balls[k + 8]! - balls[k + 5]! * balls[k + 6]!;
	const z = balls[k + 3]! * balls[k + 7]! - balls[k + 4]! * balls[k + 6]!;
	return balls[k]! * x - balls[k + 1]! * y + balls[k + 2]! * z;
}

function square(ball: number): void {
	const at = 6 * ball;
	const k = 9 * ball;
	squares[at] = rowProduct(k, k);
	squares[at + 1] = rowProduct(k, k + 3);
	squares[at + 2] = rowProduct(k, k + 6);
	squares[at + 3] = rowProduct(k + 3, k + 3);
	squares[at + 4] = rowProduct(k + 3, k + 6);
	squares[at + 5] = rowProduct(k + 6, k + 6);
}

function rowProduct(i: number, j: number): number {
	return balls[i]! * balls[j]! + balls[i + 1]! * balls[j + 1]! + balls[i + 2]! * balls[j + 2]!;
}

/** n along (S1 + S2)^-1 c, S = A A^T, which is the answer where the ellipsoids differ in size alone. */
function start(): boolean {
	for (let k = 0; k < 6; k++) m[k] = squares[k]! + squares[6 + k]!;
	return solve(c, n) && normalise(n);
}

/** f, with both witnesses. */
function valueAt(at: Float64Array): number {
	const x = at[0]!;
	const y = at[1]!;
	const z = at[2]!;
	for (let k = 0; k < 2; k++) {
		const a = 9 * k;
		const u = balls[a]! * x + balls[a + 3]! * y + balls[a + 6]! * z;
		const v = balls[a + 1]! * x + balls[a + 4]! * y + balls[a + 7]! * z;
		const w = balls[a + 2]! * x + balls[a + 5]! * y + balls[a + 8]! * z;
		const length = Math.sqrt(u * u + v * v + w * w);
		const inverse = 1 / length;
		rho[k] = length;
		witness[3 * k] = (balls[a]! * u + balls[a + 1]! * v + balls[a + 2]! * w) * inverse;
		witness[3 * k + 1] = (balls[a + 3]! * u + balls[a + 4]! * v + balls[a + 5]! * w) * inverse;
		witness[3 * k + 2] = (balls[a + 6]! * u + balls[a + 7]! * v + balls[a + 8]! * w) * inverse;
	}
	return x * c[0]! + y * c[1]! + z * c[2]! - (rho[0]! + rho[1]!);
}

/** Of the gradient c - A1 u1 - A2 u2 the part across n, and its length. */
function residualAt(value: number): number {
	const x = c[0]! - (witness[0]! + witness[3]!) - value * n[0]!;
	const y = c[1]! - (witness[1]! + witness[4]!) - value * n[1]!;
	const z = c[2]! - (witness[2]! + witness[5]!) - value * n[2]!;
	across[0] = x;
	across[1] = y;
	across[2] = z;
	return Math.sqrt(x * x + y * y + z * z);
}

/** `next` = n + Q^-1 across, of length one, with Q = sum of (S - w w^T) / rho + f I, which maps n to f n; along n it is made positive. */
function newton(value: number, scale: number): boolean {
	const r = 1 / rho[0]!;
	const s = 1 / rho[1]!;
	let at = 0;
	for (let i = 0; i < 3; i++) {
		for (let j = i; j < 3; j++, at++) {
			const first = (squares[at]! - witness[i]! * witness[j]!) * r;
			const second = (squares[6 + at]! - witness[3 + i]! * witness[3 + j]!) * s;
			m[at] = first + second + (scale - value) * n[i]! * n[j]!;
		}
	}
	m[0] = m[0]! + value;
	m[3] = m[3]! + value;
	m[5] = m[5]! + value;
	if (!solve(across, next)) return false;
	const size = next[0]! * next[0]! + next[1]! * next[1]! + next[2]! * next[2]!;
	if (!(size < 1)) return false;
	for (let k = 0; k < 3; k++) next[k] = n[k]! + next[k]!;
	return normalise(next);
}

/** m x = b for the symmetric m: xx, xy, xz, yy, yz, zz. False where it is not positive. */
function solve(b: Float64Array, x: Float64Array): boolean {
	const xx = m[0]!;
	const xy = m[1]!;
	const xz = m[2]!;
	const yy = m[3]!;
	const yz = m[4]!;
	const zz = m[5]!;
	const a = yy * zz - yz * yz;
	const d = xz * yz - xy * zz;
	const e = xy * yz - xz * yy;
	const determinant = xx * a + xy * d + xz * e;
	if (!(xx > 0 && xx * yy - xy * xy > 0 && determinant > 0)) return false;
	const inverse = 1 / determinant;
	const f = xx * zz - xz * xz;
	const g = xy * xz - xx * yz;
	const h = xx * yy - xy * xy;
	x[0] = (a * b[0]! + d * b[1]! + e * b[2]!) * inverse;
	x[1] = (d * b[0]! + f * b[1]! + g * b[2]!) * inverse;
	x[2] = (e * b[0]! + g * b[1]! + h * b[2]!) * inverse;
	return true;
}

function normalise(v: Float64Array): boolean {
	const length = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
	if (!(length > 0)) return false;
	const inverse = 1 / length;
	for (let k = 0; k < 3; k++) v[k] = v[k]! * inverse;
	return true;
}
