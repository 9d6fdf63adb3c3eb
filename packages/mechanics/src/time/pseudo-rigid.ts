/**
 * Motion of pseudo-rigid bodies (Koziara and Bićanić 2008, eqs. 1-24): F'' E_0 = -V_0 P(F), with nine rates that stand by rows. Damping is `damping` times stiffness, with the
 * part of the stiffness that strains the body: the part that turns stress with the body would brake rotation.
 */
import { InputError } from "@stickslip/core";
import { invertPositive } from "../base/cholesky.js";
import { invert } from "../base/symmetric.js";
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { addStiffness, addStress, addStressRate, determinant, lame } from "./elastic.js";

const constants = new Float64Array(2);
const force = new Float64Array(9);
const inverse = new Float64Array(6);

/** Places of a symmetric matrix of three rows in its six numbers. */
const PLACE = [0, 3, 4, 3, 1, 5, 4, 5, 2];

/** Moves body i for the time dt. */
export function deformBody(bodies: Bodies, i: number, dt: number, t: number): void {
	const { map, rate } = bodies;
	for (let k = 9 * i; k < 9 * i + 9; k += 1) map[k]! += dt * rate[k]!;
	const volume = determinant(map, 9 * i);
	if (!(volume > 0 && volume < Number.POSITIVE_INFINITY)) {
		throw new InputError(
			"simulation",
			`body ${bodies.id[i]} at t = ${t}`,
			"it is turned inside out: the determinant of its deformation gradient is not above zero",
			"take a smaller step, or a stiffer or more damped material",
		);
	}
}

/** rate += A^-1 h (f - D rate), and A^-1 itself (9 x 9 by rows); A is M, or with `implicit` M + theta h D + theta^2 h^2 K. */
export function forceBody(
	model: Model,
	bodies: Bodies,
	i: number,
	h: number,
	theta: number,
	implicit: boolean,
	A: Float64Array,
): void {
	const material = model.materials[bodies.material[i]!]!;
	const { map, rate } = bodies;
	const { damping = 0 } = material;
	const volume = bodies.mass[i]! / material.density;
	lame(material, constants);
	const [lambda, mu] = [constants[0]!, constants[1]!];
	force.fill(0);
	addStress(map, 9 * i, lambda, mu, -volume, force);
	// The contact configuration lies theta h u after the start only in schemes of order 2: what is missing comes linearly.
	const ahead = implicit ? (2 * theta - 1) * h : 0;
	if (damping > 0 || ahead > 0) {
		addStressRate(map, 9 * i, rate, lambda, mu, -volume * (damping + ahead), -volume * ahead, force);
	}
	const at = 81 * i;
	if (!implicit || !invertImplicit(bodies, i, h * theta, volume, damping, A)) invertMass(bodies, i, A);
	for (let k = 0; k < 9; k += 1) {
		let sum = 0;
		for (let m = 0; m < 9; m += 1) sum += A[at + 9 * k + m]! * force[m]!;
		rate[9 * i + k]! += h * sum;
	}
}

/** Three blocks of the inverse moments. */
function invertMass(bodies: Bodies, i: number, A: Float64Array): void {
	invert(bodies.moments, 6 * i, inverse, 0);
	const at = 81 * i;
	A.fill(0, at, at + 81);
	for (let k = 0; k < 9; k += 3) {
		for (let m = 0; m < 9; m += 1) A[at + 9 * (k + Math.floor(m / 3)) + k + (m % 3)] = inverse[PLACE[m]!]!;
	}
}

/** False where even the part of the stiffness that is never negative gives no positive matrix. */
function invertImplicit(
	bodies: Bodies,
	i: number,
	dt: number,
	volume: number,
	damping: number,
	A: Float64Array,
): boolean {
	const { moments, map } = bodies;
	const [lambda, mu] = [constants[0]!, constants[1]!];
	const at = 81 * i;
	const stiff = volume * dt * dt;
	for (const geometric of [stiff, 0]) {
		A.fill(0, at, at + 81);
		for (let k = 0; k < 9; k += 3) {
			for (let m = 0; m < 9; m += 1) A[at + 9 * (k + Math.floor(m / 3)) + k + (m % 3)] = moments[6 * i + PLACE[m]!]!;
		}
		addStiffness(map, 9 * i, lambda, mu, stiff + volume * dt * damping, geometric, A, at);
		// Under strong pressure the whole stiffness may be negative; then the part that turns stress is left out.
		if (invertPositive(A, at, 9)) return true;
	}
	return false;
}
