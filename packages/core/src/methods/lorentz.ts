/**
 * The cone of second order L = { x_0 >= |(x_1, x_2)| } for interior points: the scaling of Nesterov and Todd of one contact, and what a step needs.
 *
 * The scaling T of x and y, T y = T^-1 x = lambda, is diagonal in the basis b_1 = (1, -w) / sqrt 2, b_2 = (1, w) / sqrt 2, b_3 = (0, w turned), where w
 * is the direction of x_T / sqrt(det x) - y_T / sqrt(det y): T = eta diag(1/e, e, 1), eta^4 = det x / det y, det x = x_0^2 - |x_T|^2. Near the boundary
 * T^-2 is very large along b_1 and very small along b_2: in this basis no number of the one spoils the other, and
 * what is left to the boundary, x_0 - |x_T|, is kept beside x, since a difference would lose it.
 */
const NONE = Number.POSITIVE_INFINITY;
const HALF = Math.SQRT1_2;
/** Through the tip of the cone the way has a double root. */
const ROUNDING = 1e-12;

/** Of one contact: w, the diagonal of T, x and y in the basis. */
export interface Scaling {
	readonly w: Float64Array;
	readonly t: Float64Array;
	readonly x: Float64Array;
	readonly y: Float64Array;
}

/** A vector of L in standard coordinates, and what is left to the boundary. */
export interface Inside {
	readonly x0: number;
	readonly x1: number;
	readonly x2: number;
	readonly left: number;
}

/** The vector with so much left to the boundary at least. */
export function pushed({ x0, x1, x2 }: Inside, far: number): Inside {
	const size = length(x1, x2);
	const left = Math.max(far, x0 - size);
	return { x0: size + left, x1, x2, left };
}

/** Writes the scaling of contact a. */
export function scale(x: Inside, y: Inside, a: number, { w, t, x: xs, y: ys }: Scaling): void {
	const [sizeX, sizeY] = [length(x.x1, x.x2), length(y.x1, y.x2)];
	const [e1, e2] = sizeX > 0 ? [x.x1 / sizeX, x.x2 / sizeX] : [1, 0];
	const [f1, f2] = sizeY > 0 ? [y.x1 / sizeY, y.x2 / sizeY] : [-e1, -e2];
	const rootX = Math.sqrt(x.left * (x.x0 + sizeX));
	const rootY = Math.sqrt(y.left * (y.x0 + sizeY));
	const dot = 0.5 * sizeX * sizeY * square(e1 + f1, e2 + f2) + x.left * y.x0 + y.left * sizeX;
	const twice = 2 * Math.sqrt(0.5 * (1 + dot / (rootX * rootY)));
	const [w1, w2] = [(x.x1 / rootX - y.x1 / rootY) / twice, (x.x2 / rootX - y.x2 / rootY) / twice];
	const size = length(w1, w2);
	const [d1, d2] = size > 0 ? [w1 / size, w2 / size] : [1, 0];
	const eta = Math.sqrt(rootX / rootY);
	const e = size + Math.sqrt(1 + size * size);
	w[2 * a] = d1;
	w[2 * a + 1] = d2;
	const i = 3 * a;
	t[i] = eta / e;
	t[i + 1] = eta * e;
	t[i + 2] = eta;
	xs[i] = HALF * (x.left + 0.5 * sizeX * square(d1 - e1, d2 - e2));
	xs[i + 1] = HALF * (x.x0 + d1 * x.x1 + d2 * x.x2);
	xs[i + 2] = d1 * x.x2 - d2 * x.x1;
	ys[i] = HALF * (y.x0 - d1 * y.x1 - d2 * y.x2);
	ys[i + 1] = HALF * (y.left + 0.5 * sizeY * square(d1 + f1, d2 + f2));
	ys[i + 2] = d1 * y.x2 - d2 * y.x1;
}

