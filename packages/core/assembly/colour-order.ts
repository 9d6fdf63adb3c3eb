/**
 * The order of blocks that are tiles of their own: by colour, those of a colour by the length of their rows, every second colour the other way round, and those of a length by
 * id. src/outline/layout.ts says why.
 */
import { getInt, setInt } from "./memory";

/** The most colours (colouring.ts). */
const COLOURS: i32 = 32;

function lengthOf(rowStart: i32, a: i32): i32 {
	return getInt(rowStart + a + 1) - getInt(rowStart + a);
}

/** Ids by the length of their rows, those of a length ascending, written at `list`; `next` is scratch for an integer per length. */
function sortByLength(blocks: i32, rowStart: i32, longest: i32, isFalling: boolean, list: i32, next: i32): void {
	for (let i: i32 = 0; i <= longest; i += 1) setInt(next + i, 0);
	for (let a: i32 = 0; a < blocks; a += 1) {
		const count: i32 = next + lengthOf(rowStart, a);
		setInt(count, getInt(count) + 1);
	}
	let from: i32 = list;
	for (let i: i32 = 0; i <= longest; i += 1) {
		const at: i32 = next + (isFalling ? longest - i : i);
		const count: i32 = getInt(at);
		setInt(at, from);
		from += count;
	}
	for (let a: i32 = 0; a < blocks; a += 1) {
		const at: i32 = next + lengthOf(rowStart, a);
		const to: i32 = getInt(at);
		setInt(to, a);
		setInt(at, to + 1);
	}
}

/** Puts the blocks of a list whose colour has this parity behind those of their colours that are there. */
function take(list: i32, blocks: i32, parity: i32, colour: i32, next: i32, order: i32, place: i32): void {
	for (let i: i32 = list; i < list + blocks; i += 1) {
		const a: i32 = getInt(i);
		const c: i32 = getInt(colour + a);
		if ((c & 1) != parity) continue;
		const at: i32 = getInt(next + c);
		setInt(next + c, at + 1);
		setInt(order + at, a);
		setInt(place + a, at);
	}
}

/**
 * Writes ids by place, places by id, and where each colour starts; returns how many colours there are. `rowStart` is -1 where there are no rows. `work` is scratch for three
 * integers per block and 34 more, and no row is longer than there are blocks.
 */
export function orderByColour(
	blocks: i32,
	colour: i32,
	rowStart: i32,
	order: i32,
	place: i32,
	start: i32,
	work: i32,
): i32 {
	const next: i32 = work;
	const list: i32 = work + COLOURS;
	for (let c: i32 = 0; c <= COLOURS; c += 1) setInt(start + c, 0);
	for (let a: i32 = 0; a < blocks; a += 1) {
		const count: i32 = start + getInt(colour + a) + 1;
		setInt(count, getInt(count) + 1);
	}
	let colours: i32 = 0;
	for (let c: i32 = 0; c < COLOURS; c += 1) {
		if (getInt(start + c + 1) > 0) colours = c + 1;
		setInt(next + c, getInt(start + c));
		setInt(start + c + 1, getInt(start + c + 1) + getInt(start + c));
	}
	if (rowStart < 0) {
		for (let a: i32 = 0; a < blocks; a += 1) setInt(list + a, a);
		take(list, blocks, 0, colour, next, order, place);
		take(list, blocks, 1, colour, next, order, place);
		return colours;
	}
	let longest: i32 = 0;
	for (let a: i32 = 0; a < blocks; a += 1) {
		const length: i32 = lengthOf(rowStart, a);
		if (length > longest) longest = length;
	}
	sortByLength(blocks, rowStart, longest, true, list, list + 2 * blocks);
	take(list, blocks, 0, colour, next, order, place);
	sortByLength(blocks, rowStart, longest, false, list + blocks, list + 2 * blocks);
	take(list + blocks, blocks, 1, colour, next, order, place);
	return colours;
}
