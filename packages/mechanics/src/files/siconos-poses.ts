/** Rotations of plain lists, by quaternions w, x, y, z. */
import { multiply, normalise, toMatrix } from "../base/quaternions.js";
import type { Quaternion, Vector } from "../shapes/shape.js";

/** The rotation b, then a. */
export function times(a: Quaternion, b: Quaternion): Quaternion {
	const product = new Float64Array(4);
	multiply(product, 0, unit(a), 0, unit(b), 0);
	return [product[0]!, product[1]!, product[2]!, product[3]!];
}

export function rotated(q: Quaternion, [x, y, z]: Vector): Vector {
	const m = new Float64Array(9);
	toMatrix(unit(q), 0, m, 0);
	const row = (i: number) => m[i]! * x + m[i + 1]! * y + m[i + 2]! * z;
	return [row(0), row(3), row(6)];
}

export function isIdentity({ position, orientation }: { position: Vector; orientation: Quaternion }): boolean {
	return position.every((x) => x === 0) && Math.abs(orientation[0]) === 1;
}

/** As it is where it cannot be one: whoever uses it refuses it by its place. */
function unit(q: Quaternion): Float64Array {
	const copy = Float64Array.from(q);
	normalise(copy, 0);
	return copy;
}
