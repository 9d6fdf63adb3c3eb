/**
 * Coulomb's law of a contact that is pressed by a preload at least, an impulse, whether it opens or not,
 *
 *     K = { |R_T| <= mu R_N, R_N >= preload },   F = [U_N + mu |U_T|, U_T]
 *
 * A contact that opens (U_N > 0) has R_N = preload with the friction of that, R_T against U_T up to mu preload; one that does not has Coulomb's law.
 * It is the second phase of Poisson's law of impact (Glocker and Pfeiffer 1995), the preload being what restitution gives back. Zero is not in K.
 *
 * Parameters: mu, preload (0: Coulomb's law itself).
 */
import { coulombVelocity } from "../contact-law";
import { solveLocal } from "../local";
import { get } from "../memory";
import { solvePressed } from "./associated";
import { cutResidual, projectCut } from "./cut-cone";

export function project(p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	projectCut(get(p), get(p + 1), Infinity, z0, z1, z2, y);
}

export function velocity(p: i32, u: i32, f: i32): void {
	coulombVelocity(get(p), u, f);
}

/** A solution of Coulomb's law that is pressed enough is one of this law. */
export function solve(w: i32, p: i32, b0: f64, b1: f64, b2: f64, r: i32, _scratch: i32): void {
	solveLocal(w, get(p), b0, b1, b2, r);
	if (get(r) < get(p + 1)) solvePressed(w, get(p), get(p + 1), b0, b1, b2, r);
}

export function residual(p: i32, omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	cutResidual(get(p), get(p + 1), Infinity, get(p), omega, r, u, c, x, y);
}
