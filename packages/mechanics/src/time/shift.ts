/** Moves bodies without giving them velocity. */
import { fromRotationVector, multiply, normalise, toMatrix } from "../base/quaternions.js";
import { type Bodies, KIND } from "../bodies/bodies.js";
import type { Impulses, InverseMasses } from "../bodies/generalized.js";
import type { Model } from "../bodies/model.js";

/**
 * Moves own bodies by their inverse masses times `impulses`, which are masses times displacements here. No point of a body moves farther than `limit`: what
 * is wedged between walls may have impulses that grow without bound.
 */
export function shiftBodies(
	model: Model,
	bodies: Bodies,
	{ mass, inertia, rate }: InverseMasses,
	impulses: Impulses,
	limit: number,
): void {
	const { position, map, obstacles, own, isHeld, kind } = bodies;
	const { linear, angular } = impulses;
	for (let i = obstacles; i < obstacles + own; i += 1) {
		if (isHeld[i] === 1) continue;
		for (let d = 0; d < 3; d += 1) step[d] = mass[i]! * linear[3 * i + d]!;
		const isDeformed = kind[i] === KIND.pseudoRigid;
		if (isDeformed) multiplyRate(rate, 81 * i, impulses.rate, 9 * i);
		else multiplySymmetric(inertia, 6 * i, angular, 3 * i);
		const { reach } = model.shapes[bodies.shape[i]!]!;
		const way = length(step, 3) + reach * (isDeformed ? length(strain, 9) : length(turn, 3));
		if (!(way > 0 && way < Number.POSITIVE_INFINITY)) continue;
		const scale = Math.min(1, limit / way);
		for (let d = 0; d < 3; d += 1) position[3 * i + d]! += scale * step[d]!;
		if (isDeformed) for (let k = 0; k < 9; k += 1) map[9 * i + k]! += scale * strain[k]!;
		else turnBody(bodies, i, scale);
	}
}

const step = new Float64Array(3);
const turn = new Float64Array(3);
const strain = new Float64Array(9);
const quaternion = new Float64Array(4);

function turnBody({ orientation, map }: Bodies, i: number, scale: number): void {
	for (let d = 0; d < 3; d += 1) turn[d]! *= scale;
	fromRotationVector(turn, quaternion, 0);
	multiply(orientation, 4 * i, quaternion, 0, orientation, 4 * i);
	normalise(orientation, 4 * i);
	toMatrix(orientation, 4 * i, map, 9 * i);
}

/** Writes the product of a symmetric matrix (xx, yy, zz, xy, xz, yz) with a vector to `turn`. */
function multiplySymmetric(matrix: Float64Array, m: number, vector: Float64Array, v: number): void {
	const x = vector[v]!;
	const y = vector[v + 1]!;
	const z = vector[v + 2]!;
	turn[0] = matrix[m]! * x + matrix[m + 3]! * y + matrix[m + 4]! * z;
	turn[1] = matrix[m + 3]! * x + matrix[m + 1]! * y + matrix[m + 5]! * z;
	turn[2] = matrix[m + 4]! * x + matrix[m + 5]! * y + matrix[m + 2]! * z;
}

/** Writes the product of a 9x9 matrix with nine numbers to `strain`. */
function multiplyRate(matrix: Float64Array, m: number, vector: Float64Array, v: number): void {
	for (let row = 0; row < 9; row += 1) {
		let sum = 0;
		for (let k = 0; k < 9; k += 1) sum += matrix[m + 9 * row + k]! * vector[v + k]!;
		strain[row] = sum;
	}
}

function length(values: Float64Array, count: number): number {
	let squares = 0;
	for (let k = 0; k < count; k += 1) squares += values[k]! * values[k]!;
	return Math.sqrt(squares);
}
