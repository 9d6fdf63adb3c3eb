/**
 * Two ellipsoids, or an ellipsoid and a sphere, that are apart or overlap little: the signed distance of separation.ts without vertices, by Newton's method
 * on f(n) = n . c - |A1^T n| - |A2^T n|, c from centre to centre. Every sum is one of the two pieces in either order, so that swapping them turns all signs
 * and changes nothing else. What does not converge at once goes to the general climb.
 */
import { type Manifold, type PlacedPiece, takePoint } from "./manifold.js";
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
/** Both A u, u = A^T n / |A^T n|. */
const witness = new Float64Array(6);
const gap = new Float64Array(1);
/** The largest gap that counts. */
const limit = new Float64Array(1);
const m = new Float64Array(6);

export function touchEllipsoids(a: PlacedPiece, b: PlacedPiece, margin: number, manifold: Manifold): void {
	manifold.count = 0;
	const found = separate(a, b, margin);
	if (found === FAR) return;
	if (found === FOUND) {
		const at = takePoint(manifold, 0);
		for (let k = 0; k < 3; k++) {
			manifold.normal[3 * at + k] = n[k]!;
			manifold.point[3 * at + k] = 0.5 * (firstMiddle[k]! + witness[k]! + (secondMiddle[k]! - witness[3 + k]!));
		}
		manifold.gap[at] = gap[0]!;
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
	limit[0] = margin;
	return approach();
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
	let at = 6 * ball;
	for (let i = 9 * ball; i < 9 * ball + 9; i += 3) {
		for (let j = i; j < 9 * ball + 9; j += 3, at++) {
			squares[at] = balls[i]! * balls[j]! + balls[i + 1]! * balls[j + 1]! + balls[i + 2]! * balls[j + 2]!;
		}
	}
}

/** n along (S1 + S2)^-1 c, S = A A^T, which is the answer where the ellipsoids differ in size alone. */
function start(): boolean {
	for (let k = 0; k < 6; k++) m[k] = squares[k]! + squares[6 + k]!;
	return solve(c, n) && normalise(n);
}

/**
 * Newton's method from n on. One function, as its numbers stay where they are from step to step: with f, its gradient and the step in functions of their own
 * it takes half as long again.
 *
 * f = n . c - rho1 - rho2, rho = |A^T n|, has the gradient c - w1 - w2 with the witnesses w = A A^T n / rho. Of this the part across n is r, and the next n is
 * n + Q^-1 r, of length one, with Q = sum of (S - w w^T) / rho + f I, which maps n to f n; along n it is made positive.
 */
function approach(): number {
	const p0 = balls[0]!;
	const p1 = balls[1]!;
	const p2 = balls[2]!;
	const p3 = balls[3]!;
	const p4 = balls[4]!;
	const p5 = balls[5]!;
	const p6 = balls[6]!;
	const p7 = balls[7]!;
	const p8 = balls[8]!;
	const q0 = balls[9]!;
	const q1 = balls[10]!;
	const q2 = balls[11]!;
	const q3 = balls[12]!;
	const q4 = balls[13]!;
	const q5 = balls[14]!;
	const q6 = balls[15]!;
	const q7 = balls[16]!;
	const q8 = balls[17]!;
	const s0 = squares[0]!;
	const s1 = squares[1]!;
	const s2 = squares[2]!;
	const s3 = squares[3]!;
	const s4 = squares[4]!;
	const s5 = squares[5]!;
	const t0 = squares[6]!;
	const t1 = squares[7]!;
	const t2 = squares[8]!;
	const t3 = squares[9]!;
	const t4 = squares[10]!;
	const t5 = squares[11]!;
	const cx = c[0]!;
	const cy = c[1]!;
	const cz = c[2]!;
	let x = n[0]!;
	let y = n[1]!;
	let z = n[2]!;
	let scale = 0;
	let value = 0;
	let residual = 0;
	for (let step = 0; ; step++) {
		const au = p0 * x + p3 * y + p6 * z;
		const av = p1 * x + p4 * y + p7 * z;
		const aw = p2 * x + p5 * y + p8 * z;
		const rhoA = Math.sqrt(au * au + av * av + aw * aw);
		const ai = 1 / rhoA;
		const ax = (p0 * au + p1 * av + p2 * aw) * ai;
		const ay = (p3 * au + p4 * av + p5 * aw) * ai;
		const az = (p6 * au + p7 * av + p8 * aw) * ai;
		const bu = q0 * x + q3 * y + q6 * z;
		const bv = q1 * x + q4 * y + q7 * z;
		const bw = q2 * x + q5 * y + q8 * z;
		const rhoB = Math.sqrt(bu * bu + bv * bv + bw * bw);
		const bi = 1 / rhoB;
		const bx = (q0 * bu + q1 * bv + q2 * bw) * bi;
		const by = (q3 * bu + q4 * bv + q5 * bw) * bi;
		const bz = (q6 * bu + q7 * bv + q8 * bw) * bi;
		const found = x * cx + y * cy + z * cz - (rhoA + rhoB);
		if (step === 0) scale = Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + (rhoA + rhoB);
		// Within rounding f may fall while the residual does, too.
		else if (found < value - 1e-14 * scale) return UNKNOWN;
		value = found;
		const rx = cx - (ax + bx) - value * x;
		const ry = cy - (ay + by) - value * y;
		const rz = cz - (az + bz) - value * z;
		const before = residual;
		residual = Math.sqrt(rx * rx + ry * ry + rz * rz);
		const isStill = step > 0 && before < 1e-12 * scale && residual >= 0.5 * before;
		if (!isStill) {
			if (step === MOST_STEPS) return UNKNOWN;
			if (value > limit[0]!) return FAR;
		}
		if (isStill || residual <= 1e-15 * scale) {
			n[0] = x;
			n[1] = y;
			n[2] = z;
			witness[0] = ax;
			witness[1] = ay;
			witness[2] = az;
			witness[3] = bx;
			witness[4] = by;
			witness[5] = bz;
			return isOnlyWayOut(value) ? FOUND : UNKNOWN;
		}
		const along = scale - value;
		const xx = (s0 - ax * ax) * ai + (t0 - bx * bx) * bi + along * x * x + value;
		const xy = (s1 - ax * ay) * ai + (t1 - bx * by) * bi + along * x * y;
		const xz = (s2 - ax * az) * ai + (t2 - bx * bz) * bi + along * x * z;
		const yy = (s3 - ay * ay) * ai + (t3 - by * by) * bi + along * y * y + value;
		const yz = (s4 - ay * az) * ai + (t4 - by * bz) * bi + along * y * z;
		const zz = (s5 - az * az) * ai + (t5 - bz * bz) * bi + along * z * z + value;
		const d0 = yy * zz - yz * yz;
		const d1 = xz * yz - xy * zz;
		const d2 = xy * yz - xz * yy;
		const determinant = xx * d0 + xy * d1 + xz * d2;
		const d5 = xx * yy - xy * xy;
		if (!(xx > 0 && d5 > 0 && determinant > 0)) return UNKNOWN;
		const inverse = 1 / determinant;
		const d3 = xx * zz - xz * xz;
		const d4 = xy * xz - xx * yz;
		const sx = (d0 * rx + d1 * ry + d2 * rz) * inverse;
		const sy = (d1 * rx + d3 * ry + d4 * rz) * inverse;
		const sz = (d2 * rx + d4 * ry + d5 * rz) * inverse;
		if (!(sx * sx + sy * sy + sz * sz < 1)) return UNKNOWN;
		x += sx;
		y += sy;
		z += sz;
		const length = Math.sqrt(x * x + y * y + z * z);
		if (!(length > 0)) return UNKNOWN;
		const shrink = 1 / length;
		x *= shrink;
		y *= shrink;
		z *= shrink;
	}
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
