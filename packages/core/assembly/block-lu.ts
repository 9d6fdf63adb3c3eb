/**
 * A = L U of a sparse matrix of 6x6 blocks, row by row: L has the blocks below the diagonal, U those above it and the inverses of its
 * diagonal blocks. Rows pivot within a diagonal block, never between blocks. The pattern is symmetric and closed under elimination
 * (src/factor/symbolic.ts).
 *
 *     for i:  w = row i of A
 *             for k < i in row i:  L_ik = w_k U_kk^-1;  w_j -= L_ik U_kj for all j of row k
 *             U_ii^-1 = w_i^-1,  U_ij = w_j
 */
import { clear, copyBlock, invert, product } from "./dense-block";
import { get, getInt, set } from "./memory";
import { subtractProduct, subtractTimes } from "./six";

/** w_j -= L U_kj for the blocks from..to-1 of row k of U; w is block `column` of the row at work. */
export function eliminate(from: i32, to: i32, column: i32, u: i32, l: i32, w: i32): void {
	for (let k: i32 = from; k < to; k += 1) subtractProduct(l, u + 36 * k, w + 36 * getInt(column + k));
}

/** Blocks of contacts that do not touch are: Newton asks nothing but R = 0 of these. */
function isZero(block: i32): i32 {
	for (let e: i32 = block; e < block + 36; e += 1) if (get(e) != 0) return 0;
	return 1;
}

/**
 * Factors the rows from..to-1. aStart, aColumn, a: rows of A, blocks by columns; lStart, lColumn, l and uStart, uColumn, u: the factors;
 * d: inverses of U's diagonal blocks; w: room for a row of all columns, and 36 numbers behind. Returns the first row whose diagonal block
 * has no inverse, or -1.
 */
export function luRows(
	from: i32,
	to: i32,
	rows: i32,
	aStart: i32,
	aColumn: i32,
	a: i32,
	lStart: i32,
	lColumn: i32,
	l: i32,
	uStart: i32,
	uColumn: i32,
	u: i32,
	d: i32,
	w: i32,
): i32 {
	const work: i32 = w + 36 * rows;
	for (let i: i32 = from; i < to; i += 1) {
		const lFrom: i32 = getInt(lStart + i);
		const lTo: i32 = getInt(lStart + i + 1);
		const uFrom: i32 = getInt(uStart + i);
		const uTo: i32 = getInt(uStart + i + 1);
		for (let k: i32 = lFrom; k < lTo; k += 1) clear(w + 36 * getInt(lColumn + k));
		clear(w + 36 * i);
		for (let k: i32 = uFrom; k < uTo; k += 1) clear(w + 36 * getInt(uColumn + k));
		for (let k: i32 = getInt(aStart + i); k < getInt(aStart + i + 1); k += 1) {
			copyBlock(a + 36 * k, w + 36 * getInt(aColumn + k));
		}
		for (let k: i32 = lFrom; k < lTo; k += 1) {
			const column: i32 = getInt(lColumn + k);
			if (isZero(w + 36 * column) == 1) {
				clear(l + 36 * k);
				continue;
			}
			product(w + 36 * column, d + 36 * column, l + 36 * k);
			eliminate(getInt(uStart + column), getInt(uStart + column + 1), uColumn, u, l + 36 * k, w);
		}
		copyBlock(w + 36 * i, work);
		if (invert(work, d + 36 * i) == 0) return i;
		for (let k: i32 = uFrom; k < uTo; k += 1) copyBlock(w + 36 * getInt(uColumn + k), u + 36 * k);
	}
	return -1;
}

/** x <- A^-1 x by the factors; work is scratch for 6 numbers. */
export function luSolve(
	rows: i32,
	lStart: i32,
	lColumn: i32,
	l: i32,
	uStart: i32,
	uColumn: i32,
	u: i32,
	d: i32,
	x: i32,
	work: i32,
): void {
	for (let i: i32 = 0; i < rows; i += 1) {
		for (let k: i32 = getInt(lStart + i); k < getInt(lStart + i + 1); k += 1) {
			subtractTimes(l + 36 * k, x + 6 * getInt(lColumn + k), x + 6 * i);
		}
	}
	for (let i: i32 = rows - 1; i >= 0; i -= 1) {
		for (let k: i32 = getInt(uStart + i); k < getInt(uStart + i + 1); k += 1) {
			subtractTimes(u + 36 * k, x + 6 * getInt(uColumn + k), x + 6 * i);
		}
		for (let j: i32 = 0; j < 6; j += 1) set(work + j, 0);
		subtractTimes(d + 36 * i, x + 6 * i, work);
		for (let j: i32 = 0; j < 6; j += 1) set(x + 6 * i + j, -get(work + j));
	}
}
