/**
 * Gauss-Seidel over rolling contacts by the rows of an assembled W: both rows of a pair are multiplied, what the pair itself adds is taken away,
 * and its six numbers are solved for at once. A pair need not be a pair of the storage (sell.ts): its rows are found by their places.
 */
import { get, getInt, set } from "../memory";
import { pairProduct } from "../sell";
import { projectRolling, rollingVelocity } from "./rolling";
import { solveRolling } from "./rolling-local";
import { PARAMETERS } from "./law";

/** Places in scratch: products of two pairs of rows, W of the contact, b, the last reaction; solveRolling's own behind them. */
const BLOCK: i32 = 12;
const FREE: i32 = 48;
const LAST: i32 = 54;
const LOCAL: i32 = 60;

/** Copies a block that stands by rows with a stride into the 6x6 one, at its row and column. */
function place(from: i32, stride: i32, to: i32): void {
	for (let k: i32 = 0; k < 9; k += 1) {
		const row: i32 = k < 3 ? 0 : k < 6 ? 1 : 2;
		set(to + 6 * row + k - 3 * row, get(from + stride * k));
	}
}

/** The block of row `at` in column `other`, zero where there is none. */
function placeCoupling(at: i32, other: i32, start: i32, column: i32, values: i32, to: i32): void {
	const lane: i32 = at & 1;
	const end: i32 = getInt(start + (at >> 1) + 1);
	for (let slot: i32 = getInt(start + (at >> 1)); slot < end; slot += 1) {
		if (getInt(column + 2 * slot + lane) != 24 * other) continue;
		place(values + 18 * slot + lane, 2, to);
		return;
	}
	for (let i: i32 = 0; i < 3; i += 1) for (let j: i32 = 0; j < 3; j += 1) set(to + 6 * i + j, 0);
}

/**
 * A projected step (projected-step.ts) of both blocks at once, of one length: they have one cone. The velocity is at `free`, and F afterwards.
 */
function step(p: i32, omega: f64, block: i32, free: i32, r: i32): void {
	let trace: f64 = 0;
	for (let i: i32 = 0; i < 6; i += 1) trace += get(block + 7 * i);
	const length: f64 = (6 * omega) / trace;
	rollingVelocity(p, free, free);
	for (let i: i32 = 0; i < 6; i += 1) set(r + i, get(r + i) - length * get(free + i));
	projectRolling(p, r, r);
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
		const ra: i32 = r + 3 * a;
		const first: i32 = a >> 1;
		pairProduct(getInt(start + first), getInt(start + first + 1), column, values, r, work);
		if ((a & 1) != 0) pairProduct(getInt(start + first + 1), getInt(start + first + 2), column, values, r, work + 6);
		const block: i32 = work + BLOCK;
		place(w + 9 * a, 1, block);
		place(w + 9 * a + 9, 1, block + 21);
		placeCoupling(a, a + 1, start, column, values, block + 3);
		placeCoupling(a + 1, a, start, column, values, block + 18);
		const product: i32 = work + 3 * (a & 1);
		for (let i: i32 = 0; i < 6; i += 1) {
			let own: f64 = 0;
			if (omega == 0) for (let j: i32 = 0; j < 6; j += 1) own += get(block + 6 * i + j) * get(ra + j);
			set(work + FREE + i, get(product + i) + get(q + 3 * a + i) - own);
			set(work + LAST + i, get(ra + i));
		}
		if (alpha != 0) {
			const force: f64 = (alpha / 3) * (get(block) + get(block + 7) + get(block + 14));
			const moment: f64 = (alpha / 3) * (get(block + 21) + get(block + 28) + get(block + 35));
			for (let i: i32 = 0; i < 6; i += 1) set(block + 7 * i, get(block + 7 * i) + (i < 3 ? force : moment));
		}
		if (omega > 0) step(p + PARAMETERS * a, omega, block, work + FREE, ra);
		else solveRolling(block, p + PARAMETERS * a, work + FREE, ra, work + LOCAL);
		if (relax == 1) continue;
		for (let i: i32 = 0; i < 6; i += 1) {
			set(work + FREE + i, (1 - relax) * get(work + LAST + i) + relax * get(ra + i));
		}
		projectRolling(p + PARAMETERS * a, work + FREE, ra);
	}
}
