/**
 * Friction whose normal reaction a cap limits (crushing), with associated plasticity as in Anitescu 2014: the set of reactions is
 * Coulomb's cone cut at the cap, and the plastic velocity -U is in its normal cone,
 *
 *     K = { |R_T| <= mu R_N, R_N <= cap },   F = U
 *
 * Below the cap U_N = mu |U_T| while it slides (the relaxed law); at the cap the contact gives way, U_N - mu |U_T| <= 0.
 *
 * Parameters: mu, cap (infinite: the relaxed law itself).
 */
import { project as projectCone } from "../cone";
import { get, set } from "../memory";
import { solveAssociated } from "./associated";

/**
 * y = proj_K(z). Where the nearest point of the whole cone is below the cap it is the one of K; elsewhere y_N is the cap, and y_T the nearest
 * point of the disc there.
 */
export function project(p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	const mu: f64 = get(p);
	const cap: f64 = get(p + 1);
	projectCone(mu, z0, z1, z2, y);
	if (!(get(y) > cap)) return;
	const radius: f64 = mu * cap;
	const length: f64 = Math.sqrt(z1 * z1 + z2 * z2);
	const factor: f64 = length > radius ? radius / length : 1;
	set(y, cap);
	set(y + 1, factor * z1);
	set(y + 2, factor * z2);
}

/** f = F(U). */
export function velocity(_p: i32, u: i32, f: i32): void {
	set(f, get(u));
	set(f + 1, get(u + 1));
	set(f + 2, get(u + 2));
}

export function solve(w: i32, p: i32, b0: f64, b1: f64, b2: f64, r: i32, _scratch: i32): void {
	solveAssociated(w, get(p), get(p + 1), b0, b1, b2, r);
}

/** C = R - proj_K(R - U) at c; where x >= 0, X = d proj_K at x and Y = I - X at y. Nothing is smoothed by omega. */
export function residual(p: i32, _omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	const mu: f64 = get(p);
	const cap: f64 = get(p + 1);
	const s0: f64 = get(r) - get(u);
	const s1: f64 = get(r + 1) - get(u + 1);
	const s2: f64 = get(r + 2) - get(u + 2);
	project(p, s0, s1, s2, c);
	const normal: f64 = get(c);
	for (let i: i32 = 0; i < 3; i += 1) set(c + i, get(r + i) - get(c + i));
	if (x < 0) return;

	// d proj_K: along N, mixed, and along and across s_T; the identity inside, nothing at the tip, the middle where both meet.
	const length: f64 = Math.sqrt(s1 * s1 + s2 * s2);
	const t1: f64 = length > 0 ? s1 / length : 0;
	const t2: f64 = length > 0 ? s2 / length : 0;
	let n: f64 = normal > 0 ? 1 : s0 == 0 && length == 0 ? 0.5 : 0;
	let mixed: f64 = 0;
	let along: f64 = mu > 0 ? n : 0;
	let across: f64 = along;
	if (normal >= cap) {
		n = 0;
		if (length > mu * cap) {
			along = 0;
			across = (mu * cap) / length;
		}
	} else if (normal > 0 && length > mu * s0) {
		n = 1 / (1 + mu * mu);
		mixed = mu * n;
		along = mu * mixed;
		across = (mu * normal) / length;
	}
	setBlock(x, n, mixed, along, across, t1, t2);
	setBlock(y, 1 - n, -mixed, 1 - along, 1 - across, t1, t2);
}

/** A symmetric block from its numbers along N, mixed, along t and across it. */
function setBlock(at: i32, n: f64, mixed: f64, along: f64, across: f64, t1: f64, t2: f64): void {
	const difference: f64 = along - across;
	set(at, n);
	set(at + 1, mixed * t1);
	set(at + 2, mixed * t2);
	set(at + 3, mixed * t1);
	set(at + 4, across + difference * t1 * t1);
	set(at + 5, difference * t1 * t2);
	set(at + 6, mixed * t2);
	set(at + 7, difference * t1 * t2);
	set(at + 8, across + difference * t2 * t2);
}
