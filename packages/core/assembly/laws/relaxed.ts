/**
 * The convex relaxation of Coulomb's law (Anitescu; papers of the DVI methods): its cone K = { |R_T| <= mu R_N } with F = U, so that U is in the
 * dual cone, orthogonal to R. A contact that slides also opens, with U_N = mu |U_T|.
 */
import { project as projectOnCone } from "../cone";
import { get, set } from "../memory";
import { contactResidual } from "../smoothing";
import { solveAssociated } from "./associated";

export function project(p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	projectOnCone(get(p), z0, z1, z2, y);
}

export function velocity(_p: i32, u: i32, f: i32): void {
	for (let i: i32 = 0; i < 3; i += 1) set(f + i, get(u + i));
}

export function residual(p: i32, omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	contactResidual(get(p), 0, omega, r, u, c, x, y);
}

export function solve(w: i32, p: i32, b0: f64, b1: f64, b2: f64, r: i32, _scratch: i32): void {
	solveAssociated(w, get(p), Infinity, b0, b1, b2, r);
}
