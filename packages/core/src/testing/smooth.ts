/** Koziara 2017, section 4 word by word, in (T1, T2, N) as the paper writes it and without its stable forms: to compare with. */
import type { Triple } from "./judge.js";

/** eq. 25 */
const g = (x: number): number => (Math.sqrt(x * x + 4) + x) / 2;
const slope = (x: number): number => (x / Math.sqrt(x * x + 4) + 1) / 2;

/** lambda_1, lambda_2 (eq. 20) and the direction of z_T; e_1 for w where z_T = 0. */
function spectrum(mu: number, z: Triple) {
	const length = Math.hypot(z[1], z[2]);
	const t = length > 0 ? [z[1] / length, z[2] / length] : [1, 0];
	const lambda1 = (-z[0] - mu * length) / (1 + mu * mu);
	const lambda2 = (length - mu * z[0]) / (1 + mu * mu);
	return { length, t, lambda1, lambda2 };
}

/** eqs. 24 and 30, handed back as (N, T1, T2). For mu = 0 the limit of eq. 32. */
function smoothedM(mu: number, omega: number, z: Triple): Triple {
	const { length, t, lambda1, lambda2 } = spectrum(mu, z);
	const g1 = omega * g(lambda1 / omega);
	const g2 = mu > 0 ? mu * omega * g(lambda2 / (mu * omega)) : Math.max(0, lambda2);
	// With z_T = 0 the two tangential parts cancel: mu g(lambda_2 / mu) = mu g(lambda_1).
	const tangent = length > 0 ? g2 - mu * g1 : 0;
	return [-g1 - mu * g2, tangent * t[0]!, tangent * t[1]!];
}

/** eqs. 27-29, by rows in (N, T1, T2). */
export function smoothedGradient(mu: number, omega: number, z: Triple): number[] {
	const { length, t, lambda1, lambda2 } = spectrum(mu, z);
	const [x1, x2] = [lambda1 / omega, lambda2 / (mu * omega)];
	if (length === 0) return [slope(x1), 0, 0, 0, slope(x1), 0, 0, 0, slope(x1)];
	const a = (g(x2) - g(x1)) / (x2 - x1);
	const b = (mu * mu * slope(x1) + slope(x2)) / (1 + mu * mu);
	const c = (mu * (slope(x1) - slope(x2))) / (1 + mu * mu);
	const d = (slope(x1) + mu * mu * slope(x2)) / (1 + mu * mu);
	const [t1, t2] = [t[0]!, t[1]!];
	const mixed = (b - a) * t1 * t2;
	return [d, c * t1, c * t2, c * t1, a + (b - a) * t1 * t1, mixed, c * t2, mixed, a + (b - a) * t2 * t2];
}

/** F_omega, eq. 39. */
export function smoothedF(mu: number, omega: number, u: Triple): Triple {
	return [u[0] + mu * (Math.sqrt(u[1] ** 2 + u[2] ** 2 + omega ** 2) - omega), u[1], u[2]];
}

/** C_omega(U, R), eq. 41. */
export function smoothedC(mu: number, omega: number, u: Triple, r: Triple): Triple {
	const f = smoothedF(mu, omega, u);
	const m = smoothedM(mu, omega, [r[0] - f[0], r[1] - f[1], r[2] - f[2]]);
	return [f[0] + m[0], f[1] + m[1], f[2] + m[2]];
}
