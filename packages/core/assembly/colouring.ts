/**
 * Colours of blocks where 32 colours do: those around a block are the bits of one integer. src/outline/colouring.ts says how colours are given
 * and why. What couples is a pattern (symmetric rows: `start` and `list`) or bodies (`start` is -1, and `list` has two bodies per block, -1
 * for an obstacle). A pattern has a mask per block, the bit of its colour; bodies have one each, the bits of their blocks, with
 * a first one for obstacles, in which nothing stays.
 */
import { lowestBit } from "./bits";
import { getInt, setInt } from "./memory";

const COLOURS: i32 = 32;
/** As src/outline/colouring.ts. */
const ROUNDS: i32 = 8;
const MOVE_ROUNDS_MAX: i32 = 4;
const FILL: f64 = 0.5;

/** The bits of the colours around block a; it does no harm that a row has the block itself. */
function around(a: i32, start: i32, list: i32, mask: i32): i32 {
	if (start < 0) return getInt(mask + getInt(list + 2 * a) + 1) | getInt(mask + getInt(list + 2 * a + 1) + 1);
	const end: i32 = list + getInt(start + a + 1);
	let taken: i32 = 0;
	for (let k: i32 = list + getInt(start + a); k < end; k += 1) taken |= getInt(mask + getInt(k));
	return taken;
}

/** Gives all blocks of the order the first colours that are free around them, and counts each colour; 0 where 32 do not suffice, or how many there are. */
function firstFit(blocks: i32, start: i32, list: i32, order: i32, colour: i32, mask: i32, masks: i32, size: i32): i32 {
	for (let i: i32 = 0; i < masks; i += 1) setInt(mask + i, 0);
	for (let c: i32 = 0; c < COLOURS; c += 1) setInt(size + c, 0);
	let used: i32 = 0;
	for (let i: i32 = order; i < order + blocks; i += 1) {
		const a: i32 = getInt(i);
		const taken: i32 = around(a, start, list, mask);
		if (taken == -1) return 0;
		const bit: i32 = ~taken & (taken + 1);
		if (start < 0) {
			const first: i32 = mask + getInt(list + 2 * a) + 1;
			const second: i32 = mask + getInt(list + 2 * a + 1) + 1;
			setInt(first, getInt(first) | bit);
			setInt(second, getInt(second) | bit);
			setInt(mask, 0);
		} else setInt(mask + a, bit);
		const c: i32 = lowestBit(bit);
		setInt(colour + a, c);
		setInt(size + c, getInt(size + c) + 1);
		used |= bit;
	}
	// First fit leaves no colour out.
	return used == -1 ? COLOURS : lowestBit(~used);
}

/** All blocks by colours, those of the smallest colour first, written at `order`; `work` is scratch for two integers per colour. */
function smallestFirst(blocks: i32, colours: i32, colour: i32, size: i32, order: i32, work: i32): void {
	for (let c: i32 = 0; c < colours; c += 1) {
		let hole: i32 = c;
		for (; hole > 0 && getInt(size + getInt(work + hole - 1)) > getInt(size + c); hole -= 1) {
			setInt(work + hole, getInt(work + hole - 1));
		}
		setInt(work + hole, c);
	}
	const next: i32 = work + COLOURS;
	let from: i32 = order;
	for (let i: i32 = 0; i < colours; i += 1) {
		const c: i32 = getInt(work + i);
		setInt(next + c, from);
		from += getInt(size + c);
	}
	for (let a: i32 = 0; a < blocks; a += 1) {
		const c: i32 = next + getInt(colour + a);
		const to: i32 = getInt(c);
		setInt(to, a);
		setInt(c, to + 1);
	}
}

/** Takes a block from one colour to another, which is free around it. */
function move(a: i32, from: i32, to: i32, start: i32, list: i32, mask: i32): void {
	if (start >= 0) {
		setInt(mask + a, 1 << to);
		return;
	}
	for (let side: i32 = 2 * a; side < 2 * a + 2; side += 1) {
		const at: i32 = mask + getInt(list + side) + 1;
		if (at > mask) setInt(at, (getInt(at) & ~(1 << from)) | (1 << to));
	}
}

