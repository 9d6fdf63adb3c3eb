/**
 * The scaled system of a few contacts, to the bit what src/system/system.ts, scaling.ts and assembled.ts make of it, and the denominators of
 * the measures (src/measures). What is out of the ordinary is left to them, and what is wrong to the checks (src/problem/validate.ts), which have words for it.
 */
import { deposit } from "./bins";
import { orderByColour } from "./colour-order";
import { colourByMasks, isSymmetricPattern } from "./colouring";
import { componentDenominator, componentTotals, depositMembers, groupComponents, joinRows } from "./components";
import { freeTerms } from "./denominator";
import { energyTerms } from "./energy";
import { get, getInt, set, setInt } from "./memory";
import { scaleBlocks, unitFor } from "./scaling";
import { sellColumns, sellFill } from "./sell-fill";
import {
	BLOCKS,
	COLOUR,
	COLOUR_START,
	COLUMN,
	COMPONENT_START,
	COMPONENTS,
	DENOMINATORS,
	ENERGY_SCALE,
	ENERGY_TERMS,
	FLAGS,
	FREE,
	FREE_NORM,
	FRICTION,
	LAST_RESIDUAL,
	layOut,
	LIST,
	MASK,
	MEMBER,
	PARENT,
	R,
	RESIDUAL,
	MEASURE_SUMS,
	MERIT_FREE,
	MU,
	ORDER,
	ORDER_WORK,
	PAIR_START,
	PLACE,
	Q,
	RESULT,
	ROW_START,
	SCALE,
	SCRATCH,
	SEQUENCE,
	SLOT_COLUMN,
	SLOT_VALUES,
	SUMS,
	TERMS,
	VECTOR,
	VECTORS,
	W,
} from "./tiny-places";
import { total } from "./total";
import { clearStrided, fill } from "./vectors";
import { markWaits } from "./waits";

/** As src/problem/diagonal.ts: where no pivot is below this share of the largest entry, the block is definite. */
const CLEAR_PIVOT: f64 = 1e-3;
/** As src/measures/denominator.ts. */
const MERIT_ZERO: f64 = 2.2e-16;
/** Terms that kernels form before they add them up. */
const CHUNK: i32 = 64;

/** Whether q is finite, friction is zero or positive, and rows start at 0, do not fall, and end where they have to. */
function areGiven(base: i32, contacts: i32, blocks: i32): boolean {
	let sum: f64 = 0;
	for (let i: i32 = base + FREE; i < base + FREE + 3 * contacts; i += 1) sum += 0 * get(i);
	for (let a: i32 = base + FRICTION; a < base + FRICTION + contacts; a += 1) {
		sum += 0 * get(a);
		if (get(a) < 0) return false;
	}
	if (sum != 0) return false;
	const start: i32 = 2 * (base + ROW_START);
	if (getInt(start) != 0 || getInt(start + contacts) != blocks) return false;
	for (let a: i32 = start; a < start + contacts; a += 1) if (getInt(a + 1) < getInt(a)) return false;
	return true;
}

/** Orders the contacts by colour (src/outline/layout.ts); returns the number of colours, and 0 where rows do not ascend, are not symmetric, or need too many. */
export function orderContacts(base: i32, contacts: i32): i32 {
	const start: i32 = 2 * (base + ROW_START);
	const list: i32 = 2 * (base + COLUMN);
	const mask: i32 = 2 * (base + MASK);
	const colour: i32 = 2 * (base + COLOUR);
	const order: i32 = 2 * (base + LIST);
	const work: i32 = 2 * (base + ORDER_WORK);
	if (isSymmetricPattern(contacts, start, list, mask) == 0) return 0;
	const sequence: i32 = 2 * (base + SEQUENCE);
	if (colourByMasks(contacts, start, list, sequence, colour, mask, contacts, order, work) == 0) return 0;
	const places: i32 = 2 * (base + PLACE);
	return orderByColour(contacts, colour, start, 2 * (base + ORDER), places, 2 * (base + COLOUR_START), work);
}

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

