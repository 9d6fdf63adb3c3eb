/**
 * What methods ask of the law, for the places from..to-1 of rolling contacts: pairs of blocks, the first of each at from, from + 2, ... Parameters
 * stand with the first block of each; mu_r and mu_s are lengths, so in a scaled system both are multiplied by s_F / s_M, the scales of
 * the two blocks.
 */
import { get, set } from "../memory";
import { projectRolling, rollingVelocity } from "./rolling";
import { PARAMETERS } from "./law";

/** r <- proj_K(r + factor d); d may be absent (< 0). */
export function addProjectedRolling(from: i32, to: i32, p: i32, factor: f64, d: i32, r: i32): void {
	for (let a: i32 = from; a < to; a += 2) {
		if (d >= 0) for (let i: i32 = 3 * a; i < 3 * a + 6; i += 1) set(r + i, get(r + i) + factor * get(d + i));
		projectRolling(p + PARAMETERS * a, r + 3 * a, r + 3 * a);
	}
}

/** f = F(u). */
export function rollingVelocities(from: i32, to: i32, p: i32, u: i32, f: i32): void {
	for (let a: i32 = from; a < to; a += 2) rollingVelocity(p + PARAMETERS * a, u + 3 * a, f + 3 * a);
}
