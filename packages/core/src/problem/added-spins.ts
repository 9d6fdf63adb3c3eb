/**
 * A global form of five components per contact (force, rolling moment) as one of six: each contact gets a spin of its own, a freedom
 * behind the others that nothing but this spin moves and nothing drives, so that it stays zero, W stays regular and all else as it was.
 */
import { globalDiagonal } from "./global-diagonal.js";
import type { CsrMatrix, GlobalForm } from "./problem.js";
import { fiveOfSix, sixOfFive, sixthColumn } from "./rolling.js";
import { factor } from "./sparse-lu.js";

/** `place` is what messages call M. */
export function withSpins(given: GlobalForm, source: string, place: string): GlobalForm {
	const contacts = given.w.length / 5;
	const { M, H } = given;
	const wide: CsrMatrix = { ...H, columns: 6 * contacts, column: H.column.map(sixthColumn) };
	const mass = spinMasses(wide, M, contacts, source, place);
	const f = new Float64Array(M.rows + contacts);
	f.set(given.f);
	return {
		M: withDiagonal(M, M.columns + contacts, mass, (k) => M.columns + k),
		H: withDiagonal(wide, wide.columns, new Float64Array(contacts).fill(1), (k) => 6 * k + 3),
		f,
		w: sixOfFive(given.w),
		...(given.G &&
			given.b && { G: withDiagonal(given.G, given.G.columns, new Float64Array(contacts), () => -1), b: given.b }),
		addedFreedoms: contacts,
	};
}

/** Masses by which W of a spin is the mean of those of the two rolling directions: of their size, whatever the units. */
function spinMasses(H: CsrMatrix, M: CsrMatrix, contacts: number, source: string, place: string): Float64Array {
	const diagonal = new Float64Array(18 * contacts);
	globalDiagonal(H, factor(M, source, place), 2 * contacts, diagonal, 0);
	return Float64Array.from({ length: contacts }, (_, k) => {
		const mean = (diagonal[18 * k + 13]! + diagonal[18 * k + 17]!) / 2;
		return mean > 0 ? 1 / mean : 1;
	});
}

/** More rows behind those of a matrix, each with one value at its column; without any where the column is negative. */
function withDiagonal(
	matrix: CsrMatrix,
	columns: number,
	added: Float64Array,
	columnOf: (k: number) => number,
): CsrMatrix {
	const { rows } = matrix;
	const used = matrix.rowStart[rows]!;
	const isEmpty = added.length > 0 && columnOf(0) < 0;
	const count = isEmpty ? 0 : added.length;
	const rowStart = new Int32Array(rows + added.length + 1);
	rowStart.set(matrix.rowStart.subarray(0, rows + 1));
	const column = new Int32Array(used + count);
	const values = new Float64Array(used + count);
	column.set(matrix.column.subarray(0, used));
	values.set(matrix.values.subarray(0, used));
	for (let k = 0; k < added.length; k += 1) {
		if (!isEmpty) {
			column[used + k] = columnOf(k);
			values[used + k] = added[k]!;
		}
		rowStart[rows + k + 1] = isEmpty ? used : used + k + 1;
	}
	return { rows: rows + added.length, columns, rowStart, column, values };
}

/** A global form of six components as one of five: spins are left out, and what was added for them. */
export function withoutSpins({ M, H, f, w, G, b, addedFreedoms = 0 }: GlobalForm): GlobalForm {
	const rows = f.length - addedFreedoms;
	return {
		M: upTo(M, rows, rows),
		H: withoutSpinColumns(upTo(H, rows, H.columns)),
		f: f.slice(0, rows),
		w: fiveOfSix(w),
		...(G && b && { G: upTo(G, rows, G.columns), b }),
	};
}

function upTo(matrix: CsrMatrix, rows: number, columns: number): CsrMatrix {
	const used = matrix.rowStart[rows]!;
	const { rowStart, column, values } = matrix;
	return {
		rows,
		columns,
		rowStart: rowStart.slice(0, rows + 1),
		column: column.slice(0, used),
		values: values.slice(0, used),
	};
}

function withoutSpinColumns({ rows, columns, rowStart, column, values }: CsrMatrix): CsrMatrix {
	const starts = new Int32Array(rows + 1);
	const [kept, numbers]: [number[], number[]] = [[], []];
	for (let row = 0; row < rows; row += 1) {
		for (let e = rowStart[row]!; e < rowStart[row + 1]!; e += 1) {
			const contact = Math.floor(column[e]! / 6);
			const i = column[e]! - 6 * contact;
			if (i === 3) continue;
			kept.push(5 * contact + (i < 3 ? i : i - 1));
			numbers.push(values[e]!);
		}
		starts[row + 1] = kept.length;
	}
	return {
		rows,
		columns: (columns / 6) * 5,
		rowStart: starts,
		column: Int32Array.from(kept),
		values: Float64Array.from(numbers),
	};
}
