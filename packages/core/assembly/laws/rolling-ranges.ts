/**
 * What methods ask of the law, for the places from..to-1 of rolling contacts: pairs of blocks, the first of each at from, from + 2, ...
 * Parameters stand PARAMETERS apart, those of a pair with its first block; a scaled system has mu_r s_F / s_M for mu_r, and mu_s alike, where
 * s_F and s_M are the scales of the two blocks.
 */
import { get, set } from "../memory";
import { projectRolling, rollingVelocity } from "./rolling";

/** Numbers of parameters per block. */
export const PARAMETERS: i32 = 8;

/** r <- proj_K(r + factor d); d may be absent (< 0). work is scratch for six numbers. */
export function addProjectedRolling(from: i32, to: i32, p: i32, factor: f64, d: i32, r: i32, work: i32): void {
	for (let a: i32 = from; a < to; a += 2) {
		for (let i: i32 = 0; i < 6; i += 1) {
			set(work + i, d < 0 ? get(r + 3 * a + i) : get(r + 3 * a + i) + factor * get(d + 3 * a + i));
		}
		projectRolling(p + PARAMETERS * a, work, r + 3 * a);
	}
}

/** f = F(u). */
export function rollingVelocities(from: i32, to: i32, p: i32, u: i32, f: i32): void {
	for (let a: i32 = from; a < to; a += 2) rollingVelocity(p + PARAMETERS * a, u + 3 * a, f + 3 * a);
}
