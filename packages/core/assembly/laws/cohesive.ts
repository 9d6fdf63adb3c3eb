/**
 * Coulomb's law with a cohesion c, an impulse: R + c e_N in K = { |R_T| <= mu R_N }, F = [U_N + mu |U_T|, U_T]. With R' = R + c e_N and
 * q' = q - W c e_N it is Coulomb's, exactly; R is kept as it is, and shifted where the law is asked. A contact that opens pulls with c.
 */
import { project as projectOnCone } from "../cone";
import { coulombVelocity } from "../contact-law";
import { solveLocal } from "../local";
import { get, set } from "../memory";
import { contactResidual } from "../smoothing";

export function project(p: i32, z0: f64, z1: f64, z2: f64, y: i32): void {
	const cohesion: f64 = get(p + 1);
	projectOnCone(get(p), z0 + cohesion, z1, z2, y);
	set(y, get(y) - cohesion);
}

export function velocity(p: i32, u: i32, f: i32): void {
	coulombVelocity(get(p), u, f);
}

export function solve(w: i32, p: i32, b0: f64, b1: f64, b2: f64, r: i32, _scratch: i32): void {
	const cohesion: f64 = get(p + 1);
	solveLocal(w, get(p), b0 - get(w) * cohesion, b1 - get(w + 3) * cohesion, b2 - get(w + 6) * cohesion, r);
	set(r, get(r) - cohesion);
}

export function residual(p: i32, omega: f64, r: i32, u: i32, c: i32, x: i32, y: i32): void {
	const normal: f64 = get(r);
	set(r, normal + get(p + 1));
	contactResidual(get(p), get(p), omega, r, u, c, x, y);
	set(r, normal);
}
