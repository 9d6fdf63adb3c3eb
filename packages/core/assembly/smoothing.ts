/**
 * The smoothed residual of one contact and its derivatives, Koziara 2017, sections 4 and 6:
 *
 *     C = F + m(S), S = R - F      m_omega: eqs. 24, 30 with g_1, g_2 of eq. 31
 *     X = (I - dm/dS) dF/dU        eq. 43      F_omega: eq. 39
 *     Y = dm/dS                    eq. 44, from a, b, c, d in the stable form of eqs. 34-38
 *
 * Components are (N, T1, T2) here, (T, N) in the paper. omega = 0 is allowed: the limits are taken.
 */
import { get, set } from "./memory";

/** sqrt(x^2 + 4 w^2), the root in g (eq. 31). */
export function root(x: f64, w: f64): f64 {
	return Math.sqrt(x * x + 4 * w * w);
}

/** (x + root) / 2, without cancellation where x < 0 (differs from eq. 31 in form only). */
export function positivePart(x: f64, rootOfX: f64, w: f64): f64 {
	if (x >= 0) return 0.5 * (x + rootOfX);
	const sum: f64 = rootOfX - x;
	return sum > 0 ? (2 * w * w) / sum : 0;
}

/** (1 + x / root) / 2, eq. 34; at the kink of omega = 0 the middle value. */
export function slope(x: f64, rootOfX: f64): f64 {
	return rootOfX > 0 ? 0.5 * (1 + x / rootOfX) : 0.5;
}

/**
 * C at c, and, where x >= 0, X at x and Y at y (nine numbers each), for one contact with reaction at r and velocity at u; mu is that of the
 * cone, lift that of F: the same in Coulomb's law, zero in its relaxation.
 */
export function contactResidual(mu: f64, lift: f64, omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	const u1: f64 = get(u + 1);
	const u2: f64 = get(u + 2);
	// F_omega, eq. 39, and the derivative of the smoothed norm.
	const speed: f64 = Math.sqrt(u1 * u1 + u2 * u2 + omega * omega);
	const f0: f64 = get(u) + lift * (speed - omega);
	const slip1: f64 = speed > 0 ? (lift * u1) / speed : 0;
	const slip2: f64 = speed > 0 ? (lift * u2) / speed : 0;

	const s0: f64 = get(r) - f0;
	const s1: f64 = get(r + 1) - u1;
	const s2: f64 = get(r + 2) - u2;
	const length: f64 = Math.sqrt(s1 * s1 + s2 * s2);
	const t1: f64 = length > 0 ? s1 / length : 0;
	const t2: f64 = length > 0 ? s2 / length : 0;
	const share: f64 = 1 / (1 + mu * mu);
	const lambda1: f64 = -(s0 + mu * length) * share; // eq. 20
	const lambda2: f64 = (length - mu * s0) * share;
	const root1: f64 = root(lambda1, omega);
	const root2: f64 = root(lambda2, mu * omega);
	const g1: f64 = positivePart(lambda1, root1, omega); // eq. 31
	const g2: f64 = positivePart(lambda2, root2, mu * omega);
	// m = g_1 u_1 + g_2 u_2, u_1 = (-1, -mu t), u_2 = (-mu, t): eqs. 21, 22, 24, 30.
	const tangent: f64 = g2 - mu * g1;
	set(c, f0 - g1 - mu * g2);
	set(c + 1, u1 + tangent * t1);
	set(c + 2, u2 + tangent * t2);
	if (x < 0) return;

	const slope1: f64 = slope(lambda1, root1); // eq. 34
	const slope2: f64 = slope(lambda2, root2);
	let n: f64 = slope1; // the case z_T = 0 of eq. 27: Y = g'_1 I
	let a: f64 = slope1;
	let b: f64 = slope1;
	let side: f64 = 0;
	if (length > 0) {
		const roots: f64 = root2 + mu * root1;
		a = roots > 0 ? 0.5 * (1 + (lambda2 + mu * lambda1) / roots) : 0.5; // eq. 35
		b = (mu * mu * slope1 + slope2) * share; // eq. 36
		side = mu * (slope1 - slope2) * share; // eq. 37
		n = (slope1 + mu * mu * slope2) * share; // eq. 38
	}
	const y01: f64 = side * t1;
	const y02: f64 = side * t2;
	const y11: f64 = a + (b - a) * t1 * t1;
	const y12: f64 = (b - a) * t1 * t2;
	const y22: f64 = a + (b - a) * t2 * t2;
	set(y, n);
	set(y + 1, y01);
	set(y + 2, y02);
	set(y + 3, y01);
	set(y + 4, y11);
	set(y + 5, y12);
	set(y + 6, y02);
	set(y + 7, y12);
	set(y + 8, y22);
	// X = (I - Y) dF/dU, dF/dU = [1, slip; 0, I].
	set(x, 1 - n);
	set(x + 1, (1 - n) * slip1 - y01);
	set(x + 2, (1 - n) * slip2 - y02);
	set(x + 3, -y01);
	set(x + 4, 1 - y11 - y01 * slip1);
	set(x + 5, -y12 - y01 * slip2);
	set(x + 6, -y02);
	set(x + 7, -y12 - y02 * slip1);
	set(x + 8, 1 - y22 - y02 * slip2);
}
