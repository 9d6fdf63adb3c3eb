/**
 * How bodies turn at contacts, for the moments of those that roll. A rigid body has its angular velocity; a deformed one turns with half the halfCurl of its
 * motion, w . m = A : (F' F^-1) with A = [m]x / 2, so that a moment m works on the rates F' as A F^-T does.
 */
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Impulses, Velocities } from "../bodies/generalized.js";
import { materialPoint } from "./material-point.js";

const UNITS = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const column = new Float64Array(3);

/** F^-1 by rows. */
export function writeInverseMap(bodies: Bodies, place: number, inverse: Float64Array): void {
	for (let k = 0; k < 3; k += 1) {
		materialPoint(bodies.map, 9 * place, UNITS, 3 * k, column);
		for (let l = 0; l < 3; l += 1) inverse[3 * l + k] = column[l]!;
	}
}

const inverse = new Float64Array(9);

/** Half the halfCurl of the motion whose nine rates by rows stand at `at`, `stride` apart; F^-1 is that of a body. */
export function halfCurl(
	rates: Float64Array,
	at: number,
	stride: number,
	inverse: Float64Array,
	out: Float64Array,
): void {
	const L = (j: number, k: number): number => {
		let sum = 0;
		for (let l = 0; l < 3; l += 1) sum += rates[at + stride * (3 * j + l)]! * inverse[3 * l + k]!;
		return sum;
	};
	out[0] = 0.5 * (L(2, 1) - L(1, 2));
	out[1] = 0.5 * (L(0, 2) - L(2, 0));
	out[2] = 0.5 * (L(1, 0) - L(0, 1));
}

/** The angular velocity of a body. */
export function angularVelocity(bodies: Bodies, { spin, rate }: Velocities, place: number, out: Float64Array): void {
	if (bodies.kind[place] === KIND.pseudoRigid) {
		writeInverseMap(bodies, place, inverse);
		halfCurl(rate, 9 * place, 1, inverse, out);
	} else for (let d = 0; d < 3; d += 1) out[d] = spin[3 * place + d]!;
}

/** Adds A F^-T of the moment to nine numbers. */
export function addCouple(x: number, y: number, z: number, inverse: Float64Array, to: Float64Array, at: number): void {
	for (let l = 0; l < 3; l += 1) {
		const [u, v, w] = [inverse[3 * l]!, inverse[3 * l + 1]!, inverse[3 * l + 2]!];
		to[at + l]! += 0.5 * (y * w - z * v);
		to[at + 3 + l]! += 0.5 * (z * u - x * w);
		to[at + 6 + l]! += 0.5 * (x * v - y * u);
	}
}

/** Adds a moment to what a body gets. */
export function addMoment(bodies: Bodies, { angular, rate }: Impulses, place: number, x: number, y: number, z: number) {
	if (bodies.kind[place] === KIND.pseudoRigid) {
		writeInverseMap(bodies, place, inverse);
		addCouple(x, y, z, inverse, rate, 9 * place);
		return;
	}
	angular[3 * place]! += x;
	angular[3 * place + 1]! += y;
	angular[3 * place + 2]! += z;
}
