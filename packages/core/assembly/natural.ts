/**
 * The natural measure, as Siconos 4.4 stops on: | R - proj_K(R - F(R)) | / max(|q|, |R|, |U|). It adds impulses to
 * velocities, so it is taken in the problem's own units: R_a = s_a R'_a and U_a = U'_a / s_a for the scaled R', U'.
 * An equality row adds its residual U_e to the numerator. Leaf partials: the squares of numerator, |R| and |U|.
 */
import { project } from "./cone";
import { get, set } from "./memory";

export function naturalLeaves(
	blocks: i32,
	contacts: i32,
	mu: i32,
	s: i32,
	r: i32,
	u: i32,
	e: i32,
	partials: i32,
): void {
	let leaf: i32 = 0;
	for (let from: i32 = 0; from < blocks; from += 64) {
		const to: i32 = from + 64 < blocks ? from + 64 : blocks;
		let residual: f64 = 0;
		let reaction: f64 = 0;
		let velocity: f64 = 0;
		for (let a: i32 = from; a < to; a += 1) {
			const scale: f64 = get(s + a);
			const inverse: f64 = 1 / scale;
			const u0: f64 = get(u + 3 * a) * inverse;
			const u1: f64 = get(u + 3 * a + 1) * inverse;
			const u2: f64 = get(u + 3 * a + 2) * inverse;
			if (a >= contacts) {
				residual += u0 * u0 + u1 * u1 + u2 * u2;
				continue;
			}
			const friction: f64 = get(mu + a);
			const r0: f64 = get(r + 3 * a) * scale;
			const r1: f64 = get(r + 3 * a + 1) * scale;
			const r2: f64 = get(r + 3 * a + 2) * scale;
			project(friction, r0 - u0 - friction * Math.sqrt(u1 * u1 + u2 * u2), r1 - u1, r2 - u2, e);
			const e0: f64 = r0 - get(e);
			const e1: f64 = r1 - get(e + 1);
			const e2: f64 = r2 - get(e + 2);
			residual += e0 * e0 + e1 * e1 + e2 * e2;
			reaction += r0 * r0 + r1 * r1 + r2 * r2;
			velocity += u0 * u0 + u1 * u1 + u2 * u2;
		}
		set(partials + 3 * leaf, residual);
		set(partials + 3 * leaf + 1, reaction);
		set(partials + 3 * leaf + 2, velocity);
		leaf += 1;
	}
}
