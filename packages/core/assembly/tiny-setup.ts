/**
 * The scaled system of a few contacts, to the bit what src/system/system.ts, scaling.ts and assembled.ts make of it, and the denominators of
 * the measures (src/measures). What is out of the ordinary is left to them.
 */
import { deposit } from "./bins";
import { freeTerm } from "./denominator";
import { get, getInt, set, setInt } from "./memory";
import { blockScale, unitFor } from "./scaling";
import { sellColumns, sellFill } from "./sell-fill";
import { fill } from "./vectors";
import { tinyOrder } from "./tiny-order";
import {
	BLOCKS,
	COLUMN,
	RESIDUAL_DIFFERENCES,
	ENERGY_FREE,
	RESIDUAL,
	FLAGS,
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
	PAIR_START,
	SUMS,
	TERMS,
	VECTOR,
	W,
} from "./tiny-places";
import { tinyTotal } from "./tiny-sums";
import { markWaits } from "./waits";

/** As src/problem/diagonal.ts: where no pivot is below this share of the largest entry, the block is definite. */
const CLEAR_PIVOT: f64 = 1e-3;
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
		const s: f64 = blockScale(block);
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
	const unit: f64 = unitFor(largest);
	for (let i: i32 = 0; i < 3 * contacts; i += 1) set(base + Q + i, get(base + Q + i) * unit);
	return unit;
}

function lengthAt(base: i32, at: i32, contacts: i32): i32 {
	if (at >= contacts) return 0;
	const row: i32 = 2 * (base + ROW_START) + getInt(2 * (base + ORDER) + at);
	return getInt(row + 1) - getInt(row);
}

function fillRows(base: i32, contacts: i32): void {
	const pairs: i32 = (contacts + 1) >> 1;
	let slots: i32 = 0;
	setInt(2 * (base + PAIR_START), 0);
	for (let pair: i32 = 0; pair < pairs; pair += 1) {
		const first: i32 = lengthAt(base, 2 * pair, contacts);
		const second: i32 = lengthAt(base, 2 * pair + 1, contacts);
		slots += first > second ? first : second;
		setInt(2 * (base + PAIR_START) + pair + 1, slots);
		setInt(2 * (base + FLAGS) + pair, 0);
	}
	const rowStart: i32 = 2 * (base + ROW_START);
	const place: i32 = 2 * (base + PLACE);
	const start: i32 = 2 * (base + PAIR_START);
	const column: i32 = 2 * (base + SLOT_COLUMN);
	sellColumns(0, contacts, contacts, rowStart, 2 * (base + COLUMN), place, place, start, 2 * (base + FLAGS), column);
	sellFill(0, contacts, contacts, rowStart, base + BLOCKS, place, base + SCALE, start, column, base + SLOT_VALUES);
	markWaits(pairs, start, column, 2 * (base + FLAGS));
}

/** The denominators of energy, merit and natural. */
function addFree(base: i32, contacts: i32, unit: f64, table: i32): void {
	const terms: i32 = base + TERMS;
	for (let at: i32 = 0; at < contacts; at += 1) {
		freeTerm(base + W + 9 * at, base + Q + 3 * at, terms + at, terms + 64 + at);
		const free: i32 = base + FREE + 3 * getInt(2 * (base + ORDER) + at);
		const f0: f64 = unit * get(free);
		const f1: f64 = unit * get(free + 1);
		const f2: f64 = unit * get(free + 2);
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

/** Makes the system of what was given, in the order that stands there; RESULT and what it returns are those of tinySetUp. */
export function setUpInOrder(base: i32, contacts: i32, colours: i32, table: i32): i32 {
	if (!scaleDiagonal(base, contacts)) return 0;
	const length: i32 = WHOLE * ((contacts + 7) >> 3);
	// Of q, U, R and the point before a sweep, and of the window: what is padding, and what another problem left.
	for (let at: i32 = Q; at < RESIDUAL; at += VECTOR) fill(base + at, 0, length);
	for (let at: i32 = RESIDUAL; at < RESIDUAL_DIFFERENCES + 10 * VECTOR; at += VECTOR) fill(base + at, 0, length);
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

/**
 * Orders what was given and makes the system of it. RESULT: the number of colours, the unit, and how many numbers a vector has; returns 0 where the general way has to
 * do it (no diagonal block that is beyond doubt, rows that do not ascend), and 1 otherwise.
 */
export function tinySetUp(base: i32, contacts: i32, table: i32): i32 {
	const colours: i32 = tinyOrder(base, contacts);
	return colours == 0 ? 0 : setUpInOrder(base, contacts, colours, table);
}
