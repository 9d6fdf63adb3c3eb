/** The block-diagonal parts of Newton's matrix, Koziara 2017, algorithm 1 steps b and c: C, X, Y, and A_aa = X W_aa + Y + delta D. */
import { invertBlock, solveBlock } from "./block";
import { project } from "./cone";
import { projectPairs } from "./cone-pairs";
import { get, set } from "./memory";
import { contactResidual } from "./smoothing";

/** C, and X, Y where x >= 0, for the blocks from..to-1 at (R, U); an equality block has C = U, X = I, Y = 0. */
export function linearise(
	from: i32,
	to: i32,
	contacts: i32,
	omega: f64,
	mu: i32,
	r: i32,
	u: i32,
	c: i32,
	x: i32,
	y: i32,
): void {
	for (let a: i32 = from; a < to; a += 1) {
		if (a < contacts) {
			const xa: i32 = x < 0 ? -1 : x + 9 * a;
			contactResidual(get(mu + a), get(mu + a), omega, r + 3 * a, u + 3 * a, c + 3 * a, xa, y + 9 * a);
			continue;
		}
		for (let i: i32 = 0; i < 3; i += 1) set(c + 3 * a + i, get(u + 3 * a + i));
		if (x < 0) continue;
		for (let k: i32 = 0; k < 9; k += 1) {
			set(x + 9 * a + k, k == 0 || k == 4 || k == 8 ? 1 : 0);
			set(y + 9 * a + k, 0);
		}
	}
}

/** P_a = ((1 + d) (X_a W_aa + Y_a) + delta I)^-1: delta is the paper's (eq. 52), d the scaled method's. */
export function invertDiagonal(from: i32, to: i32, delta: f64, d: f64, w: i32, x: i32, y: i32, p: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const wa: i32 = w + 9 * a;
		const pa: i32 = p + 9 * a;
		for (let i: i32 = 0; i < 9; i += 3) {
			const x0: f64 = get(x + 9 * a + i);
			const x1: f64 = get(x + 9 * a + i + 1);
			const x2: f64 = get(x + 9 * a + i + 2);
			for (let j: i32 = 0; j < 3; j += 1) {
				const value: f64 = x0 * get(wa + j) + x1 * get(wa + 3 + j) + x2 * get(wa + 6 + j) + get(y + 9 * a + i + j);
				set(pa + i + j, (1 + d) * value);
			}
		}
		set(pa, get(pa) + delta);
		set(pa + 4, get(pa + 4) + delta);
		set(pa + 8, get(pa + 8) + delta);
		invertBlock(pa);
	}
}

/** y_a <- m_a x_a for blocks m. */
export function blockProduct(from: i32, to: i32, m: i32, x: i32, y: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const x0: f64 = get(x + 3 * a);
		const x1: f64 = get(x + 3 * a + 1);
		const x2: f64 = get(x + 3 * a + 2);
		const ma: i32 = m + 9 * a;
		set(y + 3 * a, get(ma) * x0 + get(ma + 1) * x1 + get(ma + 2) * x2);
		set(y + 3 * a + 1, get(ma + 3) * x0 + get(ma + 4) * x1 + get(ma + 5) * x2);
		set(y + 3 * a + 2, get(ma + 6) * x0 + get(ma + 7) * x1 + get(ma + 8) * x2);
	}
}

/**
 * A z from u = W z, in place of u: X u + Y z + delta z + d (X W_aa + Y) z  (eqs. 49 and 52; d = 0 in the paper).
 */
export function newtonProduct(from: i32, to: i32, delta: f64, d: f64, w: i32, x: i32, y: i32, z: i32, u: i32): void {
	for (let a: i32 = from; a < to; a += 1) {
		const z0: f64 = get(z + 3 * a);
		const z1: f64 = get(z + 3 * a + 1);
		const z2: f64 = get(z + 3 * a + 2);
		let u0: f64 = get(u + 3 * a);
		let u1: f64 = get(u + 3 * a + 1);
		let u2: f64 = get(u + 3 * a + 2);
		let grow: f64 = 1;
		if (d != 0) {
			const wa: i32 = w + 9 * a;
			u0 += d * (get(wa) * z0 + get(wa + 1) * z1 + get(wa + 2) * z2);
			u1 += d * (get(wa + 3) * z0 + get(wa + 4) * z1 + get(wa + 5) * z2);
			u2 += d * (get(wa + 6) * z0 + get(wa + 7) * z1 + get(wa + 8) * z2);
			grow = 1 + d;
		}
		const xa: i32 = x + 9 * a;
		const ya: i32 = y + 9 * a;
		for (let i: i32 = 0; i < 3; i += 1) {
			const own: f64 = i == 0 ? z0 : i == 1 ? z1 : z2;
			const k: i32 = 3 * i;
			const fromU: f64 = get(xa + k) * u0 + get(xa + k + 1) * u1 + get(xa + k + 2) * u2;
			const fromZ: f64 = get(ya + k) * z0 + get(ya + k + 1) * z1 + get(ya + k + 2) * z2;
			set(u + 3 * a + i, fromU + grow * fromZ + delta * own);
		}
	}
}

/** r <- proj_K(r + factor d) on contacts; equality blocks are free. d may be absent (< 0). */
export function addProjected(from: i32, to: i32, contacts: i32, mu: i32, factor: f64, d: i32, r: i32): void {
	const first: i32 = d >= 0 ? from : projectPairs(from, to < contacts ? to : contacts, mu, r);
	for (let a: i32 = first; a < to; a += 1) {
		let r0: f64 = get(r + 3 * a);
		let r1: f64 = get(r + 3 * a + 1);
		let r2: f64 = get(r + 3 * a + 2);
		if (d >= 0) {
			r0 += factor * get(d + 3 * a);
			r1 += factor * get(d + 3 * a + 1);
			r2 += factor * get(d + 3 * a + 2);
		}
		if (a < contacts) {
			project(get(mu + a), r0, r1, r2, r + 3 * a);
		} else {
			set(r + 3 * a, r0);
			set(r + 3 * a + 1, r1);
			set(r + 3 * a + 2, r2);
		}
	}
}

/**
 * The diagonal method's step, Koziara's abstract, algorithm 1 steps b and c, for the blocks from..to-1:
 * d <- (1 - theta) d - theta A_aa^-1 C_a with A_aa = X W_aa + Y. work is scratch for 30 numbers; nothing else is stored per contact.
 */
export function diagonalStep(
	from: i32,
	to: i32,
	contacts: i32,
	omega: f64,
	theta: f64,
	mu: i32,
	w: i32,
	r: i32,
	u: i32,
	d: i32,
	work: i32,
): void {
	const x: i32 = work;
	const y: i32 = work + 9;
	const p: i32 = work + 18;
	const c: i32 = work + 27;
	for (let a: i32 = from; a < to; a += 1) {
		const da: i32 = d + 3 * a;
		if (a < contacts) {
			contactResidual(get(mu + a), get(mu + a), omega, r + 3 * a, u + 3 * a, c, x, y);
			invertDiagonal(0, 1, 0, 0, w + 9 * a, x, y, p);
			blockProduct(0, 1, p, c, x);
		} else {
			solveBlock(w + 9 * a, get(u + 3 * a), get(u + 3 * a + 1), get(u + 3 * a + 2), x);
		}
		for (let i: i32 = 0; i < 3; i += 1) set(da + i, (1 - theta) * get(da + i) - theta * get(x + i));
	}
}
