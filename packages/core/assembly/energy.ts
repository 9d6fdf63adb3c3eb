/**
 * The energy measure, free of units:
 *
 *     e_a = R_a - proj_K(R_a - F_a / w_a),  w_a = trace(W_aa) / 3,  R projected on K first
 *     E^2 = sum <W_aa e_a, e_a> / sum <W_aa^-1 q_a, q_a>      (symmetric parts; src/measures/denominator.ts has what replaces a zero)
 *
 * e_a is summed as F_a / w_a + (S - proj_K(S)), S = R_a - F_a / w_a: where there is no solution R may grow until F vanishes in S, and R - proj_K(S)
 * would be zero. An equality row adds U_e^2 / R_ee to the numerator. The scaling R / s, s U, s W s leaves every term as it is, so the
 * kernel needs no scales.
 */
import { deposit } from "./bins";
import { project } from "./cone";
import { energyPairs } from "./measure-pairs";
import { get, set } from "./memory";

/** A start with no larger error is used, whatever that of zero is: on the way of a step to the next it needs fewer sweeps, also where zero has the smaller error. */
export const GOOD_START: f64 = 0.5;

/** <W_aa e_a, e_a> of one contact; e is scratch for six numbers. */
function contactEnergy(mu: f64, w: i32, r: i32, u: i32, e: i32): f64 {
	const weight: f64 = 3 / (get(w) + get(w + 4) + get(w + 8));
	project(mu, get(r), get(r + 1), get(r + 2), e);
	const r0: f64 = get(e);
	const r1: f64 = get(e + 1);
	const r2: f64 = get(e + 2);
	const u1: f64 = get(u + 1);
	const u2: f64 = get(u + 2);
	const f0: f64 = get(u) + mu * Math.sqrt(u1 * u1 + u2 * u2);
	const d0: f64 = weight * f0;
	const d1: f64 = weight * u1;
	const d2: f64 = weight * u2;
	const s0: f64 = r0 - d0;
	const s1: f64 = r1 - d1;
	const s2: f64 = r2 - d2;
	project(mu, s0, s1, s2, e);
	const e0: f64 = d0 + (s0 - get(e));
	const e1: f64 = d1 + (s1 - get(e + 1));
	const e2: f64 = d2 + (s2 - get(e + 2));
	return (
		e0 * (get(w) * e0 + get(w + 1) * e1 + get(w + 2) * e2) +
		e1 * (get(w + 3) * e0 + get(w + 4) * e1 + get(w + 5) * e2) +
		e2 * (get(w + 6) * e0 + get(w + 7) * e1 + get(w + 8) * e2)
	);
}

/** U_e^2 / R_ee summed over the rows of an equality block: the same for energy and merit. */
export function equalityEnergy(w: i32, u: i32): f64 {
	return (get(u) * get(u)) / get(w) + (get(u + 1) * get(u + 1)) / get(w + 4) + (get(u + 2) * get(u + 2)) / get(w + 8);
}

/** Adds the terms of the numerator to a sum, for the blocks start..end-1; `values` is scratch for 64. */
export function energyTerms(
	start: i32,
	end: i32,
	contacts: i32,
	mu: i32,
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
		for (let a: i32 = energyPairs(from, ends, mu, w, r, u, e, values); a < to; a += 1) {
			set(
				values + a - from,
				a < contacts
					? contactEnergy(get(mu + a), w + 9 * a, r + 3 * a, u + 3 * a, e)
					: equalityEnergy(w + 9 * a, u + 3 * a),
			);
		}
		deposit(values, to - from, sum, table);
	}
}
