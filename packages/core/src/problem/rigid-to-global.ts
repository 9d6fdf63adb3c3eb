/**
 * The global form of rigid bodies: M v = H r + f, u = H^T v + w, with v six values per body (velocity of the centre, then
 * angular, in world axes). M has the mass on three diagonal entries per body and the 3x3 inertia below them.
 */
import { InputError } from "../base/errors.js";
import type { CsrMatrix, GlobalForm, RigidContacts } from "./problem.js";
import { relativeVelocity, writeUnit } from "./relative-velocity.js";
import { factor } from "./sparse-lu.js";

/**
 * With the free velocity v: f = M v and w = q - H^T M^-1 f, which is zero where nothing else moves. Without: f = 0 and w = q.
 */
export function rigidToGlobal(rigid: RigidContacts, q: Float64Array, freeVelocity?: Float64Array): GlobalForm {
	const M = massMatrix(rigid);
	const H = contactMatrix(rigid);
	if (freeVelocity === undefined) return { M, H, f: new Float64Array(M.rows), w: q.slice() };
	const f = product(M, freeVelocity);
	const u = drivenVelocity(rigid, M, f);
	return { M, H, f, w: q.map((value, k) => value - u[k]!) };
}

/**
 * q of bodies that move freely with these velocities: not H^T v but H^T M^-1 (M v), which differs in the last digits, as the
 * global form holds momenta and no velocities. So a problem has the same bits in memory and read from its file.
 */
export function freeRelativeVelocity(rigid: RigidContacts, freeVelocity: Float64Array): Float64Array {
	const M = massMatrix(rigid);
	return drivenVelocity(rigid, M, product(M, freeVelocity));
}

/** H^T M^-1 f, to the bits of `reduce`. */
function drivenVelocity(rigid: RigidContacts, M: CsrMatrix, f: Float64Array): Float64Array {
	const velocity = f.slice();
	factor(M, "problem", "M").solve(velocity);
	return relativeVelocity(rigid, velocity);
}

function product({ rows, rowStart, column, values }: CsrMatrix, x: Float64Array): Float64Array {
	const y = new Float64Array(rows);
	for (let row = 0; row < rows; row += 1) {
		let sum = 0;
		for (let k = rowStart[row]!; k < rowStart[row + 1]!; k += 1) sum += values[k]! * x[column[k]!]!;
		y[row] = sum;
	}
	return y;
}

function massMatrix({ inverseMass, inverseInertia }: RigidContacts): CsrMatrix {
	const bodies = inverseMass.length;
	const rows = 6 * bodies;
	const rowStart = new Int32Array(rows + 1);
	const column = new Int32Array(12 * bodies);
	const values = new Float64Array(12 * bodies);
	for (let i = 0; i < bodies; i += 1) {
		const inertia = invertSymmetric(inverseInertia, 6 * i, i);
		for (let k = 0; k < 3; k += 1) {
			column[12 * i + k] = 6 * i + k;
			values[12 * i + k] = 1 / inverseMass[i]!;
			rowStart[6 * i + k + 1] = 12 * i + k + 1;
			for (let l = 0; l < 3; l += 1) column[12 * i + 3 + 3 * k + l] = 6 * i + 3 + l;
			rowStart[6 * i + 3 + k + 1] = 12 * i + 3 + 3 * (k + 1);
		}
		values.set(inertia, 12 * i + 3);
		if (!(inverseMass[i]! > 0)) {
			throw new InputError("problem", `body ${i}`, "its inverse mass is not positive", "make it an obstacle (-1)");
		}
	}
	return { rows, columns: rows, rowStart, column, values };
}

/** The inverse of xx, yy, zz, xy, xz, yz as nine values. */
function invertSymmetric(six: Float64Array, offset: number, body: number): number[] {
	const [xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0] = six.subarray(offset, offset + 6);
	const minorX = yy * zz - yz * yz;
	const minorY = xx * zz - xz * xz;
	const minorZ = xx * yy - xy * xy;
	const mixedXy = xz * yz - xy * zz;
	const mixedXz = xy * yz - xz * yy;
	const mixedYz = xy * xz - xx * yz;
	const determinant = xx * minorX + xy * mixedXy + xz * mixedXz;
	if (!(determinant > 0)) {
		throw new InputError("problem", `body ${body}`, "its inverse inertia is singular", "give it a positive inertia");
	}
	return [minorX, mixedXy, mixedXz, mixedXy, minorY, mixedYz, mixedXz, mixedYz, minorZ].map((v) => v / determinant);
}

/** H, degrees of freedom x 3 contacts, by rows; each row's columns ascend because contacts are taken in order. */
function contactMatrix(rigid: RigidContacts): CsrMatrix {
	const { body, inverseMass } = rigid;
	const rows = 6 * inverseMass.length;
	const columns = 3 * (body.length / 2);
	const rowStart = new Int32Array(rows + 1);
	for (const id of body) {
		if (id < 0) continue;
		for (let k = 0; k < 6; k += 1) rowStart[6 * id + k + 1]! += 3;
	}
	for (let row = 0; row < rows; row += 1) rowStart[row + 1]! += rowStart[row]!;
	const next = rowStart.slice(0, rows);
	const column = new Int32Array(rowStart[rows]!);
	const values = new Float64Array(rowStart[rows]!);
	const put = (row: number, col: number, value: number) => {
		const at = next[row]!;
		column[at] = col;
		values[at] = value;
		next[row] = at + 1;
	};
	const wrench = new Float64Array(6);
	for (let side = 0; side < body.length; side += 1) {
		const id = body[side]!;
		if (id < 0) continue;
		for (let i = 0; i < 3; i += 1) {
			writeUnit(rigid, side, i, wrench);
			for (let d = 0; d < 6; d += 1) put(6 * id + d, 3 * (side >> 1) + i, wrench[d]!);
		}
	}
	return { rows, columns, rowStart, column, values };
}
