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
import { get, set } from "../memory";
import { solveAssociated } from "./associated";
import { cutResidual, projectCut } from "./cut-cone";

/** y = proj_K(z). */
export function project(p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	projectCut(get(p), 0, get(p + 1), z0, z1, z2, y);
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

/** Nothing is smoothed by omega. */
export function residual(p: i32, _omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	cutResidual(get(p), 0, get(p + 1), 0, 0, r, u, c, x, y);
}
