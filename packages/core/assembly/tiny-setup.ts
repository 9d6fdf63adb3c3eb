/**
 * The scaled system of a few contacts, to the bit what src/system/system.ts, scaling.ts and assembled.ts make of it, and the denominators of
 * the measures (src/measures). What is out of the ordinary is left to them.
 */
import { deposit } from "./bins";
import { get, getInt, set, setInt } from "./memory";
import { fill } from "./vectors";
import { tinyOrder } from "./tiny-order";
import {
	BLOCKS,
	COLUMN,
	COUPLED,
	DF,
	ENERGY_FREE,
	F,
	FREE,
	FREE_NORM,
	FRICTION,
	MEASURE_SUMS,
	MERIT_FREE,
	MU,
	ORDER,
	PLACE,
	Q,
	RESULT,
	ROW_START,
	SCALE,
	SLOT_COLUMN,
	SLOT_VALUES,
	START,
	SUMS,
	TERMS,
	VECTOR,
	W,
} from "./tiny-places";
import { tinyTotal } from "./tiny-sums";

/** As src/problem/diagonal.ts: where no pivot is below this share of the largest entry, the block is definite. */
const CLEAR_PIVOT: f64 = 1e-3;
/** As src/system/scaling.ts. */
const UNIT_MAX: f64 = 1.0715086071862673e301;
/** As src/measures/denominator.ts. */
const MERIT_ZERO: f64 = 2.2e-16;
/** Numbers that kernels take at a time. */
const WHOLE: i32 = 24;

/** The largest |w| of the block at w where it is definite beyond doubt; 0 otherwise. */
function clearLargest(w: i32): f64 {
	let largest: f64 = 0;
	for (let i: i32 = 0; i < 9; i += 1) largest = Math.max(largest, Math.abs(get(w + i)));
	const least: f64 = CLEAR_PIVOT * largest;
	const xx: f64 = get(w);
	if (!(xx > least)) return 0;
	const xy: f64 = (get(w + 1) + get(w + 3)) / 2;
	const xz: f64 = (get(w + 2) + get(w + 6)) / 2;
	const yz: f64 = (get(w + 5) + get(w + 7)) / 2;
	const second: f64 = get(w + 4) - (xy / xx) * xy;
	const mixed: f64 = yz - (xy / xx) * xz;
	return second > least && get(w + 8) - (xz / xx) * xz - (mixed / second) * mixed > least ? largest : 0;
}

/** The place of the diagonal block of contact a among the given ones; -1 for none. */
function diagonalOf(base: i32, a: i32): i32 {
	for (let k: i32 = getInt(2 * (base + ROW_START) + a); k < getInt(2 * (base + ROW_START) + a + 1); k += 1) {
		if (getInt(2 * (base + COLUMN) + k) == a) return base + BLOCKS + 9 * k;
	}
	return -1;
}

/** Scales, friction and diagonal blocks by place; false where a block is not clearly definite. */
function scaleDiagonal(base: i32, contacts: i32): boolean {
	for (let at: i32 = 0; at < contacts; at += 1) {
		const a: i32 = getInt(2 * (base + ORDER) + at);
		const block: i32 = diagonalOf(base, a);
		const largest: f64 = block < 0 ? 0 : clearLargest(block);
		if (!(largest > 0)) return false;
		let squares: f64 = 0;
		for (let i: i32 = 0; i < 9; i += 1) {
			const share: f64 = get(block + i) / largest;
			squares += share * share;
		}
		const s: f64 = 1 / Math.sqrt(largest * Math.sqrt(squares / 3));
		const square: f64 = s * s;
		set(base + SCALE + at, s);
		set(base + MU + at, get(base + FRICTION + a));
		for (let i: i32 = 0; i < 9; i += 1) set(base + W + 9 * at + i, square * get(block + i));
	}
	return true;
}

/** q by place, scaled, times the power of two that makes it about 1; returns that. */
function scaleFree(base: i32, contacts: i32): f64 {
	let largest: f64 = 0;
	for (let at: i32 = 0; at < contacts; at += 1) {
		const a: i32 = getInt(2 * (base + ORDER) + at);
		for (let i: i32 = 0; i < 3; i += 1) {
			const value: f64 = get(base + FREE + 3 * a + i) * get(base + SCALE + at);
			set(base + Q + 3 * at + i, value);
			largest = Math.max(largest, Math.abs(value));
		}
	}
	if (largest == 0) return 1;
	let unit: f64 = 1;
	while (largest * unit < 1 && unit < UNIT_MAX) unit *= 2;
	while (largest * unit >= 2 && unit > 1 / UNIT_MAX) unit /= 2;
	for (let i: i32 = 0; i < 3 * contacts; i += 1) set(base + Q + i, get(base + Q + i) * unit);
	return unit;
}

