/**
 * A few contacts of bodies in one call, swept in an order that is given (ORDER), from reactions that are given as well: W is formed, set up, swept over and measured here, to the bit as src/problem/assemble-rigid.ts, src/solve/run.ts and src/system have it.
 */
import { GOOD_START } from "./energy";
import { get, getInt, set, setInt } from "./memory";
import { addProjected } from "./newton";
import { formBlock, writeLevers } from "./rigid-fill";
import { measureOf, refreshVelocity, sweepsFrom } from "./tiny";
import {
	ARM,
	BLOCKS,
	BODY,
	COLUMN,
	FRAME,
	GIVEN,
	INERTIA,
	LEVER,
	LIST,
	MASS,
	MU,
	ORDER,
	PLACE,
	Q,
	R,
	RESULT,
	ROW_START,
	SCALE,
	U,
} from "./tiny-places";
import { setUpInOrder } from "./tiny-setup";
import { copy, fill } from "./vectors";

const ENERGY: i32 = 0;

function sharesBody(body: i32, a: i32, b: i32): boolean {
	const first: i32 = getInt(body + 2 * a);
	const second: i32 = getInt(body + 2 * a + 1);
	const other: i32 = getInt(body + 2 * b);
	const last: i32 = getInt(body + 2 * b + 1);
	return (first >= 0 && (first == other || first == last)) || (second >= 0 && (second == other || second == last));
}

/** Which contacts share a body, as rows of W, and where each contact is in the order. */
function findRows(base: i32, contacts: i32): void {
	let blocks: i32 = 0;
	setInt(2 * (base + ROW_START), 0);
	for (let a: i32 = 0; a < contacts; a += 1) {
		setInt(2 * (base + PLACE) + getInt(2 * (base + ORDER) + a), a);
		setInt(2 * (base + LIST) + a, blocks);
		for (let b: i32 = 0; b < contacts; b += 1) {
			if (a != b && !sharesBody(2 * (base + BODY), a, b)) continue;
			setInt(2 * (base + COLUMN) + blocks, b);
			blocks += 1;
		}
		setInt(2 * (base + ROW_START) + a + 1, blocks);
	}
}

/** The blocks of W; LIST has the next one of each row, as those in front of the diagonal are mirrored from the rows of their columns. */
function formRows(base: i32, contacts: i32): void {
	const next: i32 = 2 * (base + LIST);
	const body: i32 = 2 * (base + BODY);
	writeLevers(contacts, base + FRAME, base + ARM, base + LEVER);
	for (let a: i32 = 0; a < contacts; a += 1) {
		const end: i32 = getInt(2 * (base + ROW_START) + a + 1);
		for (let k: i32 = getInt(next + a); k < end; k += 1) {
			const b: i32 = getInt(2 * (base + COLUMN) + k);
			const block: i32 = base + BLOCKS + 9 * k;
			formBlock(block, a, b, base + FRAME, base + LEVER, body, base + MASS, base + INERTIA);
			if (a == b) continue;
			const mirror: i32 = base + BLOCKS + 9 * getInt(next + b);
			for (let i: i32 = 0; i < 3; i += 1) {
				set(mirror + 3 * i, get(block + i));
				set(mirror + 3 * i + 1, get(block + i + 3));
				set(mirror + 3 * i + 2, get(block + i + 6));
			}
			setInt(next + b, getInt(next + b) + 1);
		}
	}
}

/** R of what is given; or zero, where its energy error is above GOOD_START and above that of zero. Returns 1 where it is within the tolerance already. */
function takeStart(base: i32, contacts: i32, length: i32, measure: i32, tolerance: f64, table: i32): i32 {
	const unit: f64 = get(base + RESULT + 1);
	for (let at: i32 = 0; at < contacts; at += 1) {
		const from: i32 = base + GIVEN + 3 * getInt(2 * (base + ORDER) + at);
		const s: f64 = get(base + SCALE + at);
		for (let i: i32 = 0; i < 3; i += 1) set(base + R + 3 * at + i, unit * (get(from + i) / s));
	}
	addProjected(0, contacts, contacts, base + MU, 0, -1, base + R);
	refreshVelocity(base, contacts, length);
	if (measureOf(measure, tolerance, base, contacts, table) <= tolerance) return 1;
	const energy: f64 = measureOf(ENERGY, -1, base, contacts, table);
	if (energy <= GOOD_START) return 0;
	copy(base + R, base + GIVEN, length);
	copy(base + Q, base + U, length);
	fill(base + R, 0, length);
	if (energy <= measureOf(ENERGY, -1, base, contacts, table)) copy(base + GIVEN, base + R, length);
	return 0;
}

/**
 * Solves for contacts of bodies with at most `limit` sweeps, from GIVEN or, where `hasStart` is 0, from zero. GIVEN becomes the reactions in the problem's units; RESULT: sweeps in
 * place 4, and the measure (0 energy, 1 natural, 2 merit) in place 8. Returns 0 where the general way has to do it, and 1 otherwise.
 */
export function tinyBodies(
	base: i32,
	contacts: i32,
	hasStart: i32,
	measure: i32,
	tolerance: f64,
	limit: i32,
	table: i32,
): i32 {
	findRows(base, contacts);
	formRows(base, contacts);
	if (setUpInOrder(base, contacts, 1, table) == 0) return 0;
	const length: i32 = get(base + RESULT + 2) as i32;
	let sweeps: f64 = 0;
	if (hasStart == 0 || takeStart(base, contacts, length, measure, tolerance, table) == 0) {
		if (sweepsFrom(base, contacts, length, measure, tolerance, limit, table) == 0) return 0;
		sweeps = get(base + RESULT + 4);
	}
	set(base + RESULT + 4, sweeps);
	set(base + RESULT + 8, measureOf(measure, -1, base, contacts, table));
	const unit: f64 = get(base + RESULT + 1);
	for (let at: i32 = 0; at < contacts; at += 1) {
		const to: i32 = base + GIVEN + 3 * getInt(2 * (base + ORDER) + at);
		const s: f64 = get(base + SCALE + at);
		for (let i: i32 = 0; i < 3; i += 1) set(to + i, (get(base + R + 3 * at + i) / unit) * s);
	}
	return 1;
}
