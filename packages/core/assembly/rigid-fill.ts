/**
 * SELL-2 rows (sell-fill.ts) of W formed of bodies, block by block: src/problem/assemble-rigid.ts has the formula. A block is formed once, and
 * stored in the rows of both its contacts, W being symmetric to the bit.
 *
 *     frame[9 a + 3 i + d]               lever[18 a + 9 side + 3 i + d] = (arm of the side x row i of the frame)_d
 *     body[2 a + side], -1 an obstacle   mass[b], inertia[6 b + ...]: the inverses, of the inertia xx, yy, zz, xy, xz, yz
 */
import { get, getInt, set, setInt } from "./memory";
import { addBlock, addOwnBlock } from "./rigid-block";
import { clearSlots } from "./sell-fill";

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

/**
 * Stores all rows, whose columns are contacts and ascend. `next` is scratch for an integer per row, where its next block goes that is not
 * there yet: those in front of the diagonal come from the rows of their columns. `block` is scratch for nine numbers.
 */
export function rigidFill(
	rows: i32,
	rowStart: i32,
	columns: i32,
	frame: i32,
	lever: i32,
	body: i32,
	mass: i32,
	inertia: i32,
	place: i32,
	s: i32,
	start: i32,
	next: i32,
	block: i32,
	values: i32,
): void {
	for (let row: i32 = 0; row < rows; row += 1) {
		const at: i32 = getInt(place + row);
		setInt(next + row, values + 18 * getInt(start + (at >> 1)) + (at & 1));
	}
	for (let a: i32 = 0; a < rows; a += 1) {
		const at: i32 = getInt(place + a);
		const first: i32 = getInt(start + (at >> 1));
		const count: i32 = getInt(rowStart + a + 1) - getInt(rowStart + a);
		const own: f64 = get(s + at);
		let to: i32 = getInt(next + a);
		// Blocks that stand already come from rows before this one.
		let k: i32 = columns + getInt(rowStart + a) + (to - values - 18 * first - (at & 1)) / 18;
		for (const end: i32 = columns + getInt(rowStart + a + 1); k < end; k += 1) {
			const b: i32 = getInt(k);
			formBlock(block, a, b, frame, lever, body, mass, inertia);
			const factor: f64 = own * get(s + getInt(place + b));
			for (let i: i32 = 0; i < 9; i += 1) set(to + 2 * i, factor * get(block + i));
			to += 18;
			if (b == a) continue;
			const mirror: i32 = getInt(next + b);
			for (let i: i32 = 0; i < 3; i += 1) {
				set(mirror + 6 * i, factor * get(block + i));
				set(mirror + 6 * i + 2, factor * get(block + i + 3));
				set(mirror + 6 * i + 4, factor * get(block + i + 6));
			}
			setInt(next + b, mirror + 18);
		}
		const last: i32 = getInt(start + (at >> 1) + 1);
		clearSlots(values, at & 1, first + count, last);
		if (at == rows - 1 && (at & 1) == 0) clearSlots(values, 1, first, last);
	}
}

/** The diagonal blocks alone, of contacts whose frames, arms and bodies stand one after another; `lever` is scratch for 18 numbers. */
export function rigidDiagonal(
	contacts: i32,
	frame: i32,
	arm: i32,
	lever: i32,
	body: i32,
	mass: i32,
	inertia: i32,
	diagonal: i32,
): void {
	for (let a: i32 = 0; a < contacts; a += 1) {
		writeLevers(1, frame + 9 * a, arm + 6 * a, lever);
		formBlock(diagonal + 9 * a, 0, 0, frame + 9 * a, lever, body + 2 * a, mass, inertia);
	}
}
