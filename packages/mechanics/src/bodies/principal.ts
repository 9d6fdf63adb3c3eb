/** The principal axes of rigid bodies where they are, and what follows from them. */
import { multiply, toMatrix } from "../base/quaternions.js";
import type { Bodies } from "./bodies.js";

/** Quaternion and matrix (columns) of the principal axes of body i in the world. */
export function principalAxes(bodies: Bodies, i: number, frame: Float64Array, matrix: Float64Array): void {
	const { orientation, axes, map } = bodies;
	if (axes[4 * i] === 1) {
		// Body axes are principal axes, as in most bodies: the same numbers with less work.
		for (let k = 0; k < 4; k += 1) frame[k] = orientation[4 * i + k]!;
		for (let k = 0; k < 9; k += 1) matrix[k] = map[9 * i + k]!;
		return;
	}
	multiply(frame, 0, orientation, 4 * i, axes, 4 * i);
	toMatrix(frame, 0, matrix, 0);
}

const frame = new Float64Array(4);
const matrix = new Float64Array(9);

/** Of a rigid body from its spin: A diag(inertia) A^T spin. */
export function setAngularMomentum(bodies: Bodies, i: number): void {
	principalAxes(bodies, i, frame, matrix);
	const { spin, inertia, angularMomentum } = bodies;
	angularMomentum.fill(0, 3 * i, 3 * i + 3);
	for (let k = 0; k < 3; k += 1) {
		const along = matrix[k]! * spin[3 * i]! + matrix[3 + k]! * spin[3 * i + 1]! + matrix[6 + k]! * spin[3 * i + 2]!;
		for (let d = 0; d < 3; d += 1) angularMomentum[3 * i + d]! += matrix[3 * d + k]! * (inertia[3 * i + k]! * along);
	}
}

/** spin = I^-1 L, and I^-1 in world axes: xx, yy, zz, xy, xz, yz from `at` on. */
export function setSpin(bodies: Bodies, i: number, inverse: Float64Array, at: number): void {
	const { inertia, angularMomentum: L, spin } = bodies;
	if (bodies.axes[4 * i] === 1) fromDiagonal(bodies.map, 9 * i, inertia, 3 * i, inverse, at);
	else {
		principalAxes(bodies, i, frame, matrix);
		fromDiagonal(matrix, 0, inertia, 3 * i, inverse, at);
	}
	const x = L[3 * i]!;
	const y = L[3 * i + 1]!;
	const z = L[3 * i + 2]!;
	spin[3 * i] = inverse[at]! * x + inverse[at + 3]! * y + inverse[at + 4]! * z;
	spin[3 * i + 1] = inverse[at + 3]! * x + inverse[at + 1]! * y + inverse[at + 5]! * z;
	spin[3 * i + 2] = inverse[at + 4]! * x + inverse[at + 5]! * y + inverse[at + 2]! * z;
}

/** out = A diag(inertia)^-1 A^T, of the matrix from m on and the inertias from v on. */
function fromDiagonal(A: Float64Array, m: number, inertia: Float64Array, v: number, out: Float64Array, o: number) {
	const a = 1 / inertia[v]!;
	const b = 1 / inertia[v + 1]!;
	const c = 1 / inertia[v + 2]!;
	const xx = A[m]!;
	const xy = A[m + 1]!;
	const xz = A[m + 2]!;
	const yx = A[m + 3]!;
	const yy = A[m + 4]!;
	const yz = A[m + 5]!;
	const zx = A[m + 6]!;
	const zy = A[m + 7]!;
	const zz = A[m + 8]!;
	out[o] = a * (xx * xx) + b * (xy * xy) + c * (xz * xz);
	out[o + 1] = a * (yx * yx) + b * (yy * yy) + c * (yz * yz);
	out[o + 2] = a * (zx * zx) + b * (zy * zy) + c * (zz * zz);
	out[o + 3] = a * (xx * yx) + b * (xy * yy) + c * (xz * yz);
	out[o + 4] = a * (xx * zx) + b * (xy * zy) + c * (xz * zz);
	out[o + 5] = a * (yx * zx) + b * (yy * zy) + c * (yz * zz);
}
