/**
 * What SELL-2 rows (sell.ts) are made of: rows of a matrix come a piece at a time, in the order of the matrix, and are stored where the
 * order of the system has them. `rowStart` has one entry more than there are rows, `place` says where each row is stored,
 * `start` where the slots of each pair of rows begin. Slots beyond a row's end hold zeros and point at the row itself, so that no
 * foreign number is touched; an odd last row has an empty one beside it.
 */
import { COUPLED } from "./batch";
import { get, getInt, set, setInt } from "./memory";
import { storeBlock } from "./sell-block";

/** Of three numbers of a vector: what columns are counted in. */
export const BLOCK_BYTES: i32 = 24;

/** Slots from..end-1 of a lane without blocks. */
export function clearSlots(values: i32, lane: i32, from: i32, end: i32): void {
	for (let at: i32 = values + 18 * from + lane; at < values + 18 * end; at += 2) set(at, 0);
}

/**
 * Columns of the rows first..last-1, which stand one after another at `columns`: slot columns, and the flag of pairs whose rows
 * couple. `local` is the place of each column. Returns 0 where the columns of a row do not ascend, and 1 otherwise.
 */
export function sellColumns(
	first: i32,
	last: i32,
	rows: i32,
	rowStart: i32,
	columns: i32,
	place: i32,
	local: i32,
	start: i32,
	flags: i32,
	slotColumn: i32,
): i32 {
	let k: i32 = columns;
	for (let row: i32 = first; row < last; row += 1) {
		const at: i32 = getInt(place + row);
		const lane: i32 = at & 1;
		const count: i32 = getInt(rowStart + row + 1) - getInt(rowStart + row);
		const pair: i32 = start + (at >> 1);
		let to: i32 = slotColumn + 2 * getInt(pair) + lane;
		const end: i32 = slotColumn + 2 * getInt(pair + 1);
		let before: i32 = -1;
		for (const stop: i32 = k + count; k < stop; k += 1) {
			const column: i32 = getInt(k);
			if (column <= before) return 0;
			before = column;
			const other: i32 = getInt(local + column);
			if (other == (at ^ 1)) setInt(flags + (at >> 1), COUPLED);
			setInt(to, BLOCK_BYTES * other);
			to += 2;
		}
		for (; to < end; to += 2) setInt(to, BLOCK_BYTES * at);
		if (at == rows - 1 && lane == 0) {
			for (let i: i32 = slotColumn + 2 * getInt(pair) + 1; i < end; i += 2) setInt(i, 0);
		}
	}
	return 1;
}

/** Blocks of the rows first..last-1, which stand one after another at `blocks`, as s_a W_ab s_b; returns 0 where one of them is not finite. */
export function sellFill(
	first: i32,
	last: i32,
	rows: i32,
	rowStart: i32,
	blocks: i32,
	place: i32,
	s: i32,
	start: i32,
	slotColumn: i32,
	values: i32,
): i32 {
	let from: i32 = blocks;
	// Anything but finite numbers stays in a sum; too large ones may come to it as well, and the caller looks again.
	let sum: f64 = 0;
	for (let row: i32 = first; row < last; row += 1) {
		const at: i32 = getInt(place + row);
		const lane: i32 = at & 1;
		const count: i32 = getInt(rowStart + row + 1) - getInt(rowStart + row);
		const pair: i32 = start + (at >> 1);
		const own: f64 = get(s + at);
		const slot: i32 = getInt(pair);
		const end: i32 = getInt(pair + 1);
		let column: i32 = slotColumn + 2 * slot + lane;
		let to: i32 = values + 18 * slot + lane;
		for (const stop: i32 = from + 9 * count; from < stop; from += 9) {
			const factor: f64 = own * get(s + getInt(column) / BLOCK_BYTES);
			sum += storeBlock(from, factor, to);
			column += 2;
			to += 18;
		}
		clearSlots(values, lane, slot + count, end);
		if (at == rows - 1 && lane == 0) clearSlots(values, 1, slot, end);
	}
	return sum - sum == 0 ? 1 : 0;
}
