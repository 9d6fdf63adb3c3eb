/** What newton.ts and contact-law.ts do for Coulomb's law, for ranges of contacts with another one; parameters has PARAMETERS numbers for each block. */
import { PARAMETERS, ROLLING } from "./laws/law";
import { addProjectedRolling, rollingVelocities } from "./laws/rolling-ranges";
import { projectOf, residualOf, velocityOf } from "./laws/table";
import { get, set } from "./memory";
import { blockProduct, invertDiagonal } from "./newton";

/** r <- proj_K(r + factor d); d may be absent (< 0). */
export function lawProject(law: i32, from: i32, to: i32, parameters: i32, factor: f64, d: i32, r: i32): void {
	if (law == ROLLING) {
		addProjectedRolling(from, to, parameters, factor, d, r);
		return;
	}
	const project = projectOf(law);
	for (let a: i32 = from; a < to; a += 1) {
		let r0: f64 = get(r + 3 * a);
		let r1: f64 = get(r + 3 * a + 1);
		let r2: f64 = get(r + 3 * a + 2);
		if (d >= 0) {
			r0 += factor * get(d + 3 * a);
			r1 += factor * get(d + 3 * a + 1);
			r2 += factor * get(d + 3 * a + 2);
		}
		project(parameters + PARAMETERS * a, r0, r1, r2, r + 3 * a);
	}
}

/** f <- F(u) */
export function lawVelocities(law: i32, from: i32, to: i32, parameters: i32, u: i32, f: i32): void {
	if (law == ROLLING) {
		rollingVelocities(from, to, parameters, u, f);
		return;
	}
	const velocity = velocityOf(law);
	for (let a: i32 = from; a < to; a += 1) velocity(parameters + PARAMETERS * a, u + 3 * a, f + 3 * a);
}

/** C, and X, Y where x >= 0. */
export function lawLinearise(
	law: i32,
	from: i32,
	to: i32,
	parameters: i32,
	omega: f64,
	r: i32,
	u: i32,
	c: i32,
	x: i32,
	y: i32,
): void {
	const residual = residualOf(law);
	for (let a: i32 = from; a < to; a += 1) {
		const p: i32 = parameters + PARAMETERS * a;
		residual(p, omega, r + 3 * a, u + 3 * a, c + 3 * a, x < 0 ? -1 : x + 9 * a, y + 9 * a);
	}
}

/** d <- (1 - theta) d - theta A_aa^-1 C_a; work is scratch for 30 numbers. */
export function lawDiagonalStep(
	law: i32,
	from: i32,
	to: i32,
	parameters: i32,
	omega: f64,
	theta: f64,
	w: i32,
	r: i32,
	u: i32,
	d: i32,
	work: i32,
): void {
	const residual = residualOf(law);
	const y: i32 = work + 9;
	const inverse: i32 = work + 18;
	const c: i32 = work + 27;
	for (let a: i32 = from; a < to; a += 1) {
		residual(parameters + PARAMETERS * a, omega, r + 3 * a, u + 3 * a, c, work, y);
		invertDiagonal(0, 1, 0, 0, w + 9 * a, work, y, inverse);
		blockProduct(0, 1, inverse, c, work);
		for (let i: i32 = 3 * a; i < 3 * a + 3; i += 1) {
			set(d + i, (1 - theta) * get(d + i) - theta * get(work + i - 3 * a));
		}
	}
}
