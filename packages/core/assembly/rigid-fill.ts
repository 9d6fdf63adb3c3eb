/**
 * SELL-2 rows (sell-fill.ts) of W formed of bodies, block by block: src/problem/assemble-rigid.ts has the formula. A block is formed once, and
 * stored in the rows of both its contacts, W being symmetric to the bit.
 *
 *     frame[9 a + 3 i + d]               lever[18 a + 9 side + 3 i + d] = (arm of the side x row i of the frame)_d
 *     body[2 a + side], -1 an obstacle   mass[b], inertia[6 b + ...]: the inverses, of the inertia xx, yy, zz, xy, xz, yz
 */
import { get, getInt, set, setInt } from "./memory";
import { addBlock, addOwnBlock, storeShare } from "./rigid-block";
import { storeBlock, storeTransposed } from "./sell-block";
import { BLOCK_BYTES, clearSlots } from "./sell-fill";

/** arm x (each row of the frame), of both sides of the contacts; arms are six numbers a contact. */
export function writeLevers(contacts: i32, frame: i32, arm: i32, lever: i32): void {
	for (let a: i32 = 0; a < contacts; a += 1) {
		for (let side: i32 = 0; side < 2; side += 1) {
			const x: f64 = get(arm + 6 * a + 3 * side);
			const y: f64 = get(arm + 6 * a + 3 * side + 1);
			const z: f64 = get(arm + 6 * a + 3 * side + 2);
			for (let k: i32 = 0; k < 9; k += 3) {
				const fx: f64 = get(frame + 9 * a + k);
				const fy: f64 = get(frame + 9 * a + k + 1);
				const fz: f64 = get(frame + 9 * a + k + 2);
				const to: i32 = lever + 18 * a + 9 * side + k;
				set(to, y * fz - z * fy);
				set(to + 1, z * fx - x * fz);
				set(to + 2, x * fy - y * fx);
			}
		}
	}
}

/** The block of contacts a and b, at `to`: the bodies that both touch, the lower one first. */
function formBlock(to: i32, a: i32, b: i32, frame: i32, lever: i32, body: i32, mass: i32, inertia: i32): void {
	for (let i: i32 = to; i < to + 9; i += 1) set(i, 0);
	const low: i32 = getInt(body + 2 * a) <= getInt(body + 2 * a + 1) ? 0 : 1;
	for (let turn: i32 = 0; turn < 2; turn += 1) {
		const side: i32 = turn == 0 ? low : 1 - low;
		const id: i32 = getInt(body + 2 * a + side);
		if (id < 0) continue;
		const other: i32 = getInt(body + 2 * b) == id ? 0 : 1;
		if (getInt(body + 2 * b + other) != id) continue;
		const l: i32 = lever + 18 * a + 9 * side;
		if (a == b) {
			addOwnBlock(to, get(mass + id), inertia + 6 * id, frame + 9 * a, l);
			continue;
		}
		const n: i32 = lever + 18 * b + 9 * other;
		addBlock(to, side == other ? 1 : -1, get(mass + id), inertia + 6 * id, frame + 9 * a, l, frame + 9 * b, n);
	}
}

/** The side of contact a whose body contact b touches as well; -1 for none, and 2 where both are. */
function sharedSide(body: i32, a: i32, b: i32): i32 {
	const first: i32 = getInt(body + 2 * a);
	const second: i32 = getInt(body + 2 * a + 1);
	const one: i32 = getInt(body + 2 * b);
	const other: i32 = getInt(body + 2 * b + 1);
	const hasFirst: boolean = first >= 0 && (first == one || first == other);
	const hasSecond: boolean = second >= 0 && (second == one || second == other);
	if (hasFirst) return hasSecond ? 2 : 0;
	return hasSecond ? 1 : -1;
}

/** The first slot of each row that is here. */
function findFirstSlots(contacts: i32, rows: i32, local: i32, start: i32, next: i32): void {
	for (let a: i32 = 0; a < contacts; a += 1) {
		const at: i32 = getInt(local + a);
		if (at < rows) setInt(next + a, getInt(start + (at >> 1)));
	}
}

