/** 3x3 blocks by rows, and their inverses by cofactors (exact arithmetic would be; three by three needs no pivoting). */
import { get, set } from "./memory";

/** y = w^-1 applied to (b0, b1, b2), by Cramer's rule. */
export function solveBlock(w: i32, b0: f64, b1: f64, b2: f64, y: i32): void {
	const w00: f64 = get(w);
	const w01: f64 = get(w + 1);
	const w02: f64 = get(w + 2);
	const w10: f64 = get(w + 3);
	const w11: f64 = get(w + 4);
	const w12: f64 = get(w + 5);
	const w20: f64 = get(w + 6);
	const w21: f64 = get(w + 7);
	const w22: f64 = get(w + 8);
	const c00: f64 = w11 * w22 - w12 * w21;
	const c01: f64 = w12 * w20 - w10 * w22;
	const c02: f64 = w10 * w21 - w11 * w20;
	const inverse: f64 = 1 / (w00 * c00 + w01 * c01 + w02 * c02);
	set(y, inverse * (c00 * b0 + (w02 * w21 - w01 * w22) * b1 + (w01 * w12 - w02 * w11) * b2));
	set(y + 1, inverse * (c01 * b0 + (w00 * w22 - w02 * w20) * b1 + (w02 * w10 - w00 * w12) * b2));
	set(y + 2, inverse * (c02 * b0 + (w01 * w20 - w00 * w21) * b1 + (w00 * w11 - w01 * w10) * b2));
}

/** Turns the block at a into its inverse, in place. */
export function invertBlock(a: i32): void {
	const a00: f64 = get(a);
	const a01: f64 = get(a + 1);
	const a02: f64 = get(a + 2);
	const a10: f64 = get(a + 3);
	const a11: f64 = get(a + 4);
	const a12: f64 = get(a + 5);
	const a20: f64 = get(a + 6);
	const a21: f64 = get(a + 7);
	const a22: f64 = get(a + 8);
	const c00: f64 = a11 * a22 - a12 * a21;
	const c10: f64 = a12 * a20 - a10 * a22;
	const c20: f64 = a10 * a21 - a11 * a20;
	const inverse: f64 = 1 / (a00 * c00 + a01 * c10 + a02 * c20);
	set(a, inverse * c00);
	set(a + 1, inverse * (a02 * a21 - a01 * a22));
	set(a + 2, inverse * (a01 * a12 - a02 * a11));
	set(a + 3, inverse * c10);
	set(a + 4, inverse * (a00 * a22 - a02 * a20));
	set(a + 5, inverse * (a02 * a10 - a00 * a12));
	set(a + 6, inverse * c20);
	set(a + 7, inverse * (a01 * a20 - a00 * a21));
	set(a + 8, inverse * (a00 * a11 - a01 * a10));
}
