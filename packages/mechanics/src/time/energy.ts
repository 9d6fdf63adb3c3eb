/** What bodies have of energy and momentum. */
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Model } from "../bodies/model.js";
import { lame, strainEnergy } from "./elastic.js";

const constants = new Float64Array(2);

/** Of translation and rotation or deformation; what is held has none. */
export function kineticEnergy(bodies: Bodies, i: number): number {
	const { velocity, spin, angularMomentum, mass } = bodies;
	const x = velocity[3 * i]!;
	const y = velocity[3 * i + 1]!;
	const z = velocity[3 * i + 2]!;
	const translation = 0.5 * mass[i]! * (x * x + y * y + z * z);
	if (bodies.kind[i] === KIND.pseudoRigid) return translation + 0.5 * rateSquare(bodies, i);
	let rotation = 0;
	for (let k = 3 * i; k < 3 * i + 3; k += 1) rotation += spin[k]! * angularMomentum[k]!;
	return translation + 0.5 * rotation;
}

/** F' E_0 : F'. */
function rateSquare({ rate, moments }: Bodies, i: number): number {
	const m = 6 * i;
	let sum = 0;
	for (let row = 9 * i; row < 9 * i + 9; row += 3) {
		const [x, y, z] = [rate[row]!, rate[row + 1]!, rate[row + 2]!];
		sum += moments[m]! * x * x + moments[m + 1]! * y * y + moments[m + 2]! * z * z;
		sum += 2 * (moments[m + 3]! * x * y + moments[m + 4]! * x * z + moments[m + 5]! * y * z);
	}
	return sum;
}

/** In the model's gravity, zero at the origin. */
export function potentialEnergy({ gravity }: Model, { position, mass }: Bodies, i: number): number {
	const p = 3 * i;
	return -mass[i]! * (gravity[0]! * position[p]! + gravity[1]! * position[p + 1]! + gravity[2]! * position[p + 2]!);
}

export function elasticEnergy(model: Model, bodies: Bodies, i: number): number {
	if (bodies.kind[i] !== KIND.pseudoRigid) return 0;
	const material = model.materials[bodies.material[i]!]!;
	lame(material, constants);
	const volume = bodies.mass[i]! / material.density!;
	return volume * strainEnergy(bodies.map, 9 * i, constants[0]!, constants[1]!);
}

/** About the origin of the world, to three numbers from `at` on: adds x cross m v and what the body has about its centre. */
export function addAngularMomentum(bodies: Bodies, i: number, out: Float64Array, at = 0): void {
	const { position: x, velocity: v, mass, angularMomentum: L } = bodies;
	const p = 3 * i;
	const m = mass[i]!;
	out[at]! += m * (x[p + 1]! * v[p + 2]! - x[p + 2]! * v[p + 1]!);
	out[at + 1]! += m * (x[p + 2]! * v[p]! - x[p]! * v[p + 2]!);
	out[at + 2]! += m * (x[p]! * v[p + 1]! - x[p + 1]! * v[p]!);
	if (bodies.kind[i] === KIND.rigid) for (let d = 0; d < 3; d += 1) out[at + d]! += L[p + d]!;
	if (bodies.kind[i] === KIND.pseudoRigid) {
		for (let d = 0; d < 3; d += 1) {
			const [e, f] = [(d + 1) % 3, (d + 2) % 3];
			out[at + d]! += weighed(bodies, i, e, f) - weighed(bodies, i, f, e);
		}
	}
}

/** (F E_0 F'^T)_ef. */
function weighed({ map, rate, moments }: Bodies, i: number, e: number, f: number): number {
	const [a, b, m] = [9 * i + 3 * e, 9 * i + 3 * f, 6 * i];
	const [x, y, z] = [map[a]!, map[a + 1]!, map[a + 2]!];
	const [xx, yy, zz] = [moments[m]!, moments[m + 1]!, moments[m + 2]!];
	const [xy, xz, yz] = [moments[m + 3]!, moments[m + 4]!, moments[m + 5]!];
	return (
		rate[b]! * (xx * x + xy * y + xz * z) +
		rate[b + 1]! * (xy * x + yy * y + yz * z) +
		rate[b + 2]! * (xz * x + yz * y + zz * z)
	);
}
