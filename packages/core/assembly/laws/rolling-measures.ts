/**
 * The three measures on rolling contacts. A moment has another unit than a force, so each block is taken in the metric of its own:
 * energy with the weights w_a = trace(W_aa) / 3 of both blocks, free of units; natural and merit in the problem's own units, as
 * for any other law, where they add moments to forces as they add impulses to velocities.
 */
import { deposit } from "../bins";
import { solveBlock } from "../block";
import { get, set } from "../memory";
import { projectRolling, rollingResidual } from "./rolling";
import { PARAMETERS } from "./law";

/** Scratch for one contact, 27 numbers: parameters, reaction, velocity, residual, and six more. */
const R: i32 = 3;
const U: i32 = 9;
const C: i32 = 15;
const WORK: i32 = 21;

/** Writes R / scale and scale U of a contact whose blocks have these scales, and its parameters with mu_r and mu_s times `lengths`. */
function divide(p: i32, lengths: f64, r: i32, u: i32, force: f64, moment: f64, e: i32): void {
	set(e, get(p));
	set(e + 1, lengths * get(p + 1));
	set(e + 2, lengths * get(p + 2));
	for (let i: i32 = 0; i < 6; i += 1) {
		const scale: f64 = i < 3 ? force : moment;
		set(e + R + i, get(r + i) / scale);
		set(e + U + i, get(u + i) * scale);
	}
}

/** <W_aa x, x> of one block. */
function form(w: i32, x: i32): f64 {
	const x0: f64 = get(x);
	const x1: f64 = get(x + 1);
	const x2: f64 = get(x + 2);
	return (
		x0 * (get(w) * x0 + get(w + 1) * x1 + get(w + 2) * x2) +
		x1 * (get(w + 3) * x0 + get(w + 4) * x1 + get(w + 5) * x2) +
		x2 * (get(w + 6) * x0 + get(w + 7) * x1 + get(w + 8) * x2)
	);
}

/** <W_aa e_a, e_a> over both blocks, e = R - proj_K(R - F / w) in the metric of the weights, R projected on K first. */
function contactEnergy(p: i32, w: i32, r: i32, u: i32, e: i32): f64 {
	const force: f64 = Math.sqrt(3 / (get(w) + get(w + 4) + get(w + 8)));
	const moment: f64 = Math.sqrt(3 / (get(w + 9) + get(w + 13) + get(w + 17)));
	divide(p, force / moment, r, u, force, moment, e);
	projectRolling(e, e + R, e + C);
	for (let i: i32 = 0; i < 6; i += 1) set(e + R + i, get(e + C + i));
	rollingResidual(e, e + R, e + U, e + C, e + WORK);
	return force * force * form(w, e + C) + moment * moment * form(w + 9, e + C + 3);
}

/** <W_aa^-1 C_a, C_a> over both blocks, C = R - proj_K(R - F) in the problem's own units. */
function contactMerit(p: i32, s: i32, w: i32, r: i32, u: i32, e: i32): f64 {
	const force: f64 = get(s);
	const moment: f64 = get(s + 1);
	divide(p, 1, r, u, 1 / force, 1 / moment, e);
	rollingResidual(e, e + R, e + U, e + C, e + WORK);
	let sum: f64 = 0;
	for (let block: i32 = 0; block < 2; block += 1) {
		// W_aa^-1 = s^2 W'_aa^-1: both factors of the form take one s.
		const scale: f64 = block == 0 ? force : moment;
		const c: i32 = e + C + 3 * block;
		for (let i: i32 = 0; i < 3; i += 1) set(c + i, scale * get(c + i));
		solveBlock(w + 9 * block, get(c), get(c + 1), get(c + 2), e + WORK);
		sum += get(c) * get(e + WORK) + get(c + 1) * get(e + WORK + 1) + get(c + 2) * get(e + WORK + 2);
	}
	return sum;
}

/** Writes energy's terms, that of a contact at its force, with a minus as if it slid, and zero at its moment; e is scratch for 27 numbers, here and below. */
export function rollingEnergyTerms(from: i32, to: i32, p: i32, w: i32, r: i32, u: i32, e: i32, terms: i32): void {
	for (let a: i32 = from; a < to; a += 2) {
		set(terms + a, -contactEnergy(p + PARAMETERS * a, w + 9 * a, r + 3 * a, u + 3 * a, e));
		set(terms + a + 1, 0);
	}
}

/** Adds merit's terms to a sum; parameters are in the problem's units, as below; `values` is scratch for 64 numbers. */
export function rollingMeritTerms(
	from: i32,
	to: i32,
	p: i32,
	s: i32,
	w: i32,
	r: i32,
	u: i32,
	e: i32,
	values: i32,
	sum: i32,
	table: i32,
): void {
	for (let first: i32 = from; first < to; first += 128) {
		const last: i32 = first + 128 < to ? first + 128 : to;
		for (let a: i32 = first; a < last; a += 2) {
			set(values + ((a - first) >> 1), contactMerit(p + PARAMETERS * a, s + a, w + 9 * a, r + 3 * a, u + 3 * a, e));
		}
		deposit(values, (last - first) >> 1, sum, table);
	}
}

/** Adds natural's terms to three sums, one after another in memory; `values` is scratch for three times 64. */
export function rollingNaturalTerms(
	from: i32,
	to: i32,
	p: i32,
	s: i32,
	r: i32,
	u: i32,
	e: i32,
	values: i32,
	sums: i32,
	table: i32,
): void {
	for (let first: i32 = from; first < to; first += 128) {
		const last: i32 = first + 128 < to ? first + 128 : to;
		for (let a: i32 = first; a < last; a += 2) {
			const at: i32 = values + ((a - first) >> 1);
			divide(p + PARAMETERS * a, 1, r + 3 * a, u + 3 * a, 1 / get(s + a), 1 / get(s + a + 1), e);
			rollingResidual(e, e + R, e + U, e + C, e + WORK);
			set(at, squares(e + C));
			set(at + 64, squares(e + R));
			set(at + 128, squares(e + U));
		}
		for (let j: i32 = 0; j < 3; j += 1) deposit(values + 64 * j, (last - first) >> 1, sums + 8 * j, table);
	}
}

function squares(x: i32): f64 {
	let sum: f64 = 0;
	for (let i: i32 = 0; i < 6; i += 1) sum += get(x + i) * get(x + i);
	return sum;
}
