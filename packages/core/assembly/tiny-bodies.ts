/**
 * A few contacts of bodies in one call, swept in an order that is given (ORDER), from reactions that are given as well: W is formed, set up, swept over and measured here, to the bit as src/problem/assemble-rigid.ts, src/solve/run.ts and src/system have it.
 */
import { GOOD_START } from "./energy";
import { get, getInt, set, setInt } from "./memory";
import { addProjected } from "./newton";
import { rigidDiagonal, rigidFill, writeLevers } from "./rigid-fill";
import { measureOf, recordStart, refreshVelocity, sweepsFrom, writeAnswer } from "./tiny";
import {
	ARM,
	BEST,
	BLOCKS,
	BODY,
	BODY_START,
	COLUMN,
	FRAME,
	GIVEN,
	INERTIA,
	layOut,
	LEVER,
	LIST,
	MASK,
	MASS,
	MU,
	ORDER,
	PAIR_START,
	PLACE,
	Q,
	R,
	RESULT,
	ROW_START,
	SCALE,
	SCRATCH,
	SLOT_COLUMN,
	SLOT_VALUES,
	U,
	VECTOR,
	W,
} from "./tiny-places";
import { orderContacts, setUpInOrder } from "./tiny-setup";
import { copy, fill } from "./vectors";

const ENERGY: i32 = 0;

/** The contacts of each body, ascending: LIST from BODY_START of the body on, up to that of the next. */
function listContacts(base: i32, contacts: i32, bodies: i32): void {
	const body: i32 = 2 * (base + BODY);
	const start: i32 = 2 * (base + BODY_START);
	const list: i32 = 2 * (base + LIST);
	for (let b: i32 = 0; b <= bodies; b += 1) setInt(start + b, 0);
	for (let k: i32 = body; k < body + 2 * contacts; k += 1) {
		const b: i32 = getInt(k);
		if (b >= 0) setInt(start + b, getInt(start + b) + 1);
	}
	// Ends first, from which contacts are put in from the last to the first.
	for (let b: i32 = 1; b <= bodies; b += 1) setInt(start + b, getInt(start + b) + getInt(start + b - 1));
	for (let k: i32 = 2 * contacts - 1; k >= 0; k -= 1) {
		const b: i32 = getInt(body + k);
		if (b < 0) continue;
		const at: i32 = getInt(start + b) - 1;
		setInt(start + b, at);
		setInt(list + at, k >> 1);
	}
}

/** Which contacts share a body, as rows of W with ascending columns; returns how many blocks there are. */
function findRows(base: i32, contacts: i32): i32 {
	const body: i32 = 2 * (base + BODY);
	const start: i32 = 2 * (base + BODY_START);
	const list: i32 = 2 * (base + LIST);
	const rows: i32 = 2 * (base + ROW_START);
	let to: i32 = 2 * (base + COLUMN);
	const from: i32 = to;
	setInt(rows, 0);
	for (let a: i32 = 0; a < contacts; a += 1) {
		const one: i32 = getInt(body + 2 * a);
		const other: i32 = getInt(body + 2 * a + 1);
		let i: i32 = one < 0 ? 0 : list + getInt(start + one);
		let j: i32 = other < 0 ? 0 : list + getInt(start + other);
		const endI: i32 = one < 0 ? 0 : list + getInt(start + one + 1);
		const endJ: i32 = other < 0 ? 0 : list + getInt(start + other + 1);
		for (; i < endI && j < endJ; to += 1) {
			// The lesser goes first, and both go on where they are one: by signs, as a branch would be mispredicted at every second block.
			const right: i32 = getInt(j);
			const difference: i32 = getInt(i) - right;
			setInt(to, right + (difference & (difference >> 31)));
			i += ((difference - 1) >> 31) & 1;
			j += (~difference >> 31) & 1;
		}
		for (; i < endI; i += 1, to += 1) setInt(to, getInt(i));
		for (; j < endJ; j += 1, to += 1) setInt(to, getInt(j));
		setInt(rows + a + 1, to - from);
	}
	return to - from;
}

/** The blocks of W, where they are stored. */
function formBlocks(base: i32, contacts: i32): void {
	const rows: i32 = 2 * (base + ROW_START);
	const place: i32 = 2 * (base + PLACE);
	const start: i32 = 2 * (base + PAIR_START);
	const column: i32 = 2 * (base + SLOT_COLUMN);
	rigidFill(
		contacts,
		contacts,
		rows,
		2 * (base + COLUMN),
		base + FRAME,
		base + LEVER,
		2 * (base + BODY),
		base + MASS,
		base + INERTIA,
		place,
		base + SCALE,
		base + W,
		start,
		column,
		2 * (base + MASK),
		base + SCRATCH,
		base + SLOT_VALUES,
	);
}

