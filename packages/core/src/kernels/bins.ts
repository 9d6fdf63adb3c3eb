/** Sums that order cannot change, in plain TypeScript: assembly/bins.ts says what they are. One lane is enough: the bits are the same. */
import { get, set } from "./memory.js";

export const LAST_BIN = 73;
const FIRST_TOP = 2;

function raise(sum: number, table: number, largest: number): void {
	const from = get(sum);
	let top = from;
	while (top <= LAST_BIN && !(largest < get(table + 2 * top + 1))) top += 1;
	set(sum, top);
	const steps = top - from;
	for (let bin = 3; bin >= 1; bin -= 1) {
		for (let lane = 0; lane < 2; lane += 1) {
			set(sum + 2 * bin + lane, bin > steps ? get(sum + 2 * (bin - steps) + lane) : 0);
		}
	}
}

/** The top bin of the last sum here is of no use to the twin, which finds its own; WebAssembly forgets it when it has been of use. */
function forget(sum: number): void {
	if (get(sum) <= LAST_BIN) set(sum + 1, FIRST_TOP);
}

/** Adds a term that fits the window. */
function add(term: number, sum: number, table: number): void {
	const top = get(sum);
	if (top > LAST_BIN) return;
	let p = term;
	for (let bin = 0; bin < 3; bin += 1) {
		const c = get(table + 2 * (top - bin));
		const q = p + c - c;
		set(sum + 2 + 2 * bin, get(sum + 2 + 2 * bin) + q);
		p -= q;
	}
}

export function deposit(values: number, count: number, sum: number, table: number): void {
	let largest = 0;
	for (let i = 0; i < count; i += 1) largest = Math.max(largest, Math.abs(get(values + i)));
	if (!(largest < get(table + 2 * get(sum) + 1))) raise(sum, table, largest);
	for (let i = 0; i < count; i += 1) add(get(values + i), sum, table);
	forget(sum);
}

/** The terms of x . y of a run of blocks, one by one. */
function depositDots(x: number, y: number, blocks: number, sum: number, table: number): void {
	let largest = 0;
	const termOf = (b: number) =>
		get(x + b) * get(y + b) + get(x + b + 1) * get(y + b + 1) + get(x + b + 2) * get(y + b + 2);
	for (let b = 0; b < 3 * blocks; b += 3) largest = Math.max(largest, Math.abs(termOf(b)));
	if (!(largest < get(table + 2 * get(sum) + 1))) raise(sum, table, largest);
	for (let b = 0; b < 3 * blocks; b += 3) add(termOf(b), sum, table);
	forget(sum);
}

export function dotBins(
	x: number,
	v: number,
	stride: number,
	k: number,
	y: number,
	length: number,
	sums: number,
	table: number,
): void {
	for (let from = 0; from < length; from += 192) {
		const blocks = Math.min(192, length - from) / 3;
		for (let j = 0; j <= k; j += 1) {
			depositDots(x + from, (j < k ? v + j * stride : y) + from, blocks, sums + 8 * j, table);
		}
	}
}
