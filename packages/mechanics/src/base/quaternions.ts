/** Unit quaternions (w, x, y, z) in typed arrays, and the rotations that they stand for: x -> q x q*. */
import { sineCosine } from "./elementary.js";

/** out = a b: the rotation b, then a. `out` may be one of the two. */
export function multiply(out: Float64Array, o: number, a: Float64Array, i: number, b: Float64Array, j: number): void {
	const aw = a[i]!;
	const ax = a[i + 1]!;
	const ay = a[i + 2]!;
	const az = a[i + 3]!;
	const bw = b[j]!;
	const bx = b[j + 1]!;
	const by = b[j + 2]!;
	const bz = b[j + 3]!;
	out[o] = aw * bw - ax * bx - ay * by - az * bz;
	out[o + 1] = aw * bx + ax * bw + ay * bz - az * by;
	out[o + 2] = aw * by + ay * bw + az * bx - ax * bz;
	out[o + 3] = aw * bz + az * bw + ax * by - ay * bx;
}

/** Makes it a unit quaternion; false where it is zero or not finite. */
export function normalise(q: Float64Array, i: number): boolean {
	const square = q[i]! * q[i]! + q[i + 1]! * q[i + 1]! + q[i + 2]! * q[i + 2]! + q[i + 3]! * q[i + 3]!;
	if (!(square > 0 && square < Number.POSITIVE_INFINITY)) return false;
	const scale = 1 / Math.sqrt(square);
	q[i]! *= scale;
	q[i + 1]! *= scale;
	q[i + 2]! *= scale;
	q[i + 3]! *= scale;
	return true;
}

/** The rotation matrix by rows. */
export function toMatrix(q: Float64Array, i: number, map: Float64Array, m: number): void {
	const w = q[i]!;
	const x = q[i + 1]!;
	const y = q[i + 2]!;
	const z = q[i + 3]!;
	map[m] = 1 - 2 * (y * y + z * z);
	map[m + 1] = 2 * (x * y - w * z);
	map[m + 2] = 2 * (x * z + w * y);
	map[m + 3] = 2 * (x * y + w * z);
	map[m + 4] = 1 - 2 * (x * x + z * z);
	map[m + 5] = 2 * (y * z - w * x);
	map[m + 6] = 2 * (x * z - w * y);
	map[m + 7] = 2 * (y * z + w * x);
	map[m + 8] = 1 - 2 * (x * x + y * y);
}

const angle = new Float64Array(2);

/** The exponential map: the rotation by |(x, y, z)| about (x, y, z), the first three numbers of `vector`. */
export function fromRotationVector(vector: Float64Array, q: Float64Array, i: number): void {
	const x = vector[0]!;
	const y = vector[1]!;
	const z = vector[2]!;
	const square = 0.25 * (x * x + y * y + z * z);
	let share: number;
	if (square < 1e-4) {
		// Series of sin(a) / a and cos(a) for the half angle a; the next terms are below 1e-20.
		share = 0.5 * (1 + square * (-1 / 6 + square * (1 / 120 + square * (-1 / 5040 + square / 362880))));
		q[i] = 1 + square * (-1 / 2 + square * (1 / 24 + square * (-1 / 720 + square / 40320)));
	} else {
		const half = Math.sqrt(square);
		angle[0] = half;
		sineCosine(angle);
		share = (0.5 * angle[0]!) / half;
		q[i] = angle[1]!;
	}
	q[i + 1] = share * x;
	q[i + 2] = share * y;
	q[i + 3] = share * z;
}