/** Scales, friction and diagonal blocks by place; false where a block is not clearly definite. Of bodies, whose blocks are not given, those of the diagonal stand by id. */
function scaleDiagonal(base: i32, contacts: i32, isOfBodies: boolean): boolean {
	for (let at: i32 = 0; at < contacts; at += 1) {
		const a: i32 = getInt(2 * (base + ORDER) + at);
		const block: i32 = isOfBodies ? base + BLOCKS + 9 * a : diagonalOf(base, a);
		const largest: f64 = block < 0 ? 0 : clearLargest(block);
		if (!(largest > 0)) return false;
		set(base + MU + at, get(base + FRICTION + a));
		for (let i: i32 = 0; i < 9; i += 1) set(base + W + 9 * at + i, get(block + i));
	}
	scaleBlocks(contacts, base + W, base + SCALE);
	set(base + MU + contacts, 0);
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

/** Where the slots of pairs start, and which contact each is of. */
function fillColumns(base: i32, contacts: i32): void {
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
	markWaits(pairs, start, column, 2 * (base + FLAGS));
}

/** The blocks that are given; 0 where one is not finite. */
function fillBlocks(base: i32, contacts: i32): i32 {
	const start: i32 = 2 * (base + PAIR_START);
	const column: i32 = 2 * (base + SLOT_COLUMN);
	const place: i32 = 2 * (base + PLACE);
	const rowStart: i32 = 2 * (base + ROW_START);
	return sellFill(
		0,
		contacts,
		contacts,
		rowStart,
		base + BLOCKS,
		place,
		base + SCALE,
		start,
		column,
		base + SLOT_VALUES,
	);
}

/** The denominators of merit and natural, and for a moment the energy of the free motion by place, in the vector of energy's terms. */
function addFree(base: i32, contacts: i32, unit: f64, table: i32): void {
	const terms: i32 = base + TERMS;
	const sums: i32 = base + MEASURE_SUMS;
	// The vector of U has room for q as it was given, by place.
	const given: i32 = base + Q + VECTOR;
	for (let at: i32 = 0; at < contacts; at += 1) {
		const free: i32 = base + FREE + 3 * getInt(2 * (base + ORDER) + at);
		for (let i: i32 = 0; i < 3; i += 1) set(given + 3 * at + i, get(free + i));
	}
	for (let from: i32 = 0; from < contacts; from += CHUNK) {
		const count: i32 = contacts - from < CHUNK ? contacts - from : CHUNK;
		freeTerms(count, base + W + 9 * from, base + Q + 3 * from, given + 3 * from, unit, terms);
		for (let i: i32 = 0; i < count; i += 1) set(base + ENERGY_TERMS + from + i, get(terms + i));
		for (let j: i32 = 0; j < 3; j += 1) deposit(terms + CHUNK * j, count, sums + 8 * j, table);
	}
	set(base + ENERGY_SCALE, total(sums));
	const merit: f64 = total(sums + 8);
	set(base + MERIT_FREE, merit > MERIT_ZERO * unit * unit ? merit : unit * unit);
	set(base + FREE_NORM, Math.sqrt(total(sums + 16)));
}

/** Components of W, and energy's denominator of each (src/measures/measures.ts). */
function addComponents(base: i32, contacts: i32, table: i32): void {
	const parent: i32 = 2 * (base + PARENT);
	const start: i32 = 2 * (base + COMPONENT_START);
	const member: i32 = 2 * (base + MEMBER);
	for (let a: i32 = 0; a < contacts; a += 1) setInt(parent + a, a);
	joinRows(contacts, 2 * (base + PAIR_START), 2 * (base + SLOT_COLUMN), parent);
	const count: i32 = groupComponents(contacts, parent, start, member, 2 * (base + ORDER_WORK));
	set(base + COMPONENTS, count as f64);
	// Two vectors that sweeps write later hold the totals of the free motion and of the error at R = 0.
	const free: i32 = base + RESIDUAL;
	const zero: i32 = base + LAST_RESIDUAL;
	const terms: i32 = base + ENERGY_TERMS;
	const values: i32 = base + TERMS;
	const sum: i32 = base + MEASURE_SUMS;
	componentTotals(contacts, count, start, member, terms, values, sum, table, free);
	fill(base + R, 0, VECTOR);
	energyTerms(0, contacts, contacts, base + MU, base + W, base + R, base + Q, base + SCRATCH, terms);
	componentTotals(contacts, count, start, member, terms, values, sum, table, zero);
	depositMembers(contacts, member, 0, contacts, terms, values, sum, table);
	const scale: f64 = componentDenominator(total(sum), get(base + ENERGY_SCALE));
	set(base + ENERGY_SCALE, Math.sqrt(scale));
	for (let c: i32 = 0; c < count; c += 1) {
		set(base + DENOMINATORS + c, componentDenominator(get(zero + c), get(free + c)));
	}
}

/**
 * Scales what was given, in the order that stands there, up to the blocks of W beside the diagonal, and makes room for the sweeps; RESULT: the number of colours, the unit, and how
 * many numbers a vector has. Returns 0 where the general way has to do it.
 */
export function setUpInOrder(base: i32, contacts: i32, colours: i32, isOfBodies: boolean, table: i32): i32 {
	if (!scaleDiagonal(base, contacts, isOfBodies)) return 0;
	// What is padding.
	clearStrided(base + Q + 3 * contacts, VECTOR - 3 * contacts, VECTOR, VECTORS);
	fill(base + SUMS, 0, 112);
	for (let at: i32 = SUMS; at < SUMS + 112; at += 8) {
		set(base + at, 2);
		set(base + at + 1, 2);
	}
	const unit: f64 = scaleFree(base, contacts);
	fillColumns(base, contacts);
	addFree(base, contacts, unit, table);
	addComponents(base, contacts, table);
	set(base + RESULT, colours);
	set(base + RESULT + 1, unit);
	set(base + RESULT + 2, VECTOR);
	return 1;
}

/**
 * Checks and orders what was given and makes the system of it; RESULT as setUpInOrder has it. Returns 0 where the general way has to do it, or has words for what is wrong (no
 * diagonal block that is beyond doubt, rows that do not ascend or are not symmetric, numbers that are none), and 1 otherwise.
 */
export function tinySetUp(base: i32, contacts: i32, blocks: i32, table: i32): i32 {
	layOut(contacts, blocks, 0);
	if (!areGiven(base, contacts, blocks)) return 0;
	const colours: i32 = orderContacts(base, contacts);
	if (colours == 0 || setUpInOrder(base, contacts, colours, false, table) == 0) return 0;
	return fillBlocks(base, contacts);
}