/** The row of place `at` (beyond the contacts: an empty one) into the lane of its pair. */
function fillRow(base: i32, at: i32, contacts: i32): void {
	const start: i32 = 2 * (base + START) + (at >> 1);
	const lane: i32 = at & 1;
	const end: i32 = getInt(start + 1);
	const isContact: boolean = at < contacts;
	let slot: i32 = getInt(start);
	if (isContact) {
		const a: i32 = getInt(2 * (base + ORDER) + at);
		const last: i32 = getInt(2 * (base + ROW_START) + a + 1);
		for (let k: i32 = getInt(2 * (base + ROW_START) + a); k < last; k += 1) {
			const other: i32 = getInt(2 * (base + PLACE) + getInt(2 * (base + COLUMN) + k));
			if (other == (at ^ 1)) setInt(2 * (base + COUPLED) + (at >> 1), 1);
			setInt(2 * (base + SLOT_COLUMN) + 2 * slot + lane, 24 * other);
			const factor: f64 = get(base + SCALE + at) * get(base + SCALE + other);
			const to: i32 = base + SLOT_VALUES + 18 * slot + lane;
			for (let i: i32 = 0; i < 9; i += 1) set(to + 2 * i, factor * get(base + BLOCKS + 9 * k + i));
			slot += 1;
		}
	}
	for (; slot < end; slot += 1) {
		setInt(2 * (base + SLOT_COLUMN) + 2 * slot + lane, isContact ? 24 * at : 0);
		for (let i: i32 = 0; i < 9; i += 1) set(base + SLOT_VALUES + 18 * slot + lane + 2 * i, 0);
	}
}

function lengthAt(base: i32, at: i32, contacts: i32): i32 {
	if (at >= contacts) return 0;
	const row: i32 = 2 * (base + ROW_START) + getInt(2 * (base + ORDER) + at);
	return getInt(row + 1) - getInt(row);
}

function fillRows(base: i32, contacts: i32): void {
	const pairs: i32 = (contacts + 1) >> 1;
	let slots: i32 = 0;
	setInt(2 * (base + START), 0);
	for (let pair: i32 = 0; pair < pairs; pair += 1) {
		const first: i32 = lengthAt(base, 2 * pair, contacts);
		const second: i32 = lengthAt(base, 2 * pair + 1, contacts);
		slots += first > second ? first : second;
		setInt(2 * (base + START) + pair + 1, slots);
		setInt(2 * (base + COUPLED) + pair, 0);
	}
	for (let at: i32 = 0; at < 2 * pairs; at += 1) fillRow(base, at, contacts);
}

/** <A^-1 b, b> where p is the row with the largest first entry: src/measures/denominator.ts. */
function eliminated(
	p0: f64,
	p1: f64,
	p2: f64,
	p3: f64,
	q0: f64,
	q1: f64,
	q2: f64,
	q3: f64,
	r0: f64,
	r1: f64,
	r2: f64,
	r3: f64,
	b0: f64,
	b1: f64,
	b2: f64,
): f64 {
	const q: f64 = q0 / p0;
	const qq1: f64 = q1 - q * p1;
	const qq2: f64 = q2 - q * p2;
	const qq3: f64 = q3 - q * p3;
	const r: f64 = r0 / p0;
	const rr1: f64 = r1 - r * p1;
	const rr2: f64 = r2 - r * p2;
	const rr3: f64 = r3 - r * p3;
	const isSwapped: boolean = Math.abs(rr1) > Math.abs(qq1);
	const s1: f64 = isSwapped ? rr1 : qq1;
	const s2: f64 = isSwapped ? rr2 : qq2;
	const s3: f64 = isSwapped ? rr3 : qq3;
	const t: f64 = (isSwapped ? qq1 : rr1) / s1;
	const x2: f64 = ((isSwapped ? qq3 : rr3) - t * s3) / ((isSwapped ? qq2 : rr2) - t * s2);
	const x1: f64 = (s3 - s2 * x2) / s1;
	const x0: f64 = (p3 - p1 * x1 - p2 * x2) / p0;
	return b0 * x0 + b1 * x1 + b2 * x2;
}