/**
 * Stores rows of the contacts that `local` places below `rows`, in the order of contacts, of which there are so many; the others are another
 * rank's, and have no rows here. `columns` are contacts and ascend; where they are stored stands at `slotColumn` (sell-fill.ts).
 * `w` has the scaled diagonal blocks by place: they are known already. `next` is scratch for an integer per contact: the next slot of its
 * row that a row before it fills. `block` is scratch for nine numbers.
 */
export function rigidFill(
	contacts: i32,
	rows: i32,
	rowStart: i32,
	columns: i32,
	frame: i32,
	lever: i32,
	body: i32,
	mass: i32,
	inertia: i32,
	local: i32,
	s: i32,
	w: i32,
	start: i32,
	slotColumn: i32,
	next: i32,
	block: i32,
	values: i32,
): void {
	const firstGhost: i32 = BLOCK_BYTES * rows;
	const isAlone: boolean = contacts == rows;
	findFirstSlots(contacts, rows, local, start, next);
	for (let a: i32 = 0, row: i32 = rowStart; a < contacts; a += 1) {
		const at: i32 = getInt(local + a);
		if (at >= rows) continue;
		const first: i32 = getInt(start + (at >> 1));
		const last: i32 = getInt(start + (at >> 1) + 1);
		const own: f64 = get(s + at);
		// Rows before this one have stored their blocks here already; those of other ranks' contacts stand between them.
		const there: i32 = isAlone ? getInt(next + a) - first : 0;
		let to: i32 = values + 18 * (first + there) + (at & 1);
		const end: i32 = columns + getInt(row + 1);
		for (let k: i32 = columns + getInt(row) + there; k < end; k += 1, to += 18) {
			const b: i32 = getInt(k);
			const other: i32 = getInt(local + b);
			if (b < a && other < rows) continue;
			if (b == a) {
				storeBlock(w + 9 * at, 1, to);
				continue;
			}
			const factor: f64 = own * get(s + other);
			if (other >= rows) {
				formBlock(block, a, b, frame, lever, body, mass, inertia);
				storeBlock(block, factor, to);
				continue;
			}
			const lane: i32 = other & 1;
			let slot: i32 = getInt(next + b);
			if (!isAlone) while (getInt(slotColumn + 2 * slot + lane) >= firstGhost) slot += 1;
			setInt(next + b, slot + 1);
			const mirror: i32 = values + 18 * slot + lane;
			const side: i32 = sharedSide(body, a, b);
			if (side == 0 || side == 1) {
				const id: i32 = getInt(body + 2 * a + side);
				const facing: i32 = getInt(body + 2 * b) == id ? 0 : 1;
				const l: i32 = lever + 18 * a + 9 * side;
				const n: i32 = lever + 18 * b + 9 * facing;
				const signed: f64 = side == facing ? factor : -factor;
				storeShare(signed, get(mass + id), inertia + 6 * id, frame + 9 * a, l, frame + 9 * b, n, to, mirror);
				continue;
			}
			formBlock(block, a, b, frame, lever, body, mass, inertia);
			storeBlock(block, factor, to);
			storeTransposed(block, factor, mirror);
		}
		clearSlots(values, at & 1, first + end - columns - getInt(row), last);
		if (at == rows - 1 && (at & 1) == 0) clearSlots(values, 1, first, last);
		row += 1;
	}
}

/** The diagonal blocks alone, of contacts whose frames, levers and bodies stand one after another. */
export function rigidDiagonal(
	contacts: i32,
	frame: i32,
	lever: i32,
	body: i32,
	mass: i32,
	inertia: i32,
	diagonal: i32,
): void {
	for (let a: i32 = 0; a < contacts; a += 1) {
		formBlock(diagonal + 9 * a, 0, 0, frame + 9 * a, lever + 18 * a, body + 2 * a, mass, inertia);
	}
}
