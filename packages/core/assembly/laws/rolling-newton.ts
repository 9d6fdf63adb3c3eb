/**
 * The linearisation of rolling contacts for methods of Newton's kind. Not of the natural map, whose derivative mixes all six numbers, but of the
 * residual of Alart and Curnier with the limits at the normal reaction itself, which vanishes where that map does:
 *
 *     C_N = R_N - max(0, R_N - U_N)
 *     C_T = R_T - D(R_T - U_T, mu R_N)      D(s, d) the nearest point to s of the disc of radius max(0, d)
 *     C_M = M_T - D(M_T - O_T, mu_r R_N),   spin alike with mu_s
 *
 * So X and Y are of blocks of three, but for what R_N does to the moment: `coupling`, three numbers of the moment's block, dC_M / dR_N. F of this
 * law has roots at speeds of zero, which cancel here: there is nothing to smooth.
 */
import { get, set } from "../memory";
import { blockProduct, invertDiagonal } from "../newton";
import { PARAMETERS } from "./law";

/** C, X and Y of the numbers 1 and 2 of a block within a disc, and dC / dR_N at `lead`, so many numbers apart. */
function discRows(mu: f64, normal: f64, r: i32, u: i32, c: i32, x: i32, y: i32, lead: i32, apart: i32): void {
	const radius: f64 = normal > 0 ? mu * normal : 0;
	const s1: f64 = get(r + 1) - get(u + 1);
	const s2: f64 = get(r + 2) - get(u + 2);
	const size: f64 = Math.sqrt(s1 * s1 + s2 * s2);
	const isInside: boolean = size <= radius && radius > 0;
	const share: f64 = isInside ? 1 : size > 0 ? radius / size : 0;
	set(c + 1, get(r + 1) - share * s1);
	set(c + 2, get(r + 2) - share * s2);
	if (x < 0) return;
	const e1: f64 = isInside || size == 0 ? 0 : s1 / size;
	const e2: f64 = isInside || size == 0 ? 0 : s2 / size;
	const x11: f64 = share * (1 - e1 * e1);
	const x12: f64 = -share * e1 * e2;
	const x22: f64 = share * (1 - e2 * e2);
	set(x + 4, x11);
	set(x + 5, x12);
	set(x + 7, x12);
	set(x + 8, x22);
	set(y + 4, 1 - x11);
	set(y + 5, -x12);
	set(y + 7, -x12);
	set(y + 8, 1 - x22);
	const slope: f64 = normal >= 0 ? mu : 0;
	set(lead, -slope * e1);
	set(lead + apart, -slope * e2);
}

/** The same of number 0 between its limits. */
function spinRow(mu: f64, normal: f64, r: i32, u: i32, c: i32, x: i32, y: i32, lead: i32): void {
	const radius: f64 = normal > 0 ? mu * normal : 0;
	const s: f64 = get(r) - get(u);
	const isInside: boolean = Math.abs(s) <= radius && radius > 0;
	const sign: f64 = s > 0 ? 1 : s < 0 ? -1 : 0;
	set(c, get(r) - (isInside ? s : sign * radius));
	if (x < 0) return;
	set(x, isInside ? 1 : 0);
	set(y, isInside ? 0 : 1);
	set(lead, isInside || normal < 0 ? 0 : -mu * sign);
}

/** Both blocks of one contact. */
function contact(p: i32, r: i32, u: i32, c: i32, x: i32, y: i32, coupling: i32): void {
	const normal: f64 = get(r);
	const isClosed: boolean = normal - get(u) > 0;
	set(c, isClosed ? get(u) : normal);
	if (x >= 0) {
		for (let k: i32 = 0; k < 18; k += 1) {
			set(x + k, 0);
			set(y + k, 0);
		}
		for (let i: i32 = 0; i < 3; i += 1) set(coupling + i, 0);
		set(isClosed ? x : y, 1);
	}
	const moment: i32 = x < 0 ? -1 : x + 9;
	discRows(get(p), normal, r, u, c, x, y, y + 3, 3);
	spinRow(get(p + 2), normal, r + 3, u + 3, c + 3, moment, y + 9, coupling);
	discRows(get(p + 1), normal, r + 3, u + 3, c + 3, moment, y + 9, coupling + 1, 1);
}

/** C at c and, where x >= 0, X, Y and the coupling, for the places from..to-1. */
export function rollingLinearise(
	from: i32,
	to: i32,
	p: i32,
	r: i32,
	u: i32,
	c: i32,
	x: i32,
	y: i32,
	coupling: i32,
): void {
	for (let a: i32 = from; a < to; a += 2) {
		const xa: i32 = x < 0 ? -1 : x + 9 * a;
		contact(p + PARAMETERS * a, r + 3 * a, u + 3 * a, c + 3 * a, xa, y + 9 * a, coupling + 3 * a + 3);
	}
}

/** u_b += factor coupling_b z_N, z_N the normal number of the force in front of each moment b. */
export function addCoupling(from: i32, to: i32, factor: f64, coupling: i32, z: i32, u: i32): void {
	for (let a: i32 = from; a < to; a += 2) {
		const normal: f64 = factor * get(z + 3 * a);
		for (let i: i32 = 3 * a + 3; i < 3 * a + 6; i += 1) set(u + i, get(u + i) + normal * get(coupling + i));
	}
}

/** d <- (1 - theta) d - theta A_aa^-1 C_a, first of the force, then of the moment with what the force does to it; work has room for 54 numbers. */
export function rollingDiagonalStep(
	from: i32,
	to: i32,
	p: i32,
	theta: f64,
	w: i32,
	r: i32,
	u: i32,
	d: i32,
	work: i32,
): void {
	const y: i32 = work + 18;
	const inverse: i32 = work + 36;
	const c: i32 = work + 45;
	const coupling: i32 = work + 51;
	for (let a: i32 = from; a < to; a += 2) {
		contact(p + PARAMETERS * a, r + 3 * a, u + 3 * a, c, work, y, coupling);
		for (let block: i32 = 0; block < 2; block += 1) {
			const b: i32 = a + block;
			invertDiagonal(0, 1, 0, 0, w + 9 * b, work + 9 * block, y + 9 * block, inverse);
			// The step takes the place of X, which has been used.
			blockProduct(0, 1, inverse, c + 3 * block, work + 9 * block);
			if (block == 0)
				for (let i: i32 = 0; i < 3; i += 1) set(c + 3 + i, get(c + 3 + i) - get(coupling + i) * get(work));
			for (let i: i32 = 0; i < 3; i += 1) {
				set(d + 3 * b + i, (1 - theta) * get(d + 3 * b + i) - theta * get(work + 9 * block + i));
			}
		}
	}
}
