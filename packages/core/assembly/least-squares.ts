/**
 * Blocks of the least squares problem of src/methods/gauss-newton.ts:
 *
 *     e_a = R_a - proj_K(R_a - F_a / w_a),  w_a = trace(W_aa) / 3;   J = X W + Y is its derivative
 *
 * e is the residual C of newton.ts at U / w, so that linearise() makes it, Y, and w X.
 */
import { invertBlock } from "./block";
import { get, set } from "./memory";

/** What the preconditioner adds to a block, relative to W_aa: the neighbours' share of J^T J, which it leaves out. */
const NEIGHBOURS: f64 = 0.3;

/** 1 / w_a */
function weightOf(wa: i32): f64 {
	return 3 / (get(wa) + get(wa + 4) + get(wa + 8));
}

/**
 * X_a <- X_a / w_a, and the blocks of a preconditioner of J^T diag(W_aa) J: P_a = (J_aa^T W_aa J_aa + 0.3 W_aa)^-1, J_aa = X_a W_aa + Y_a. `work` is scratch
 * for 18 numbers.
 */
export function leastSquaresBlocks(from: i32, to: i32, w: i32, x: i32, y: i32, p: i32, work: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const wa: i32 = w + 9 * a;
		const xa: i32 = x + 9 * a;
		const pa: i32 = p + 9 * a;
		const weight: f64 = weightOf(wa);
		for (let k: i32 = 0; k < 9; k += 1) set(xa + k, weight * get(xa + k));
		multiplyBlocks(xa, wa, work);
		for (let k: i32 = 0; k < 9; k += 1) set(work + k, get(work + k) + get(y + 9 * a + k));
		multiplyBlocks(wa, work, work + 9);
		for (let i: i32 = 0; i < 3; i += 1) {
			for (let j: i32 = 0; j < 3; j += 1) {
				const square: f64 =
					get(work + i) * get(work + 9 + j) +
					get(work + 3 + i) * get(work + 12 + j) +
					get(work + 6 + i) * get(work + 15 + j);
				set(pa + 3 * i + j, square + NEIGHBOURS * get(wa + 3 * i + j));
			}
		}
		invertBlock(pa);
	}
}

/** c = a b */
function multiplyBlocks(a: i32, b: i32, c: i32): void {
	for (let i: i32 = 0; i < 9; i += 3) {
		for (let j: i32 = 0; j < 3; j += 1) {
			set(c + i + j, get(a + i) * get(b + j) + get(a + i + 1) * get(b + 3 + j) + get(a + i + 2) * get(b + 6 + j));
		}
	}
}

/** t_a <- X_a^T r_a and s_a <- Y_a^T r_a, so that J^T r = W^T t + s. */
export function transposedProducts(from: i32, to: i32, x: i32, y: i32, r: i32, t: i32, s: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const r0: f64 = get(r + 3 * a);
		const r1: f64 = get(r + 3 * a + 1);
		const r2: f64 = get(r + 3 * a + 2);
		for (let i: i32 = 0; i < 3; i += 1) {
			const xi: i32 = x + 9 * a + i;
			const yi: i32 = y + 9 * a + i;
			set(t + 3 * a + i, get(xi) * r0 + get(xi + 3) * r1 + get(xi + 6) * r2);
			set(s + 3 * a + i, get(yi) * r0 + get(yi + 3) * r1 + get(yi + 6) * r2);
		}
	}
}
