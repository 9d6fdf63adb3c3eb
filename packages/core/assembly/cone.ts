/**
 * The friction cone K = { |R_T| <= mu R_N } and the projection on it: Koziara 2017, eq. 23, gives the projection on the polar
 * cone, and by Moreau (eq. 17) proj_K(z) = z - proj_K°(z). Spectral values lambda of eq. 20. Components (N, T1, T2).
 */
import { set } from "./memory";

/** y = proj_K(z). */
export function project(mu: f64, n: f64, t1: f64, t2: f64, y: i32): void {
	const square: f64 = t1 * t1 + t2 * t2;
	const reach: f64 = mu * n;
	if (n >= 0 && square <= reach * reach) {
		// Inside, the axis and, for n = 0, the tip included; no root is taken where most contacts are.
		set(y, n);
		set(y + 1, t1);
		set(y + 2, t2);
		return;
	}
	const length: f64 = Math.sqrt(square);
	const along: f64 = n + mu * length; // -lambda_1 (1 + mu^2)
	if (along <= 0) {
		// In the polar cone: the nearest point is the tip.
		set(y, 0);
		set(y + 1, 0);
		set(y + 2, 0);
		return;
	}
	// On the face: the point of the ray (1, mu z_T / |z_T|) nearest to z. Here |z_T| > 0, or z would be inside or polar.
	const normal: f64 = along / (1 + mu * mu);
	const factor: f64 = (mu * normal) / length;
	set(y, normal);
	set(y + 1, factor * t1);
	set(y + 2, factor * t2);
}