/**
 * R of what is given; or zero, where its energy error is above GOOD_START and above that of zero. Returns 0 for zero, 1 where what is given is used, and 2 where it is within the
 * tolerance already.
 */
function takeStart(base: i32, contacts: i32, measure: i32, tolerance: f64, table: i32): i32 {
	const unit: f64 = get(base + RESULT + 1);
	for (let at: i32 = 0; at < contacts; at += 1) {
		const from: i32 = base + GIVEN + 3 * getInt(2 * (base + ORDER) + at);
		const s: f64 = get(base + SCALE + at);
		for (let i: i32 = 0; i < 3; i += 1) set(base + R + 3 * at + i, unit * (get(from + i) / s));
	}
	fill(base + R + 3 * contacts, 0, VECTOR - 3 * contacts);
	addProjected(0, contacts, contacts, base + MU, 0, -1, base + R);
	refreshVelocity(base, contacts);
	const value: f64 = measureOf(measure, tolerance, base, contacts, table);
	if (value <= tolerance) return 2;
	const energy: f64 = measure == ENERGY ? value : measureOf(ENERGY, -1, base, contacts, table);
	if (energy <= GOOD_START) {
		recordStart(base, contacts, value, measure, tolerance);
		return 1;
	}
	// In the room of the best iterate, which there is none of yet.
	copy(base + R, base + BEST, VECTOR);
	copy(base + Q, base + U, VECTOR);
	fill(base + R, 0, VECTOR);
	if (!(energy <= measureOf(ENERGY, -1, base, contacts, table))) return 0;
	copy(base + BEST, base + R, VECTOR);
	recordStart(base, contacts, value, measure, tolerance);
	return 1;
}

/**
 * Makes the system of contacts of bodies, of which W has so many blocks at most, in the order that is given, or where `isOrdered` is 0 in that of their colours. Returns 0 where the
 * general way has to, and 1 otherwise.
 */
export function tinyBodies(base: i32, contacts: i32, blocks: i32, bodies: i32, isOrdered: i32, table: i32): i32 {
	layOut(contacts, blocks, bodies);
	listContacts(base, contacts, bodies);
	if (findRows(base, contacts) > blocks) return 0;
	let colours: i32 = 1;
	if (isOrdered == 0) {
		colours = orderContacts(base, contacts);
		if (colours == 0) return 0;
	} else {
		const place: i32 = 2 * (base + PLACE);
		for (let at: i32 = 0; at < contacts; at += 1) setInt(place + getInt(2 * (base + ORDER) + at), at);
	}
	writeLevers(contacts, base + FRAME, base + ARM, base + LEVER);
	const body: i32 = 2 * (base + BODY);
	const mass: i32 = base + MASS;
	rigidDiagonal(contacts, base + FRAME, base + LEVER, body, mass, base + INERTIA, base + BLOCKS);
	if (setUpInOrder(base, contacts, colours, true, table) == 0) return 0;
	formBlocks(base, contacts);
	return 1;
}

/**
 * Solves it with at most `limit` sweeps, from GIVEN or, where `hasStart` is 0, from zero. GIVEN becomes the reactions in the problem's units; RESULT: sweeps in place 4, and the measure
 * (0 energy, 1 natural, 2 merit) in place 8. Returns what sweepsFrom does.
 */
export function tinyBodySweeps(
	base: i32,
	contacts: i32,
	blocks: i32,
	bodies: i32,
	hasStart: i32,
	measure: i32,
	tolerance: f64,
	limit: i32,
	table: i32,
): i32 {
	layOut(contacts, blocks, bodies);
	const used: i32 = hasStart == 0 ? 0 : takeStart(base, contacts, measure, tolerance, table);
	if (used == 0) fill(base + R, 0, VECTOR);
	set(base + RESULT + 4, 0);
	const outcome: i32 = used == 2 ? 1 : sweepsFrom(base, contacts, used, measure, tolerance, limit, table);
	if (outcome != 1) return outcome;
	set(base + RESULT + 8, measureOf(measure, -1, base, contacts, table));
	writeAnswer(base, contacts);
	return 1;
}