function inverseForm(
	a0: f64,
	a1: f64,
	a2: f64,
	d0: f64,
	d1: f64,
	d2: f64,
	g0: f64,
	g1: f64,
	g2: f64,
	b0: f64,
	b1: f64,
	b2: f64,
): f64 {
	if (Math.abs(g0) > Math.max(Math.abs(a0), Math.abs(d0))) {
		return eliminated(g0, g1, g2, b2, d0, d1, d2, b1, a0, a1, a2, b0, b0, b1, b2);
	}
	if (Math.abs(d0) > Math.abs(a0)) return eliminated(d0, d1, d2, b1, a0, a1, a2, b0, g0, g1, g2, b2, b0, b1, b2);
	return eliminated(a0, a1, a2, b0, d0, d1, d2, b1, g0, g1, g2, b2, b0, b1, b2);
}

/** The denominators of energy, merit and natural. */
function addFree(base: i32, contacts: i32, unit: f64, table: i32): void {
	const terms: i32 = base + TERMS;
	for (let at: i32 = 0; at < contacts; at += 1) {
		const w: i32 = base + W + 9 * at;
		const w01: f64 = get(w + 1);
		const w02: f64 = get(w + 2);
		const w10: f64 = get(w + 3);
		const w12: f64 = get(w + 5);
		const w20: f64 = get(w + 6);
		const w21: f64 = get(w + 7);
		const q0: f64 = get(base + Q + 3 * at);
		const q1: f64 = get(base + Q + 3 * at + 1);
		const q2: f64 = get(base + Q + 3 * at + 2);
		const merit: f64 = inverseForm(get(w), w01, w02, w10, get(w + 4), w12, w20, w21, get(w + 8), q0, q1, q2);
		let energy: f64 = merit;
		if (w01 != w10 || w02 != w20 || w12 != w21) {
			const m01: f64 = 0.5 * (w01 + w10);
			const m02: f64 = 0.5 * (w02 + w20);
			const m12: f64 = 0.5 * (w12 + w21);
			energy = inverseForm(get(w), m01, m02, m01, get(w + 4), m12, m02, m12, get(w + 8), q0, q1, q2);
		}
		const free: i32 = base + FREE + 3 * getInt(2 * (base + ORDER) + at);
		const f0: f64 = unit * get(free);
		const f1: f64 = unit * get(free + 1);
		const f2: f64 = unit * get(free + 2);
		set(terms + at, energy);
		set(terms + 64 + at, merit);
		set(terms + 128 + at, f0 * f0 + f1 * f1 + f2 * f2);
	}
	const sums: i32 = base + MEASURE_SUMS;
	for (let j: i32 = 0; j < 3; j += 1) deposit(terms + 64 * j, contacts, sums + 8 * j, table);
	const energy: f64 = tinyTotal(sums);
	const merit: f64 = tinyTotal(sums + 8);
	set(base + ENERGY_FREE, energy > 0 ? energy : 1);
	set(base + MERIT_FREE, merit > MERIT_ZERO * unit * unit ? merit : unit * unit);
	set(base + FREE_NORM, Math.sqrt(tinyTotal(sums + 16)));
}

/**
 * Makes the system of what was given. RESULT: the number of colours, the unit, and how many numbers a vector has; returns 0 where the general way has to
 * do it (no diagonal block that is beyond doubt, rows that do not ascend), and 1 otherwise.
 */
export function tinySetUp(base: i32, contacts: i32, table: i32): i32 {
	const colours: i32 = tinyOrder(base, contacts);
	if (colours == 0 || !scaleDiagonal(base, contacts)) return 0;
	const length: i32 = WHOLE * ((contacts + 7) >> 3);
	// Of q, U, R and the point before a sweep, and of the window: what is padding, and what another problem left.
	for (let at: i32 = Q; at < F; at += VECTOR) fill(base + at, 0, length);
	for (let at: i32 = F; at < DF + 10 * VECTOR; at += VECTOR) fill(base + at, 0, length);
	fill(base + SUMS, 0, MEASURE_SUMS - SUMS + 48);
	for (let at: i32 = SUMS; at < MEASURE_SUMS + 40; at += 8) {
		set(base + at, 2);
		set(base + at + 1, 2);
	}
	const unit: f64 = scaleFree(base, contacts);
	fillRows(base, contacts);
	addFree(base, contacts, unit, table);
	set(base + RESULT, colours);
	set(base + RESULT + 1, unit);
	set(base + RESULT + 2, length);
	return 1;
}
