/** One projected step of a contact on its own: what the fixed-point form of Anitescu 2014 does in place of an exact local solve. */
import { project } from "./cone";
import { get, set } from "./memory";

/** R <- proj_K(R - omega B F(U)),  B = 3 / trace(W_aa); U is the contact's velocity, w its diagonal block. */
export function projectedStep(w: i32, mu: f64, omega: f64, u0: f64, u1: f64, u2: f64, r: i32): void {
	const length: f64 = stepLength(w, omega);
	const normal: f64 = u0 + mu * Math.sqrt(u1 * u1 + u2 * u2);
	project(mu, get(r) - length * normal, get(r + 1) - length * u1, get(r + 2) - length * u2, r);
}

/** The same of an equality block, which is free. */
export function freeStep(w: i32, omega: f64, u0: f64, u1: f64, u2: f64, r: i32): void {
	const length: f64 = stepLength(w, omega);
	set(r, get(r) - length * u0);
	set(r + 1, get(r + 1) - length * u1);
	set(r + 2, get(r + 2) - length * u2);
}

/** omega B */
export function stepLength(w: i32, omega: f64): f64 {
	return (3 * omega) / (get(w) + get(w + 4) + get(w + 8));
}
