/**
 * SHA-256 (FIPS 180-4, sections 5 and 6.2) of numbers as they stand in memory, little-endian: the hash by which answers are compared. A call takes whole blocks of eight numbers, or
 * the last ones with the padding behind them.
 */
import { get, getInt, set, setInt } from "./memory";

const ROUNDS: i32 = 64;
/** Integers of a block of the message. */
const BLOCK: i32 = 16;
/** Where the schedule of a block and the state stand in the work, behind the constants of the rounds. */
const SCHEDULE: i32 = 64;
const STATE: i32 = 128;

/** An integer with its bytes the other way round. */
function swapped(x: i32): i32 {
	return (x << 24) | ((x & 0xff00) << 8) | ((x >>> 8) & 0xff00) | (x >>> 24);
}

function turned(x: i32, by: i32): i32 {
	return (x >>> by) | (x << (32 - by));
}

/** A bit, zeros, and how many bits there are in all, up to the end of a block; returns the blocks that there are then. */
function pad(message: i32, integers: i32, total: i32): i32 {
	let at: i32 = integers;
	setInt(message + at, 0x80);
	for (at += 1; at % BLOCK != BLOCK - 2; at += 1) setInt(message + at, 0);
	setInt(message + at, swapped(total >>> 26));
	setInt(message + at + 1, swapped(total << 6));
	return (at + 2) / BLOCK;
}

function addBlock(message: i32, constants: i32, schedule: i32, state: i32): void {
	for (let t: i32 = 0; t < BLOCK; t += 1) setInt(schedule + t, swapped(getInt(message + t)));
	for (let t: i32 = BLOCK; t < ROUNDS; t += 1) {
		const x: i32 = getInt(schedule + t - 2);
		const y: i32 = getInt(schedule + t - 15);
		const sum: i32 = (turned(x, 17) ^ turned(x, 19) ^ (x >>> 10)) + getInt(schedule + t - 7);
		const more: i32 = (turned(y, 7) ^ turned(y, 18) ^ (y >>> 3)) + getInt(schedule + t - 16);
		setInt(schedule + t, (sum + more) | 0);
	}
	let a: i32 = getInt(state);
	let b: i32 = getInt(state + 1);
	let c: i32 = getInt(state + 2);
	let d: i32 = getInt(state + 3);
	let e: i32 = getInt(state + 4);
	let f: i32 = getInt(state + 5);
	let g: i32 = getInt(state + 6);
	let h: i32 = getInt(state + 7);
	for (let t: i32 = 0; t < ROUNDS; t += 1) {
		const large: i32 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
		const chosen: i32 = (e & f) ^ (~e & g);
		const first: i32 = (h + large + chosen + getInt(constants + t) + getInt(schedule + t)) | 0;
		const other: i32 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
		const most: i32 = (a & b) ^ (a & c) ^ (b & c);
		h = g;
		g = f;
		f = e;
		e = (d + first) | 0;
		d = c;
		c = b;
		b = a;
		a = (first + other + most) | 0;
	}
	setInt(state, (getInt(state) + a) | 0);
	setInt(state + 1, (getInt(state + 1) + b) | 0);
	setInt(state + 2, (getInt(state + 2) + c) | 0);
	setInt(state + 3, (getInt(state + 3) + d) | 0);
	setInt(state + 4, (getInt(state + 4) + e) | 0);
	setInt(state + 5, (getInt(state + 5) + f) | 0);
	setInt(state + 6, (getInt(state + 6) + g) | 0);
	setInt(state + 7, (getInt(state + 7) + h) | 0);
}

/**
 * Takes `count` numbers into the state. They are whole blocks, and more come, where `total` is negative; else they are the last of so many in all, with room behind them for a
 * block and a half. `work` has 64 constants, room for as many integers, and the state of eight.
 */
export function sha256(numbers: i32, count: i32, total: i32, work: i32): void {
	// Adding 0 makes -0 into +0: they are the same reaction.
	for (let i: i32 = numbers; i < numbers + count; i += 1) set(i, get(i) + 0);
	const message: i32 = 2 * numbers;
	const blocks: i32 = total < 0 ? (2 * count) / BLOCK : pad(message, 2 * count, total);
	for (let i: i32 = 0; i < blocks; i += 1) addBlock(message + BLOCK * i, work, work + SCHEDULE, work + STATE);
}
