/**
 * The coloured order of a few contacts: src/outline/colouring.ts and layout.ts say what it is and why; here neighbours and colours are bits,
 * and the order is the same.
 */
import { getInt, setInt } from "./memory";
import { COLOUR, COLUMN, LIST, NEIGHBOURS, ORDER, PLACE, ROW_START, SEQUENCE, SIZE } from "./tiny-places";

const ROUNDS: i32 = 8;
const MOVE_ROUNDS_MAX: i32 = 4;
const FILL: f64 = 0.5;

/** Neighbours of each contact, both ways; false where a row does not ascend. */
function findNeighbours(base: i32, contacts: i32): boolean {
	const start: i32 = 2 * (base + ROW_START);
	const column: i32 = 2 * (base + COLUMN);
	const neighbours: i32 = 2 * (base + NEIGHBOURS);
	for (let a: i32 = 0; a < contacts; a += 1) setInt(neighbours + a, 0);
	for (let a: i32 = 0; a < contacts; a += 1) {
		let last: i32 = -1;
		for (let k: i32 = getInt(start + a); k < getInt(start + a + 1); k += 1) {
			const b: i32 = getInt(column + k);
			if (b <= last) return false;
			last = b;
			if (b == a) continue;
			setInt(neighbours + a, getInt(neighbours + a) | (1 << b));
			setInt(neighbours + b, getInt(neighbours + b) | (1 << a));
		}
	}
	return true;
}

/** The bits of the colours around a contact; who has none yet has -1. */
function coloursAround(base: i32, a: i32, contacts: i32): i32 {
	const colour: i32 = 2 * (base + COLOUR);
	const neighbours: i32 = getInt(2 * (base + NEIGHBOURS) + a);
	let taken: i32 = 0;
	for (let b: i32 = 0; b < contacts; b += 1) {
		if (((neighbours >> b) & 1) != 0 && getInt(colour + b) >= 0) taken |= 1 << getInt(colour + b);
	}
	return taken;
}

/** Gives all contacts the first colours that are free, in the order that stands at `list`; counts each colour. Returns how many there are. */
function firstFit(base: i32, list: i32, contacts: i32): i32 {
	const colour: i32 = 2 * (base + COLOUR);
	const size: i32 = 2 * (base + SIZE);
	let colours: i32 = 0;
	for (let a: i32 = 0; a < contacts; a += 1) setInt(colour + a, -1);
	for (let i: i32 = 0; i < contacts; i += 1) {
		const a: i32 = getInt(list + i);
		const taken: i32 = coloursAround(base, a, contacts);
		let c: i32 = 0;
		while (((taken >> c) & 1) != 0) c += 1;
		setInt(colour + a, c);
		if (c == colours) {
			colours += 1;
			setInt(size + c, 0);
		}
		setInt(size + c, getInt(size + c) + 1);
	}
	return colours;
}

/** All contacts by colours, the smallest colour first and those of a size by number, written at LIST. */
function smallestFirst(base: i32, colours: i32, contacts: i32): void {
	const colour: i32 = 2 * (base + COLOUR);
	const size: i32 = 2 * (base + SIZE);
	const list: i32 = 2 * (base + LIST);
	let count: i32 = 0;
	let done: i32 = 0;
	for (let i: i32 = 0; i < colours; i += 1) {
		let least: i32 = -1;
		for (let c: i32 = 0; c < colours; c += 1) {
			if (((done >> c) & 1) != 0) continue;
			if (least < 0 || getInt(size + c) < getInt(size + least)) least = c;
		}
		done |= 1 << least;
		for (let a: i32 = 0; a < contacts; a += 1) {
			if (getInt(colour + a) != least) continue;
			setInt(list + count, a);
			count += 1;
		}
	}
}

/** Moves contacts from colours above the mean to small ones, these by turns; false where nothing moved. */
function fillSmall(base: i32, colours: i32, contacts: i32): boolean {
	const colour: i32 = 2 * (base + COLOUR);
	const size: i32 = 2 * (base + SIZE);
	const small: i32 = 2 * (base + LIST);
	const sequence: i32 = 2 * (base + SEQUENCE);
	const mean: f64 = (contacts as f64) / (colours as f64);
	const full: f64 = Math.ceil(FILL * mean);
	let smalls: i32 = 0;
	for (let c: i32 = 0; c < colours; c += 1) {
		if (!((getInt(size + c) as f64) < full)) continue;
		setInt(small + smalls, c);
		smalls += 1;
	}
	let turn: i32 = 0;
	let moved: boolean = false;
	for (let i: i32 = 0; i < contacts; i += 1) {
		const a: i32 = getInt(sequence + i);
		const from: i32 = getInt(colour + a);
		if ((getInt(size + from) as f64) <= mean) continue;
		const taken: i32 = coloursAround(base, a, contacts);
		for (let tries: i32 = smalls; tries > 0; tries -= 1) {
			turn = turn + 1 < smalls ? turn + 1 : 0;
			const to: i32 = getInt(small + turn);
			if (((taken >> to) & 1) != 0) continue;
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

/** Whether contact a comes before b in storage: by colour, then by the length of the row, every second colour the other way round, then by id. */
function isBefore(base: i32, a: i32, b: i32): boolean {
	const colour: i32 = 2 * (base + COLOUR);
	const start: i32 = 2 * (base + ROW_START);
	const c: i32 = getInt(colour + a);
	const d: i32 = getInt(colour + b);
	if (c != d) return c < d;
	const m: i32 = getInt(start + a + 1) - getInt(start + a);
	const n: i32 = getInt(start + b + 1) - getInt(start + b);
	if (m != n) return (c & 1) == 0 ? m > n : m < n;
	return a < b;
}

/** Writes ORDER and PLACE and returns the number of colours; 0 where rows do not ascend. */
export function tinyOrder(base: i32, contacts: i32): i32 {
	if (!findNeighbours(base, contacts)) return 0;
	let colours: i32 = firstFit(base, 2 * (base + SEQUENCE), contacts);
	for (let round: i32 = 0; round < ROUNDS; round += 1) {
		smallestFirst(base, colours, contacts);
		colours = firstFit(base, 2 * (base + LIST), contacts);
	}
	for (let round: i32 = 0; round < MOVE_ROUNDS_MAX; round += 1) if (!fillSmall(base, colours, contacts)) break;
	const order: i32 = 2 * (base + ORDER);
	const place: i32 = 2 * (base + PLACE);
	for (let a: i32 = 0; a < contacts; a += 1) {
		let hole: i32 = a;
		for (; hole > 0 && isBefore(base, a, getInt(order + hole - 1)); hole -= 1) {
			setInt(order + hole, getInt(order + hole - 1));
		}
		setInt(order + hole, a);
	}
	for (let at: i32 = 0; at < contacts; at += 1) setInt(place + getInt(order + at), at);
	return colours;
}
