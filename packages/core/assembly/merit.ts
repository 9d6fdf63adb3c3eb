/**
 * The merit of Koziara 2017, eq. 40: g = sum <W_aa^-1 C_a, C_a> / sum <W_aa^-1 q_a, q_a>, C = F + m(R - F) unsmoothed. C adds a
 * velocity to an impulse, so it is taken in the problem's own units: R_a = s_a R'_a, U_a = U'_a / s_a, W_aa = W'_aa / s_a^2.
 * An equality row adds U_e^2 / R_ee.
 */
import { deposit } from "./bins";
import { solveBlock } from "./block";
import { equalityEnergy } from "./energy";
import { meritPairs } from "./measure-pairs";
import { get, set } from "./memory";
import { contactResidual } from "./smoothing";

/** <W_aa^-1 C_a, C_a> of one contact with scale s; e is scratch for nine numbers. */
function contactMerit(mu: f64, s: f64, w: i32, r: i32, u: i32, e: i32): f64 {
	for (let i: i32 = 0; i < 3; i += 1) {
		set(e + i, get(r + i) * s);
		set(e + 3 + i, get(u + i) / s);
	}
	contactResidual(mu, mu, 0, e, e + 3, e + 6, -1, -1);
	// W_aa^-1 = s^2 W'_aa^-1: both factors of the form take one s.
	const c0: f64 = s * get(e + 6);
	const c1: f64 = s * get(e + 7);
	const c2: f64 = s * get(e + 8);
	solveBlock(w, c0, c1, c2, e);
	return c0 * get(e) + c1 * get(e + 1) + c2 * get(e + 2);
}

/** Adds the terms of the numerator to a sum, for the blocks start..end-1; e is scratch for nine numbers, `values` for 64. */
export function meritTerms(
	start: i32,
	end: i32,
	contacts: i32,
	mu: i32,
	s: i32,
	w: i32,
	r: i32,
	u: i32,
	e: i32,
	values: i32,
	sum: i32,
	table: i32,
): void {
	for (let from: i32 = start; from < end; from += 64) {
		const to: i32 = from + 64 < end ? from + 64 : end;
		const ends: i32 = to < contacts ? to : contacts;
		for (let a: i32 = meritPairs(from, ends, mu, s, w, r, u, values); a < to; a += 1) {
			set(
				values + a - from,
				a < contacts
					? contactMerit(get(mu + a), get(s + a), w + 9 * a, r + 3 * a, u + 3 * a, e)
					: equalityEnergy(w + 9 * a, u + 3 * a),
			);
		}
		deposit(values, to - from, sum, table);
	}
}