/** Moves blocks from colours above the mean to small ones, these by turns; false where nothing moved. `small` is scratch for all colours. */
function fillSmall(
	blocks: i32,
	colours: i32,
	start: i32,
	list: i32,
	sequence: i32,
	colour: i32,
	mask: i32,
	size: i32,
	small: i32,
): boolean {
	const mean: f64 = (blocks as f64) / (colours as f64);
	const full: f64 = Math.ceil(FILL * mean);
	let smalls: i32 = 0;
	for (let c: i32 = 0; c < colours; c += 1) {
		if (!((getInt(size + c) as f64) < full)) continue;
		setInt(small + smalls, c);
		smalls += 1;
	}
	let turn: i32 = 0;
	let moved: boolean = false;
	for (let i: i32 = 0; i < blocks && smalls > 0; i += 1) {
		const a: i32 = getInt(sequence + i);
		const from: i32 = getInt(colour + a);
		if ((getInt(size + from) as f64) <= mean) continue;
		const taken: i32 = around(a, start, list, mask);
		for (let tries: i32 = smalls; tries > 0; tries -= 1) {
			turn = turn + 1 < smalls ? turn + 1 : 0;
			const to: i32 = getInt(small + turn);
			if (((taken >> to) & 1) != 0) continue;
			move(a, from, to, start, list, mask);
			setInt(colour + a, to);
			setInt(size + from, getInt(size + from) - 1);
			setInt(size + to, getInt(size + to) + 1);
			moved = true;
			if ((getInt(size + to) as f64) >= full) {
				smalls -= 1;
				setInt(small + turn, getInt(small + smalls));
			}
			break;
		}
	}
	return moved;
}

/**
 * Writes the colour of each block; returns 0 where 32 colours do not suffice. `sequence` is the order in which colours are given first;
 * `order` is scratch for as many integers as there are blocks, `work` for 96.
 */
export function colourByMasks(
	blocks: i32,
	start: i32,
	list: i32,
	sequence: i32,
	colour: i32,
	mask: i32,
	masks: i32,
	order: i32,
	work: i32,
): i32 {
	const size: i32 = work;
	const rest: i32 = work + COLOURS;
	let colours: i32 = firstFit(blocks, start, list, sequence, colour, mask, masks, size);
	for (let round: i32 = 0; round < ROUNDS && colours > 0; round += 1) {
		smallestFirst(blocks, colours, colour, size, order, rest);
		colours = firstFit(blocks, start, list, order, colour, mask, masks, size);
	}
	if (colours == 0) return 0;
	for (let round: i32 = 0; round < MOVE_ROUNDS_MAX; round += 1) {
		if (!fillSmall(blocks, colours, start, list, sequence, colour, mask, size, rest)) break;
	}
	return 1;
}

/** Whether rows ascend and each block is in the row of all that are in its own: one walk over all rows at once. `next` is scratch for an integer per row. */
export function isSymmetricPattern(rows: i32, rowStart: i32, column: i32, next: i32): i32 {
	// Where the next entry beyond the diagonal of each row stands that has not been met by its mirror image.
	for (let a: i32 = 0; a < rows; a += 1) {
		const end: i32 = column + getInt(rowStart + a + 1);
		let last: i32 = -1;
		let k: i32 = column + getInt(rowStart + a);
		for (; k < end && getInt(k) < a; k += 1) {
			const b: i32 = getInt(k);
			if (b <= last) return 0;
			last = b;
			const mirror: i32 = getInt(next + b);
			if (mirror >= column + getInt(rowStart + b + 1) || getInt(mirror) != a) return 0;
			setInt(next + b, mirror + 1);
		}
		if (k < end && getInt(k) == a) {
			last = a;
			k += 1;
		}
		setInt(next + a, k);
		for (; k < end; k += 1) {
			if (getInt(k) <= last) return 0;
			last = getInt(k);
		}
	}
	for (let a: i32 = 0; a < rows; a += 1) if (getInt(next + a) != column + getInt(rowStart + a + 1)) return 0;
	return 1;
}
