/**
 * The energy measure, free of units. For a connected component c of W:
 *
 *     e_a = R_a - proj_K(R_a - F_a / w_a),  w_a = trace(W_aa) / 3,  R projected on K first
 *     E_c^2 = sum_(a in c) <W_aa e_a, e_a> / the same at R = 0        (symmetric parts; components.ts has what replaces a zero)
 *
 * and E is the largest E_c: the error relative to that of no reactions at all. Components in which nothing slides converge fast, and what rests
 * must not creep, so that there a small E_c counts tenfold: 10 E_c / (1 + 9 E_c) below 1. Terms of sliding contacts are written with a minus.
 *
 * e_a is summed as F_a / w_a + (S - proj_K(S)), S = R_a - F_a / w_a: where there is no solution R may grow until F vanishes in S, and R - proj_K(S)
 * would be zero. An equality row adds U_e^2 / R_ee to the numerator. The scaling R / s, s U, s W s leaves every term unchanged, so the
 * kernel needs no scales.
 */
import { project } from "./cone";
import { energyPairs } from "./measure-pairs";
import { get, set } from "./memory";

/**
 * A start with at most this energy error is used even if R = 0 has a smaller one: a step's reactions are a good direction for the next step
 * before they are a good answer. No command defends the value yet: docs/decisions/0053 has what a trial showed.
 */
export const GOOD_START: f64 = 3;

/** Reactions this near to their cone's side slide. */
const SIDE: f64 = 1 - 1e-9;

/** <W_aa e_a, e_a> of one contact, negative if it slides; e is scratch for six numbers. */
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
	const term: f64 =
		e0 * (get(w) * e0 + get(w + 1) * e1 + get(w + 2) * e2) +
		e1 * (get(w + 3) * e0 + get(w + 4) * e1 + get(w + 5) * e2) +
		e2 * (get(w + 6) * e0 + get(w + 7) * e1 + get(w + 8) * e2);
	const most: f64 = SIDE * mu * r0;
	return r0 > 0 && r1 * r1 + r2 * r2 >= most * most ? -term : term;
}

/** U_e^2 / R_ee summed over the rows of an equality block: the same for energy and merit. */
export function equalityEnergy(w: i32, u: i32): f64 {
	return (get(u) * get(u)) / get(w) + (get(u + 1) * get(u + 1)) / get(w + 4) + (get(u + 2) * get(u + 2)) / get(w + 8);
}

/** Writes the terms of the blocks start..end-1, each at its place behind `terms`. */
export function energyTerms(
	start: i32,
	end: i32,
	contacts: i32,
	mu: i32,
	w: i32,
	r: i32,
	u: i32,
	e: i32,
	terms: i32,
): void {
	const ends: i32 = end < contacts ? end : contacts;
	for (let a: i32 = energyPairs(start, ends, mu, w, r, u, e, terms + start); a < end; a += 1) {
		set(
			terms + a,
			a < contacts
				? contactEnergy(get(mu + a), w + 9 * a, r + 3 * a, u + 3 * a, e)
				: equalityEnergy(w + 9 * a, u + 3 * a),
		);
	}
}
