/**
 * Motion of pseudo-rigid bodies (Koziara and Bićanić 2008, eqs. 1-24): F'' E_0 = -V_0 P(F), with nine rates that stand by rows. Damping is `damping` times stiffness, with the
 * part of the stiffness that strains the body: the part that turns stress with the body would brake rotation.
 */
import { InputError } from "@stickslip/core";
import { invertPositive } from "../base/sweep.js";
import { invert } from "../base/symmetric.js";
import type { Bodies } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { addStiffness, addStress, addStressRate, determinant, lame } from "./elastic.js";

const constants = new Float64Array(2);
const force = new Float64Array(9);
const symmetric = new Float64Array(6);
/** A or A^-1 of one body. */
const inverse = new Float64Array(81);

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

/**
 * rate += A^-1 h (f - D rate), and A^-1 itself (9 x 9 by rows); A is M, or with `implicit` M + h D / 2 + h^2 K / 4, whatever the theta of the scheme: forces are
 * those of the contact configuration, and a quarter of what the step changes of its velocities is the only share that neither feeds nor brakes what turns.
 */
export function forceBody(
	model: Model,
	bodies: Bodies,
	i: number,
	h: number,
	implicit: boolean,
	A: Float64Array,
): void {
	const material = model.materials[bodies.material[i]!]!;
	const { map, rate } = bodies;
	const { damping = 0 } = material;
	const volume = bodies.mass[i]! / material.density!;
	lame(material, constants);
	const [lambda, mu] = [constants[0]!, constants[1]!];
	force.fill(0);
	addStress(map, 9 * i, lambda, mu, -volume, force);
	if (damping > 0) addStressRate(map, 9 * i, rate, lambda, mu, -volume * damping, 0, force);
	if (!implicit || !invertImplicit(bodies, i, 0.5 * h, volume, damping)) invertMass(bodies, i);
	const at = 81 * i;
	for (let k = 0; k < 9; k += 1) {
		let sum = 0;
		for (let m = 0; m < 9; m += 1) {
			const entry = inverse[9 * k + m]!;
			A[at + 9 * k + m] = entry;
			sum += entry * force[m]!;
		}
		rate[9 * i + k]! += h * sum;
	}
}

/** Three blocks of the inverse moments. */
function invertMass({ moments }: Bodies, i: number): void {
	invert(moments, 6 * i, symmetric, 0);
	putBlocks(symmetric, 0);
}

/** Three symmetric blocks on the diagonal of `inverse`, and nothing beside them. */
function putBlocks(s: Float64Array, i: number): void {
	inverse.fill(0);
	for (let k = 0; k < 81; k += 30) {
		inverse[k] = s[i]!;
		inverse[k + 10] = s[i + 1]!;
		inverse[k + 20] = s[i + 2]!;
		inverse[k + 1] = s[i + 3]!;
		inverse[k + 9] = s[i + 3]!;
		inverse[k + 2] = s[i + 4]!;
		inverse[k + 18] = s[i + 4]!;
		inverse[k + 11] = s[i + 5]!;
		inverse[k + 19] = s[i + 5]!;
	}
}

/** False where even the part of the stiffness that is never negative gives no positive matrix. */
function invertImplicit({ moments, map }: Bodies, i: number, dt: number, volume: number, damping: number): boolean {
	const lambda = constants[0]!;
	const mu = constants[1]!;
	const stiff = volume * dt * dt;
	const strained = stiff + volume * dt * damping;
	putBlocks(moments, 6 * i);
	addStiffness(map, 9 * i, lambda, mu, strained, stiff, inverse);
	if (invertPositive(inverse)) return true;
	// Under strong pressure the whole stiffness may be negative; then the part that turns stress is left out.
	putBlocks(moments, 6 * i);
	addStiffness(map, 9 * i, lambda, mu, strained, 0, inverse);
	return invertPositive(inverse);
}
