/**
 * What rules for steps ask of M and H, where W = H M^-1 H^T was made of them: norms |.|_1 (the largest sum of a column), and the extreme eigenvalues of M.
 * H has a row for each component of U and a column for each degree of freedom.
 */
import { multiplyCsr } from "./csr.js";
import { extremeEigenvalues } from "./extreme-eigenvalues.js";
import type { CsrMatrix, GlobalForm, Problem, RigidContacts } from "./problem.js";
import { writeUnit } from "./relative-velocity.js";

export interface Masses {
	/** |M|_1. */
	readonly mass: number;
	/** |H|_1. */
	readonly coupling: number;
	readonly smallest: number;
	readonly largest: number;
}

/** Undefined where W alone is known. */
export function massesOf({ rigid, global }: Problem): Masses | undefined {
	if (global) return ofGlobal(global);
	return rigid && ofBodies(rigid);
}

function ofGlobal({ M, H }: GlobalForm): Masses {
	const { smallest, largest } = extremeEigenvalues(M.rows, (x, y) => multiplyCsr(M, x, y));
	// H of a file has the degrees of freedom as rows.
	return { mass: largestRow(M), coupling: largestRow(H), smallest, largest };
}

/** The largest sum of |.| along a row: |.|_1 of a symmetric matrix, and of what this one is the transpose of. */
function largestRow({ rows, rowStart, values }: CsrMatrix): number {
	let largest = 0;
	for (let i = 0; i < rows; i += 1) {
		let sum = 0;
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) sum += Math.abs(values[k]!);
		largest = Math.max(largest, sum);
	}
	return largest;
}

function ofBodies(rigid: RigidContacts): Masses {
	const { body, inverseMass, inverseInertia } = rigid;
	const bodies = inverseMass.length;
	const columns = new Float64Array(6 * bodies);
	const row = new Float64Array(6);
	for (let a = 0; a < body.length / 2; a += 1) {
		for (const side of [0, 1]) {
			const b = body[2 * a + side]!;
			if (b < 0) continue;
			for (let k = 0; k < 3; k += 1) {
				writeUnit(rigid, 2 * a + side, k, row);
				for (let i = 0; i < 6; i += 1) columns[6 * b + i]! += Math.abs(row[i]!);
			}
		}
	}
	let [mass, smallest, largest] = [0, Number.POSITIVE_INFINITY, 0];
	for (let b = 0; b < bodies; b += 1) {
		if (!(inverseMass[b]! > 0)) continue;
		const m = 1 / inverseMass[b]!;
		const inertia = inverseOf(inverseInertia.subarray(6 * b, 6 * b + 6));
		const turning = extremeEigenvalues(3, (x, y) => applySymmetric(inertia, x, y));
		mass = Math.max(mass, m, columnNorm(inertia));
		smallest = Math.min(smallest, m, turning.smallest);
		largest = Math.max(largest, m, turning.largest);
	}
	return { mass, coupling: columns.reduce((most, value) => Math.max(most, value), 0), smallest, largest };
}

/** Symmetric 3x3 matrices as xx, yy, zz, xy, xz, yz. */
type Symmetric = readonly [number, number, number, number, number, number];

function inverseOf([xx, yy, zz, xy, xz, yz]: ArrayLike<number> & Iterable<number>): Symmetric {
	const [a, b, c] = [yy! * zz! - yz! * yz!, xz! * yz! - xy! * zz!, xy! * yz! - xz! * yy!];
	const determinant = xx! * a + xy! * b + xz! * c;
	return [
		a / determinant,
		(xx! * zz! - xz! * xz!) / determinant,
		(xx! * yy! - xy! * xy!) / determinant,
		b / determinant,
		c / determinant,
		(xy! * xz! - xx! * yz!) / determinant,
	];
}

function columnNorm([xx, yy, zz, xy, xz, yz]: Symmetric): number {
	const off = [Math.abs(xy), Math.abs(xz), Math.abs(yz)] as const;
	return Math.max(Math.abs(xx) + off[0] + off[1], Math.abs(yy) + off[0] + off[2], Math.abs(zz) + off[1] + off[2]);
}

function applySymmetric([xx, yy, zz, xy, xz, yz]: Symmetric, x: Float64Array, y: Float64Array): void {
	y[0] = xx * x[0]! + xy * x[1]! + xz * x[2]!;
	y[1] = xy * x[0]! + yy * x[1]! + yz * x[2]!;
	y[2] = xz * x[0]! + yz * x[1]! + zz * x[2]!;
}
