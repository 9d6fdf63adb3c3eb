/** The terms of energy.ts, natural.ts and merit.ts for ranges of contacts with another law than Coulomb's. */
import { deposit } from "./bins";
import { solveBlock } from "./block";
import { PARAMETERS, ROLLING } from "./laws/law";
import { rollingEnergyTerms, rollingMeritTerms, rollingNaturalTerms } from "./laws/rolling-measures";
import { projectOf, residualOf, shiftOf, shiftSign, velocityOf } from "./laws/table";
import { Project, Residual, Velocity } from "./laws/law";
import { get, set } from "./memory";

/** Less <W_aa e, e> of energy, as if all contacts of these laws slid, e = R - proj_K(R - F / w_a), R projected first; e is scratch for six numbers. */
function energyOf(project: Project, velocity: Velocity, p: i32, w: i32, r: i32, u: i32, e: i32): f64 {
	const weight: f64 = 3 / (get(w) + get(w + 4) + get(w + 8));
	project(p, get(r), get(r + 1), get(r + 2), e);
	const r0: f64 = get(e);
	const r1: f64 = get(e + 1);
	const r2: f64 = get(e + 2);
	velocity(p, u, e + 3);
	const f0: f64 = weight * get(e + 3);
	const f1: f64 = weight * get(e + 4);
	const f2: f64 = weight * get(e + 5);
	const s0: f64 = r0 - f0;
	const s1: f64 = r1 - f1;
	const s2: f64 = r2 - f2;
	project(p, s0, s1, s2, e);
	// As energy.ts sums it.
	const e0: f64 = f0 + (s0 - get(e));
	const e1: f64 = f1 + (s1 - get(e + 1));
	const e2: f64 = f2 + (s2 - get(e + 2));
	return -(
		e0 * (get(w) * e0 + get(w + 1) * e1 + get(w + 2) * e2) +
		e1 * (get(w + 3) * e0 + get(w + 4) * e1 + get(w + 5) * e2) +
		e2 * (get(w + 6) * e0 + get(w + 7) * e1 + get(w + 8) * e2)
	);
}

/** Writes energy's terms of the blocks start..end-1, each at its place behind `terms`. */
export function lawEnergyTerms(
	law: i32,
	start: i32,
	end: i32,
	parameters: i32,
	w: i32,
	r: i32,
	u: i32,
	e: i32,
	terms: i32,
): void {
	if (law == ROLLING) {
		rollingEnergyTerms(start, end, parameters, w, r, u, e, terms);
		return;
	}
	const project = projectOf(law);
	const velocity = velocityOf(law);
	for (let a: i32 = start; a < end; a += 1) {
		const p: i32 = parameters + PARAMETERS * a;
		set(terms + a, energyOf(project, velocity, p, w + 9 * a, r + 3 * a, u + 3 * a, e));
	}
}

/** Adds to natural's three sums; parameters are in the problem's units, e is scratch for nine numbers, `values` for three times 64. */
export function lawNaturalTerms(
	law: i32,
	start: i32,
	end: i32,
	parameters: i32,
	s: i32,
	r: i32,
	u: i32,
	e: i32,
	values: i32,
	sums: i32,
	table: i32,
): void {
	if (law == ROLLING) {
		rollingNaturalTerms(start, end, parameters, s, r, u, e, values, sums, table);
		return;
	}
	const project = projectOf(law);
	const velocity = velocityOf(law);
	const shift: i32 = shiftOf(law);
	const sign: f64 = shiftSign(law);
	for (let from: i32 = start; from < end; from += 64) {
		const to: i32 = from + 64 < end ? from + 64 : end;
		for (let a: i32 = from; a < to; a += 1) {
			const p: i32 = parameters + PARAMETERS * a;
			const scale: f64 = get(s + a);
			for (let i: i32 = 0; i < 3; i += 1) set(e + i, get(u + 3 * a + i) / scale);
			const speed: f64 = squares(e);
			velocity(p, e, e + 3);
			const r0: f64 = get(r + 3 * a) * scale;
			const r1: f64 = get(r + 3 * a + 1) * scale;
			const r2: f64 = get(r + 3 * a + 2) * scale;
			project(p, r0 - get(e + 3), r1 - get(e + 4), r2 - get(e + 5), e + 6);
			set(e, r0 - get(e + 6));
			set(e + 1, r1 - get(e + 7));
			set(e + 2, r2 - get(e + 8));
			const normal: f64 = shift < 0 ? r0 : r0 + sign * get(p + shift);
			set(values + a - from, squares(e));
			set(values + 64 + a - from, normal * normal + r1 * r1 + r2 * r2);
			set(values + 128 + a - from, speed);
		}
		for (let j: i32 = 0; j < 3; j += 1) deposit(values + 64 * j, to - from, sums + 8 * j, table);
	}
}

function squares(x: i32): f64 {
	return get(x) * get(x) + get(x + 1) * get(x + 1) + get(x + 2) * get(x + 2);
}

/** <W_aa^-1 C_a, C_a> of merit, in the problem's units; e is scratch for nine numbers. */
function meritOf(residual: Residual, p: i32, s: f64, w: i32, r: i32, u: i32, e: i32): f64 {
	for (let i: i32 = 0; i < 3; i += 1) {
		set(e + i, get(r + i) * s);
		set(e + 3 + i, get(u + i) / s);
	}
	residual(p, 0, e, e + 3, e + 6, -1, -1);
	// W_aa^-1 = s^2 W'_aa^-1: both factors of the form take one s.
	const c0: f64 = s * get(e + 6);
	const c1: f64 = s * get(e + 7);
	const c2: f64 = s * get(e + 8);
	solveBlock(w, c0, c1, c2, e);
	return c0 * get(e) + c1 * get(e + 1) + c2 * get(e + 2);
}

/** Adds the terms of merit's numerator; parameters are in the problem's units, e is scratch for nine numbers, `values` for 64. */
export function lawMeritTerms(
	law: i32,
	start: i32,
	end: i32,
	parameters: i32,
	s: i32,
	w: i32,
	r: i32,
	u: i32,
	e: i32,
	values: i32,
	sum: i32,
	table: i32,
): void {
	if (law == ROLLING) {
		rollingMeritTerms(start, end, parameters, s, w, r, u, e, values, sum, table);
		return;
	}
	const residual = residualOf(law);
	for (let from: i32 = start; from < end; from += 64) {
		const to: i32 = from + 64 < end ? from + 64 : end;
		for (let a: i32 = from; a < to; a += 1) {
			const p: i32 = parameters + PARAMETERS * a;
			set(values + a - from, meritOf(residual, p, get(s + a), w + 9 * a, r + 3 * a, u + 3 * a, e));
		}
		deposit(values, to - from, sum, table);
	}
}
