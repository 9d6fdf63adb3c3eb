/**
 * Sparse matrices by entries. Every sum has a fixed order (entries of a row by ascending column, duplicates as they came), so
 * the same matrix gives the same bits whatever form it was stored in.
 */
import type { CsrMatrix } from "./problem.js";

export interface Triplets {
	readonly row: Int32Array;
	readonly column: Int32Array;
	readonly values: Float64Array;
}

/** The transpose, with ascending columns in each row: a counting sort, so linear in entries, rows and columns. */
export function transposeCsr(matrix: CsrMatrix): CsrMatrix {
	const { rows, columns } = matrix;
	const used = matrix.rowStart[rows] ?? 0;
	const rowStart = new Int32Array(columns + 1);
	for (let k = 0; k < used; k += 1) rowStart[matrix.column[k]! + 1]! += 1;
	for (let c = 0; c < columns; c += 1) rowStart[c + 1]! += rowStart[c]!;
	const next = rowStart.slice(0, columns);
	const column = new Int32Array(used);
	const values = new Float64Array(used);
	for (let row = 0; row < rows; row += 1) {
		const end = matrix.rowStart[row + 1]!;
		for (let k = matrix.rowStart[row]!; k < end; k += 1) {
			const at = next[matrix.column[k]!]!;
			next[matrix.column[k]!] = at + 1;
			column[at] = row;
			values[at] = matrix.values[k]!;
		}
	}
	return { rows: columns, columns: rows, rowStart, column, values };
}

/** The same matrix with ascending columns in each row; itself when it is so already. */
export function sortedCsr(matrix: CsrMatrix): CsrMatrix {
	for (let row = 0; row < matrix.rows; row += 1) {
		const end = matrix.rowStart[row + 1]!;
		for (let k = matrix.rowStart[row]! + 1; k < end; k += 1) {
			if (matrix.column[k]! < matrix.column[k - 1]!) return transposeCsr(transposeCsr(matrix));
		}
	}
	return matrix;
}

/** Whether entries stand row by row, by ascending columns, none twice: as most programs write them. */
function areSorted({ row, column, values }: Triplets): boolean {
	for (let k = 1; k < values.length; k += 1) {
		if (row[k]! < row[k - 1]! || (row[k] === row[k - 1] && column[k]! <= column[k - 1]!)) return false;
	}
	return true;
}

function csrFromSorted(rows: number, columns: number, { row, column, values }: Triplets): CsrMatrix {
	const rowStart = new Int32Array(rows + 1);
	for (let k = 0; k < values.length; k += 1) rowStart[row[k]! + 1]! += 1;
	for (let r = 0; r < rows; r += 1) rowStart[r + 1]! += rowStart[r]!;
	return { rows, columns, rowStart, column: Int32Array.from(column), values: Float64Array.from(values) };
}

/** Duplicates add up, in the order in which they come. */
export function csrFromTriplets(rows: number, columns: number, entries: Triplets): CsrMatrix {
	const count = entries.values.length;
	if (areSorted(entries)) return csrFromSorted(rows, columns, entries);
	// Entries in their order make a matrix of `count` rows with one entry each; its transpose sorts by column, and the next by row.
	const single = Int32Array.from({ length: count + 1 }, (_, k) => k);
	const byColumn = transposeCsr({
		rows: count,
		columns,
		rowStart: single,
		column: entries.column,
		values: entries.values,
	});
	const row = byColumn.column.map((k) => entries.row[k]!);
	const unsummed = transposeCsr({
		rows: columns,
		columns: rows,
		rowStart: byColumn.rowStart,
		column: row,
		values: byColumn.values,
	});
	return summed(unsummed);
}

/** Adds up neighbours with the same column. */
function summed(matrix: CsrMatrix): CsrMatrix {
	const rowStart = new Int32Array(matrix.rows + 1);
	const { column, values } = matrix;
	let at = 0;
	for (let row = 0; row < matrix.rows; row += 1) {
		const end = matrix.rowStart[row + 1]!;
		for (let k = matrix.rowStart[row]!; k < end; k += 1) {
			if (at > rowStart[row]! && column[at - 1] === column[k]) values[at - 1]! += values[k]!;
			else {
				column[at] = column[k]!;
				values[at] = values[k]!;
				at += 1;
			}
		}
		rowStart[row + 1] = at;
	}
	if (at === column.length) return { ...matrix, rowStart };
	return { ...matrix, rowStart, column: column.slice(0, at), values: values.slice(0, at) };
}

/** y = A x. */
export function multiplyCsr(matrix: CsrMatrix, x: Float64Array, y: Float64Array): void {
	for (let row = 0; row < matrix.rows; row += 1) {
		let sum = 0;
		const end = matrix.rowStart[row + 1]!;
		for (let k = matrix.rowStart[row]!; k < end; k += 1) sum += matrix.values[k]! * x[matrix.column[k]!]!;
		y[row] = sum;
	}
}

/** y = A^T x, each sum in the order of A's rows. */
export function multiplyTransposedCsr(matrix: CsrMatrix, x: Float64Array, y: Float64Array): void {
	y.fill(0, 0, matrix.columns);
	for (let row = 0; row < matrix.rows; row += 1) {
		const end = matrix.rowStart[row + 1]!;
		for (let k = matrix.rowStart[row]!; k < end; k += 1) y[matrix.column[k]!]! += matrix.values[k]! * x[row]!;
	}
}

/** |A - A^T| / |A| in the Frobenius norm; 0 for the zero matrix. */
export function asymmetry(square: CsrMatrix): number {
	const matrix = sortedCsr(square);
	const other = transposeCsr(matrix);
	const largest = matrix.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	if (largest === 0) return 0;
	let difference = 0;
	let norm = 0;
	for (let row = 0; row < matrix.rows; row += 1) {
		let a = matrix.rowStart[row]!;
		let b = other.rowStart[row]!;
		const endA = matrix.rowStart[row + 1]!;
		const endB = other.rowStart[row + 1]!;
		while (a < endA || b < endB) {
			const columnA = a < endA ? matrix.column[a]! : matrix.columns;
			const columnB = b < endB ? other.column[b]! : matrix.columns;
			const x = columnA <= columnB ? matrix.values[a]! / largest : 0;
			const y = columnB <= columnA ? other.values[b]! / largest : 0;
			norm += x * x;
			difference += (x - y) * (x - y);
			if (columnA <= columnB) a += 1;
			if (columnB <= columnA) b += 1;
		}
	}
	return Math.sqrt(difference / norm);
}
