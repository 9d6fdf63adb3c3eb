/** Dense matrices by rows, for tests: slow, plain, and independent of what they check. */
import type { BlockMatrix, CsrMatrix } from "../problem/problem.js";

/** W by rows, 3 rows x 3 rows of it. */
export function denseOf(matrix: BlockMatrix): Float64Array {
	const size = 3 * matrix.rows;
	const dense = new Float64Array(size * size);
	for (let row = 0; row < matrix.rows; row += 1) {
		for (let k = matrix.rowStart[row]!; k < matrix.rowStart[row + 1]!; k += 1) {
			for (let i = 0; i < 9; i += 1) {
				dense[(3 * row + Math.floor(i / 3)) * size + 3 * matrix.column[k]! + (i % 3)] = matrix.values[9 * k + i]!;
			}
		}
	}
	return dense;
}

export function denseOfCsr(matrix: CsrMatrix): Float64Array {
	const dense = new Float64Array(matrix.rows * matrix.columns);
	for (let row = 0; row < matrix.rows; row += 1) {
		for (let k = matrix.rowStart[row]!; k < matrix.rowStart[row + 1]!; k += 1) {
			dense[row * matrix.columns + matrix.column[k]!] = matrix.values[k]!;
		}
	}
	return dense;
}

/** All blocks of a dense matrix, or those for which `keep` says so. */
export function blocksOf(dense: Float64Array, rows: number, keep = (_a: number, _b: number) => true): BlockMatrix {
	const rowStart = new Int32Array(rows + 1);
	const column: number[] = [];
	const values: number[] = [];
	for (let a = 0; a < rows; a += 1) {
		for (let b = 0; b < rows; b += 1) {
			if (!keep(a, b)) continue;
			column.push(b);
			for (let i = 0; i < 9; i += 1) values.push(dense[(3 * a + Math.floor(i / 3)) * 3 * rows + 3 * b + (i % 3)]!);
		}
		rowStart[a + 1] = column.length;
	}
	return { rows, rowStart, column: Int32Array.from(column), values: Float64Array.from(values) };
}

/** The rows of a dense matrix, zeros left out. */
export function csrOf(dense: Float64Array, rows: number, columns: number): CsrMatrix {
	const rowStart = new Int32Array(rows + 1);
	const column: number[] = [];
	for (let row = 0; row < rows; row += 1) {
		for (let j = 0; j < columns; j += 1) if (dense[row * columns + j] !== 0) column.push(j);
		rowStart[row + 1] = column.length;
	}
	const values = new Float64Array(column.length);
	for (let row = 0; row < rows; row += 1) {
		for (let k = rowStart[row]!; k < rowStart[row + 1]!; k += 1) values[k] = dense[row * columns + column[k]!]!;
	}
	return { rows, columns, rowStart, column: Int32Array.from(column), values };
}

/** A x for a dense A with as many columns as x has numbers. */
export function product(dense: Float64Array, x: Float64Array): Float64Array {
	const rows = x.length === 0 ? 0 : dense.length / x.length;
	return Float64Array.from({ length: rows }, (_, i) =>
		x.reduce((sum, value, j) => sum + dense[i * x.length + j]! * value, 0),
	);
}

/** A^-1 b by Gauss with row pivots. */
export function solveDense(dense: Float64Array, b: Float64Array): Float64Array {
	const n = b.length;
	const a = Array.from({ length: n }, (_, i) => [...dense.subarray(i * n, i * n + n), b[i]!]);
	for (let k = 0; k < n; k += 1) {
		let pivot = k;
		for (let i = k + 1; i < n; i += 1) if (Math.abs(a[i]![k]!) > Math.abs(a[pivot]![k]!)) pivot = i;
		[a[k], a[pivot]] = [a[pivot]!, a[k]!];
		for (let i = k + 1; i < n; i += 1) {
			const factor = a[i]![k]! / a[k]![k]!;
			for (let j = k; j <= n; j += 1) a[i]![j]! -= factor * a[k]![j]!;
		}
	}
	const x = new Float64Array(n);
	for (let i = n - 1; i >= 0; i -= 1) {
		let sum = a[i]![n]!;
		for (let j = i + 1; j < n; j += 1) sum -= a[i]![j]! * x[j]!;
		x[i] = sum / a[i]![i]!;
	}
	return x;
}

/** The largest absolute difference over the largest absolute value of `wanted`. */
export function difference(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
	let most = 0;
	let scale = 0;
	for (let i = 0; i < wanted.length; i += 1) {
		most = Math.max(most, Math.abs(found[i]! - wanted[i]!));
		scale = Math.max(scale, Math.abs(wanted[i]!));
	}
	if (found.length !== wanted.length) return Number.NaN;
	return most === 0 ? 0 : most / scale;
}
