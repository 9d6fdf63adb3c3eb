/**
 * Gauss-Seidel over rolling contacts by the rows of an assembled W: both rows of a pair are multiplied. A pair need not be a pair of the storage
 * (sell.ts): its rows are found by their places.
 */
import { get, getInt, set } from "../memory";
import { pairProduct } from "../sell";
import { PARAMETERS } from "./law";
import { BLOCK, placeBlock, visitRolling } from "./rolling-visit";

/** The block of row `at` in column `other`, zero where there is none. */
function placeCoupling(at: i32, other: i32, start: i32, column: i32, values: i32, to: i32): void {
	const lane: i32 = at & 1;
	const end: i32 = getInt(start + (at >> 1) + 1);
	for (let slot: i32 = getInt(start + (at >> 1)); slot < end; slot += 1) {
		if (getInt(column + 2 * slot + lane) != 24 * other) continue;
		placeBlock(values + 18 * slot + lane, 2, to);
		return;
	}
	for (let i: i32 = 0; i < 3; i += 1) for (let j: i32 = 0; j < 3; j += 1) set(to + 6 * i + j, 0);
}

/** One sweep over the pairs of from..to-1; relax, alpha and omega as in sweep.ts; `work` is scratch for 240 numbers. */
export function rollingSweep(
	from: i32,
	to: i32,
	backward: i32,
	start: i32,
	column: i32,
	values: i32,
	relax: f64,
	alpha: f64,
	omega: f64,
	q: i32,
	w: i32,
	p: i32,
	r: i32,
	work: i32,
): void {
	for (let k: i32 = from; k < to; k += 2) {
		const a: i32 = backward != 0 ? from + to - 2 - k : k;
		const first: i32 = a >> 1;
		pairProduct(getInt(start + first), getInt(start + first + 1), column, values, r, work);
		if ((a & 1) != 0) pairProduct(getInt(start + first + 1), getInt(start + first + 2), column, values, r, work + 6);
		placeCoupling(a, a + 1, start, column, values, work + BLOCK + 3);
		placeCoupling(a + 1, a, start, column, values, work + BLOCK + 18);
		visitRolling(a, work + 3 * (a & 1), relax, alpha, omega, q, w, p + PARAMETERS * a, r, work);
	}
}