/** Standard coordinates of z + step d, which are in the basis of contact a; inside L. */
export function moved(z: Float64Array, step: number, d: Float64Array, a: number, w: Float64Array): Inside {
	const i = 3 * a;
	const [z1, z2, z3] = [z[i]! + step * d[i]!, z[i + 1]! + step * d[i + 1]!, z[i + 2]! + step * d[i + 2]!];
	const along = HALF * (z2 - z1);
	const [d1, d2] = [w[2 * a]!, w[2 * a + 1]!];
	const x0 = HALF * (z1 + z2);
	return {
		x0,
		x1: along * d1 - z3 * d2,
		x2: along * d2 + z3 * d1,
		left: (2 * z1 * z2 - z3 * z3) / (x0 + length(along, z3)),
	};
}

/**
 * T^-1 t, at i, of the t with lambda o (t + lambda) = nu e - (T^-1 dx) o (T dy), in the basis; lambda = T y. There e is (1, 1, 0) / sqrt 2, and the product of u and v has
 * the parts u.v along e, and along (1, -1, 0) / sqrt 2 and b_3 what u_e v + v_e u has.
 */
export function correction(
	{ t, y }: Scaling,
	dx: Float64Array,
	dy: Float64Array,
	i: number,
	nu: number,
	to: Float64Array,
): void {
	const [l0, l1, l2] = standard(t[i]! * y[i]!, t[i + 1]! * y[i + 1]!, t[i + 2]! * y[i + 2]!);
	const [u0, u1, u2] = standard(dx[i]! / t[i]!, dx[i + 1]! / t[i + 1]!, dx[i + 2]! / t[i + 2]!);
	const [v0, v1, v2] = standard(t[i]! * dy[i]!, t[i + 1]! * dy[i + 1]!, t[i + 2]! * dy[i + 2]!);
	const z0 = nu - (u0 * v0 + u1 * v1 + u2 * v2);
	const z1 = -(u0 * v1 + v0 * u1);
	const z2 = -(u0 * v2 + v0 * u2);
	const size = length(l1, l2);
	const first = (l0 * z0 - l1 * z1 - l2 * z2) / ((l0 - size) * (l0 + size));
	const [t0, t1, t2] = [first - l0, (z1 - first * l1) / l0 - l1, (z2 - first * l2) / l0 - l2];
	to[i] = (HALF * (t0 - t1)) / t[i]!;
	to[i + 1] = (HALF * (t0 + t1)) / t[i + 1]!;
	to[i + 2] = t2 / t[i + 2]!;
}

/** The largest step for which z + step d, in the basis, is in L, z being inside; infinite where there is none. */
export function stepInside(z: Float64Array, d: Float64Array, i: number): number {
	const [z1, z2, z3, d1, d2, d3] = [z[i]!, z[i + 1]!, z[i + 2]!, d[i]!, d[i + 1]!, d[i + 2]!];
	const a = 2 * d1 * d2 - d3 * d3;
	const b = z1 * d2 + z2 * d1 - z3 * d3;
	const c = 2 * z1 * z2 - z3 * z3;
	if (b > 0) return a < 0 ? (Math.sqrt(b * b - a * c) + b) / -a : NONE;
	const root = b * b - a * c;
	if (root < -ROUNDING * b * b) return NONE;
	const bend = Math.sqrt(Math.max(0, root)) - b;
	return bend > 0 ? c / bend : NONE;
}

/** The k-th vector of the basis of w. */
export function basis(k: number, w1: number, w2: number): readonly [number, number, number] {
	if (k === 0) return [HALF, -HALF * w1, -HALF * w2];
	return k === 1 ? [HALF, HALF * w1, HALF * w2] : [0, -w2, w1];
}

/** The same of a contact without friction, whose x_0 is along both of the first two. */
export function axis(k: number): readonly [number, number, number] {
	return k === 2 ? [0, 0, 0] : [HALF, 0, 0];
}

/** 1 / (1 + t^-2): what a row of the diagonal of T^-2 is multiplied by, so that none is large. */
export function rowScale(t: number): number {
	return (t * t) / (1 + t * t);
}

/** Out of the basis, with w for the first axis of the tangential plane. */
function standard(z1: number, z2: number, z3: number): [number, number, number] {
	return [HALF * (z1 + z2), HALF * (z2 - z1), z3];
}

function length(x: number, y: number): number {
	return Math.sqrt(x * x + y * y);
}

function square(x: number, y: number): number {
	return x * x + y * y;
}
