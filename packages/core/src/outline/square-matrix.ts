/** The square block matrix over contacts and equality rows, [W V; V^T R], that the operator and the layout are made of. */
import type { BlockMatrix, CsrMatrix, Equalities, Problem } from "../problem/problem.js";

/** Equality rows in blocks of three; the last block is filled up with rows of an identity. */
export function equalityBlocks(equalities: Equalities | undefined): number {
	return equalities === undefined ? 0 : Math.ceil(equalities.count / 3);
}

interface Entry {
	row: number;
	column: number;
	value: number;
}

function* entriesOf(matrix: CsrMatrix): Generator<Entry> {
	for (let row = 0; row < matrix.rows; row += 1) {
		const end = matrix.rowStart[row + 1] as number;
		for (let k = matrix.rowStart[row] as number; k < end; k += 1) {
			yield { row, column: matrix.column[k] as number, value: matrix.values[k] as number };
		}
	}
}

/** Entries of V, V^T and R, and the filling rows, in the coordinates of the square matrix. */
function equalityEntries(contacts: number, equalities: Equalities): Entry[] {
	const shift = 3 * contacts;
	const entries: Entry[] = [];
	for (const { row, column, value } of entriesOf(equalities.V)) {
		entries.push({ row, column: column + shift, value }, { row: column + shift, column: row, value });
	}
	let diagonal = 0;
	for (const { row, column, value } of entriesOf(equalities.R)) {
		entries.push({ row: row + shift, column: column + shift, value });
		if (row === column) diagonal = value;
	}
	for (let row = equalities.count; row < 3 * equalityBlocks(equalities); row += 1) {
		entries.push({ row: row + shift, column: row + shift, value: diagonal });
	}
	return entries;
}

/** W alone where there are no equality rows: nothing is copied then. */
export function squareMatrix(problem: Problem, W: BlockMatrix): BlockMatrix {
	const { equalities, contacts } = problem;
	if (equalities === undefined || equalities.count === 0) return W;
	const rows = contacts + equalityBlocks(equalities);
	const blocks = new Map<number, Float64Array>();
	for (const { row, column, value } of equalityEntries(contacts, equalities)) {
		const key = Math.floor(row / 3) * rows + Math.floor(column / 3);
		const block = blocks.get(key) ?? new Float64Array(9);
		blocks.set(key, block);
		block[3 * (row % 3) + (column % 3)] = (block[3 * (row % 3) + (column % 3)] as number) + value;
	}
	const keys = [...blocks.keys()].sort((a, b) => a - b);
	const count = (W.rowStart[contacts] as number) + keys.length;
	const rowStart = new Int32Array(rows + 1);
	const column = new Int32Array(count);
	const values = new Float64Array(9 * count);
	let at = 0;
	let next = 0;
	for (let row = 0; row < rows; row += 1) {
		if (row < contacts) {
			const from = W.rowStart[row] as number;
			const end = W.rowStart[row + 1] as number;
			column.set(W.column.subarray(from, end), at);
			values.set(W.values.subarray(9 * from, 9 * end), 9 * at);
			at += end - from;
		}
		for (; next < keys.length && Math.floor((keys[next] as number) / rows) === row; next += 1) {
			const key = keys[next] as number;
			column[at] = key % rows;
			values.set(blocks.get(key) as Float64Array, 9 * at);
			at += 1;
		}
		rowStart[row + 1] = at;
	}
	return { rows, rowStart, column, values };
}
