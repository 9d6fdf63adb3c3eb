/**
 * The natural measure, as Siconos 4.4 stops on: | R - proj_K(R - F(R)) | / max(|q|, |R|, |U|). It adds impulses to
 * velocities, so it is taken in the problem's own units: R_a = s_a R'_a and U_a = U'_a / s_a for the scaled R', U'.
 * An equality row adds its residual U_e to the numerator. Three sums: the squares of numerator, |R| and |U|.
 */
import { deposit } from "./bins";
import { project } from "./cone";
import { naturalPairs } from "./cone-pairs";
import { get, set } from "./memory";

/** The terms of the contacts from..to-1 (at most 64), 64 apart: of the squares of numerator, |R| and |U|; e is scratch for three numbers. */
export function naturalValues(
	from: i32,
	to: i32,
	contacts: i32,
	mu: i32,
	s: i32,
	r: i32,
	u: i32,
	e: i32,
	values: i32,
): void {
	const ends: i32 = to < contacts ? to : contacts;
	for (let a: i32 = naturalPairs(from, ends, mu, s, r, u, values); a < to; a += 1) {
		const at: i32 = values + a - from;
		const scale: f64 = get(s + a);
		const inverse: f64 = 1 / scale;
		const u0: f64 = get(u + 3 * a) * inverse;
		const u1: f64 = get(u + 3 * a + 1) * inverse;
		const u2: f64 = get(u + 3 * a + 2) * inverse;
		const velocity: f64 = u0 * u0 + u1 * u1 + u2 * u2;
		if (a >= contacts) {
			set(at, velocity);
			set(at + 64, 0);
			set(at + 128, 0);
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
		set(at, e0 * e0 + e1 * e1 + e2 * e2);
		set(at + 64, r0 * r0 + r1 * r1 + r2 * r2);
		set(at + 128, velocity);
	}
}

/** Adds to three sums, one after another in memory, for the blocks start..end-1; e is scratch for three numbers, `values` for three times 64. */
export function naturalTerms(
	start: i32,
	end: i32,
	contacts: i32,
	mu: i32,
	s: i32,
	r: i32,
	u: i32,
	e: i32,
	values: i32,
	sums: i32,
	table: i32,
): void {
	for (let from: i32 = start; from < end; from += 64) {
		const to: i32 = from + 64 < end ? from + 64 : end;
		naturalValues(from, to, contacts, mu, s, r, u, e, values);
		for (let j: i32 = 0; j < 3; j += 1) deposit(values + 64 * j, to - from, sums + 8 * j, table);
	}
}
