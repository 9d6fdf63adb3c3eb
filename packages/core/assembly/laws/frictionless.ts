/**
 * No friction: K = { R_N >= 0, R_T = 0 }, F = U. Of U_T nothing is asked. As Coulomb's law with mu = 0, whatever mu is.
 */
import { get, set } from "../memory";
import { positivePart, root, slope } from "../smoothing";

export function project(_p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	// What is no number stays so.
	set(y, z0 <= 0 ? 0 : z0);
	set(y + 1, 0 * z1);
	set(y + 2, 0 * z2);
}

export function velocity(_p: i32, u: i32, f: i32): void {
	for (let i: i32 = 0; i < 3; i += 1) set(f + i, get(u + i));
}

export function solve(w: i32, _p: i32, b0: f64, _b1: f64, _b2: f64, r: i32, _scratch: i32): void {
	set(r, b0 >= 0 ? 0 : -b0 / get(w));
	set(r + 1, 0);
	set(r + 2, 0);
}

/** With S = R - F: m_N = -g(-S_N), g the smoothed positive part, m_T = S_T. */
export function residual(_p: i32, omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	const below: f64 = get(u) - get(r);
	const rootOfBelow: f64 = root(below, omega);
	set(c, get(u) - positivePart(below, rootOfBelow, omega));
	set(c + 1, get(r + 1));
	set(c + 2, get(r + 2));
	if (x < 0) return;
	const share: f64 = slope(below, rootOfBelow);
	for (let k: i32 = 0; k < 9; k += 1) {
		set(x + k, k == 0 ? 1 - share : 0);
		set(y + k, k == 0 ? share : k % 4 == 0 ? 1 : 0);
	}
}
