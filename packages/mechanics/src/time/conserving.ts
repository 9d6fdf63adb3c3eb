/**
 * Free rotation that conserves momentum and energy both: the implicit midpoint rule for the momentum P along the principal axes,
 *
 *     P+ - P = dt (P_m x w),  P_m = (P + P+) / 2,  w = P_m / inertia,
 *
 * conserves the quadratic forms |P|^2 and P . P / inertia exactly. The same equation says that P+ is P turned by the Cayley transform of -dt w, so that
 * an orientation turned by the Cayley transform of dt w leaves the momentum in world axes as it is.
 */

const NEWTON_MAX = 20;
const next = new Float64Array(3);

/** Changes the quaternion q of the principal axes and the momentum P along them; by Newton's method, to rounding. */
export function turnConserving(q: Float64Array, P: Float64Array, a: number, b: number, c: number, dt: number): void {
	const [ia, ib, ic] = [0.5 / a, 0.5 / b, 0.5 / c];
	next.set(P);
	let last = Number.POSITIVE_INFINITY;
	for (let k = 0; k < NEWTON_MAX; k += 1) {
		const step = newtonStep(P, ia, ib, ic, dt);
		// Quadratic at first; at rounding steps no longer shrink.
		if (!(step < 0.5 * last)) break;
		last = step;
	}
	const [x, y, z] = [
		0.5 * dt * ia * (P[0]! + next[0]!),
		0.5 * dt * ib * (P[1]! + next[1]!),
		0.5 * dt * ic * (P[2]! + next[2]!),
	];
	// The quaternion of a Cayley transform is (1, dt w / 2), but for its length.
	const scale = 1 / Math.sqrt(1 + x * x + y * y + z * z);
	const [qw, qx, qy, qz] = [q[0]!, q[1]!, q[2]!, q[3]!];
	q[0] = scale * (qw - qx * x - qy * y - qz * z);
	q[1] = scale * (qx + qw * x + qy * z - qz * y);
	q[2] = scale * (qy + qw * y + qz * x - qx * z);
	q[3] = scale * (qz + qw * z + qx * y - qy * x);
}

/** One step of Newton for `next`; how far it went, as the largest change. */
function newtonStep(P: Float64Array, ia: number, ib: number, ic: number, dt: number): number {
	const [m0, m1, m2] = [0.5 * (P[0]! + next[0]!), 0.5 * (P[1]! + next[1]!), 0.5 * (P[2]! + next[2]!)];
	const [w0, w1, w2] = [2 * ia * m0, 2 * ib * m1, 2 * ic * m2];
	const r0 = next[0]! - P[0]! - dt * (m1 * w2 - m2 * w1);
	const r1 = next[1]! - P[1]! - dt * (m2 * w0 - m0 * w2);
	const r2 = next[2]! - P[2]! - dt * (m0 * w1 - m1 * w0);
	// Rows of the derivative of the residual by `next`: the identity and small terms off the diagonal.
	const h = dt;
	const j01 = -h * (0.5 * w2 - m2 * ib);
	const j02 = -h * (m1 * ic - 0.5 * w1);
	const j10 = -h * (m2 * ia - 0.5 * w2);
	const j12 = -h * (0.5 * w0 - m0 * ic);
	const j20 = -h * (0.5 * w1 - m1 * ia);
	const j21 = -h * (m0 * ib - 0.5 * w0);
	const c00 = 1 - j12 * j21;
	const c01 = j12 * j20 - j10;
	const c02 = j10 * j21 - j20;
	const scale = -1 / (c00 + j01 * c01 + j02 * c02);
	const d0 = scale * (c00 * r0 + (j02 * j21 - j01) * r1 + (j01 * j12 - j02) * r2);
	const d1 = scale * (c01 * r0 + (1 - j02 * j20) * r1 + (j02 * j10 - j12) * r2);
	const d2 = scale * (c02 * r0 + (j01 * j20 - j21) * r1 + (1 - j01 * j10) * r2);
	next[0]! += d0;
	next[1]! += d1;
	next[2]! += d2;
	return Math.max(Math.abs(d0), Math.abs(d1), Math.abs(d2));
}
