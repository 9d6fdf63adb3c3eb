/** The diagonal blocks of W where it is known as K^T M^-1 K alone: a solve with the factors of M for each column of K. */
import { transposeCsr } from "./csr.js";
import type { CsrMatrix } from "./problem.js";
import type { SparseLu } from "./sparse-lu.js";

/** Diagonal blocks of K^T M^-1 K for groups of three columns; columns beyond the last count as an identity row of `fill`. */
export function globalDiagonal(K: CsrMatrix, lu: SparseLu, blocks: number, into: Float64Array, at: number): void {
	const columns = transposeCsr(K);
	const work = new Float64Array(lu.size);
	for (let a = 0; a < blocks; a += 1) {
		const width = Math.min(3, K.columns - 3 * a);
		for (let j = 0; j < width; j += 1) {
			work.fill(0);
			for (let e = columns.rowStart[3 * a + j] as number; e < (columns.rowStart[3 * a + j + 1] as number); e += 1) {
				const row = columns.column[e] as number;
				work[row] = (work[row] as number) + (columns.values[e] as number);
			}
			lu.solve(work);
			for (let i = 0; i < width; i += 1) {
				let sum = 0;
				for (let e = columns.rowStart[3 * a + i] as number; e < (columns.rowStart[3 * a + i + 1] as number); e += 1) {
					sum += (columns.values[e] as number) * (work[columns.column[e] as number] as number);
				}
				into[at + 9 * a + 3 * i + j] = sum;
			}
		}
		const own = into[at + 9 * a] as number;
		for (let i = width; i < 3; i += 1) into[at + 9 * a + 4 * i] = own;
	}
}
