/**
 * Scaling of the unknowns: s_a = |W_aa|^(-1/2), one number per block, so that cones stay what they are. In R' = R / s, U' = s U,
 * W' = s W s every diagonal block has norm 1 and a reaction can be added to a velocity.
 */
import { get, set } from "./memory";
import { scalePairs } from "./scaling-pairs";

/** |x|, the larger of it and the largest so far. */
function larger(most: f64, x: f64): f64 {
	const size: f64 = Math.abs(x);
	return size > most ? size : most;
}

/** s of the block at w; 1 for a block of zeros. */
function blockScale(w: i32): f64 {
	const w00: f64 = get(w);
	const w01: f64 = get(w + 1);
	const w02: f64 = get(w + 2);
	const w10: f64 = get(w + 3);
	const w11: f64 = get(w + 4);
	const w12: f64 = get(w + 5);
	const w20: f64 = get(w + 6);
	const w21: f64 = get(w + 7);
	const w22: f64 = get(w + 8);
	let most: f64 = larger(larger(larger(Math.abs(w00), w01), w02), w10);
	most = larger(larger(larger(larger(larger(most, w11), w12), w20), w21), w22);
	if (!(most > 0)) return 1;
	// A Frobenius norm, divided by sqrt(3) so that a multiple of the identity becomes the identity; by shares of the largest
	// entry, whose squares are far from the ends of the numbers.
	const a: f64 = w00 / most;
	const b: f64 = w01 / most;
	const c: f64 = w02 / most;
	const d: f64 = w10 / most;
	const e: f64 = w11 / most;
	const f: f64 = w12 / most;
	const g: f64 = w20 / most;
	const h: f64 = w21 / most;
	const i: f64 = w22 / most;
	const squares: f64 = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i;
	return 1 / Math.sqrt(most * Math.sqrt(squares / 3));
}

/** Writes s of each block at w, and makes the blocks s^2 times what they were. */
export function scaleBlocks(blocks: i32, w: i32, s: i32): void {
	for (let a: i32 = scalePairs(blocks, w, s); a < blocks; a += 1) {
		const at: i32 = w + 9 * a;
		const scale: f64 = blockScale(at);
		const square: f64 = scale * scale;
		set(s + a, scale);
		set(at, square * get(at));
		set(at + 1, square * get(at + 1));
		set(at + 2, square * get(at + 2));
		set(at + 3, square * get(at + 3));
		set(at + 4, square * get(at + 4));
		set(at + 5, square * get(at + 5));
		set(at + 6, square * get(at + 6));
		set(at + 7, square * get(at + 7));
		set(at + 8, square * get(at + 8));
	}
}

/** Velocities in the problem's units times s, in place; returns the largest |x|. */
export function scaleVelocity(blocks: i32, s: i32, x: i32): f64 {
	let most: f64 = 0;
	for (let a: i32 = 0; a < blocks; a += 1) {
		const scale: f64 = get(s + a);
		const at: i32 = x + 3 * a;
		const x0: f64 = get(at) * scale;
		const x1: f64 = get(at + 1) * scale;
		const x2: f64 = get(at + 2) * scale;
		set(at, x0);
		set(at + 1, x1);
		set(at + 2, x2);
		// What is no number stays.
		most = Math.max(Math.max(Math.max(most, Math.abs(x0)), Math.abs(x1)), Math.abs(x2));
	}
	return most;
}

/** |x0| + |x1| + |x2| of each block at x. */
export function sizes(blocks: i32, x: i32, values: i32): void {
	for (let a: i32 = 0; a < blocks; a += 1) {
		const at: i32 = x + 3 * a;
		set(values + a, Math.abs(get(at)) + Math.abs(get(at + 1)) + Math.abs(get(at + 2)));
	}
}

/** x <- factor x. */
export function multiply(factor: f64, x: i32, length: i32): void {
	for (let i: i32 = x; i < x + length; i += 1) set(i, factor * get(i));
}

/** The highest power of two that is a unit. */
const UNIT_MAX: f64 = 1.0715086071862673e301;

/** The power of two that brings a number into [1, 2); 1 for zero. */
export function unitFor(largest: f64): f64 {
	if (largest == 0) return 1;
	let unit: f64 = 1;
	while (largest * unit < 1 && unit < UNIT_MAX) unit *= 2;
	while (largest * unit >= 2 && unit > 1 / UNIT_MAX) unit /= 2;
	return unit;
}
