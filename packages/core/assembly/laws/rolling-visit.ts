/**
 * The visit of a sweep to one rolling contact, the blocks at places a and a + 1, however its velocity and its W were come by: what the contact itself adds to
 * its velocity is taken away, and its six numbers are solved for at once.
 */
import { get, set } from "../memory";
import { projectRolling, rollingVelocity } from "./rolling";
import { solveRolling } from "./rolling-local";
import { quickRolling, U } from "./rolling-quick";

/** Places in scratch, of 240 numbers: room for who calls, W of the contact (6x6 by rows), b, the last reaction; solveRolling's own behind them. */
export const BLOCK: i32 = 12;
const FREE: i32 = 48;
const LAST: i32 = 54;
const LOCAL: i32 = 60;

/** Copies a 3x3 block that stands by rows with a stride into the 6x6 one, at its row and column. */
export function placeBlock(from: i32, stride: i32, to: i32): void {
	for (let row: i32 = 0; row < 3; row += 1) {
		const at: i32 = from + 3 * stride * row;
		set(to + 6 * row, get(at));
		set(to + 6 * row + 1, get(at + stride));
		set(to + 6 * row + 2, get(at + 2 * stride));
	}
}

/**
 * A projected step (projected-step.ts) of both blocks at once, of one length: they have one cone. The velocity is at `free`, and F afterwards.
 */
function step(p: i32, alpha: f64, omega: f64, block: i32, free: i32, r: i32): void {
	let trace: f64 = 0;
	for (let i: i32 = 0; i < 6; i += 1) trace += (1 + alpha) * get(block + 7 * i);
	const length: f64 = (6 * omega) / trace;
	rollingVelocity(p, free, free);
	for (let i: i32 = 0; i < 6; i += 1) set(r + i, get(r + i) - length * get(free + i));
	projectRolling(p, r, r);
}

/** Solves for the reaction at `ra`, whose velocity is at `free`, from there and with W + alpha D, D the mean diagonals of the blocks of three. */
function visitExactly(alpha: f64, block: i32, p: i32, ra: i32, free: i32, local: i32): void {
	const force: f64 = (alpha / 3) * (get(block) + get(block + 7) + get(block + 14));
	const moment: f64 = (alpha / 3) * (get(block + 21) + get(block + 28) + get(block + 35));
	for (let i: i32 = 0; i < 6; i += 1) {
		const own: f64 = i < 3 ? force : moment;
		set(block + 7 * i, get(block + 7 * i) + own);
		set(local + U + i, get(free + i) + own * get(ra + i));
	}
	for (let i: i32 = 0; i < 6; i += 1) set(free + i, get(local + U + i));
	if (quickRolling(block, p, ra, local)) return;
	for (let i: i32 = 0; i < 6; i += 1) {
		let own: f64 = 0;
		for (let j: i32 = 0; j < 6; j += 1) own += get(block + 6 * i + j) * get(ra + j);
		set(free + i, get(free + i) - own);
	}
	solveRolling(block, p, free, ra, local);
}

/** W R of the contact is at `product`, W of the contact at BLOCK, with room for the diagonal blocks, which are those at `w`; p are its parameters. */
export function visitRolling(
	a: i32,
	product: i32,
	relax: f64,
	alpha: f64,
	omega: f64,
	q: i32,
	w: i32,
	p: i32,
	r: i32,
	work: i32,
): void {
	const ra: i32 = r + 3 * a;
	const block: i32 = work + BLOCK;
	placeBlock(w + 9 * a, 1, block);
	placeBlock(w + 9 * a + 9, 1, block + 21);
	for (let i: i32 = 0; i < 6; i += 1) {
		set(work + FREE + i, get(product + i) + get(q + 3 * a + i));
		set(work + LAST + i, get(ra + i));
	}
	if (omega > 0) step(p, alpha, omega, block, work + FREE, ra);
	else visitExactly(alpha, block, p, ra, work + FREE, work + LOCAL);
	if (relax == 1) return;
	for (let i: i32 = 0; i < 6; i += 1) {
		set(work + FREE + i, (1 - relax) * get(work + LAST + i) + relax * get(ra + i));
	}
	projectRolling(p, work + FREE, ra);
}
