/**
 * A = U^T D^-1 U of a symmetric sparse matrix of 6x6 blocks, row by row: U has the blocks above the diagonal, and the inverses of its diagonal
 * blocks D stand beside them (L of L D L^T is U^T D^-1). Half the work and half the memory of block-lu.ts, on the same pattern:
 *
 *     for i:  w = row i of A from the diagonal on
 *             for k < i with U_ki in row k:  L_ik = U_ki^T D_k^-1;  w_j -= L_ik U_kj for all j >= i of row k
 *             D_i^-1 = w_i^-1,  U_ij = w_j
 */
import { eliminate } from "./block-lu";
import { clear, copyBlock, invert, product } from "./dense-block";
import { get, getInt, set, setInt } from "./memory";
import { subtractTimes } from "./six";

function transpose(from: i32, to: i32): void {
	for (let i: i32 = 0; i < 6; i += 1) {
		for (let j: i32 = 0; j < 6; j += 1) set(to + 6 * i + j, get(from + 6 * j + i));
	}
}

/**
 * Factors all rows. aStart, aColumn, a: rows of A, blocks by columns, those left of the diagonal not read; lStart, lColumn: which rows k have a
 * block in column i; uStart, uColumn, u: the factor; d: inverses of the diagonal blocks; next: an integer for each row; w: room for a row of all
 * columns, and 108 numbers behind. Returns the first row whose diagonal block has no inverse, or -1.
 */
export function ldltRows(
	rows: i32,
	aStart: i32,
	aColumn: i32,
	a: i32,
	lStart: i32,
	lColumn: i32,
	uStart: i32,
	uColumn: i32,
	u: i32,
	d: i32,
	next: i32,
	w: i32,
): i32 {
	const work: i32 = w + 36 * rows;
	const turned: i32 = work + 36;
	const l: i32 = turned + 36;
	for (let i: i32 = 0; i < rows; i += 1) setInt(next + i, getInt(uStart + i));
	for (let i: i32 = 0; i < rows; i += 1) {
		const uFrom: i32 = getInt(uStart + i);
		const uTo: i32 = getInt(uStart + i + 1);
		clear(w + 36 * i);
		for (let k: i32 = uFrom; k < uTo; k += 1) clear(w + 36 * getInt(uColumn + k));
		for (let k: i32 = getInt(aStart + i); k < getInt(aStart + i + 1); k += 1) {
			const column: i32 = getInt(aColumn + k);
			if (column >= i) copyBlock(a + 36 * k, w + 36 * column);
		}
		for (let m: i32 = getInt(lStart + i); m < getInt(lStart + i + 1); m += 1) {
			// Columns of a row ascend, and rows come in turn: the first block of row k that was not asked for yet is that in column i.
			const k: i32 = getInt(lColumn + m);
			const at: i32 = getInt(next + k);
			setInt(next + k, at + 1);
			transpose(u + 36 * at, turned);
			product(turned, d + 36 * k, l);
			eliminate(at, getInt(uStart + k + 1), uColumn, u, l, w);
		}
		copyBlock(w + 36 * i, work);
		if (invert(work, d + 36 * i) == 0) return i;
		for (let k: i32 = uFrom; k < uTo; k += 1) copyBlock(w + 36 * getInt(uColumn + k), u + 36 * k);
	}
	return -1;
}

/** x <- A^-1 x by the factor; work is scratch for 6 numbers. */
export function ldltSolve(rows: i32, uStart: i32, uColumn: i32, u: i32, d: i32, x: i32, work: i32): void {
	for (let i: i32 = 0; i < rows; i += 1) {
		timesInverse(d + 36 * i, x + 6 * i, work);
		for (let k: i32 = getInt(uStart + i); k < getInt(uStart + i + 1); k += 1) {
			const to: i32 = x + 6 * getInt(uColumn + k);
			for (let j: i32 = 0; j < 6; j += 1) {
				const column: i32 = u + 36 * k + 6 * j;
				let sum: f64 = get(to + j);
				for (let e: i32 = 0; e < 6; e += 1) sum -= get(column + e) * get(work + e);
				set(to + j, sum);
			}
		}
	}
	for (let i: i32 = rows - 1; i >= 0; i -= 1) {
		for (let k: i32 = getInt(uStart + i); k < getInt(uStart + i + 1); k += 1) {
			subtractTimes(u + 36 * k, x + 6 * getInt(uColumn + k), x + 6 * i);
		}
		timesInverse(d + 36 * i, x + 6 * i, work);
		for (let j: i32 = 0; j < 6; j += 1) set(x + 6 * i + j, get(work + j));
	}
}

/** to <- D^-1 x. */
function timesInverse(d: i32, x: i32, to: i32): void {
	for (let j: i32 = 0; j < 6; j += 1) set(to + j, 0);
	subtractTimes(d, x, to);
	for (let j: i32 = 0; j < 6; j += 1) set(to + j, -get(to + j));
}
