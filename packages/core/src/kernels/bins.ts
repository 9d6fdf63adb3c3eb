/** Sums that order cannot change, in plain TypeScript: assembly/bins.ts says what they are. One lane is enough: the bits are the same. */
import { get, set } from "./memory.js";

const LAST_BIN = 73;

function raise(sum: number, table: number, largest: number): number {
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
	return top;
}

export function deposit(values: number, count: number, sum: number, table: number): void {
	let largest = 0;
	for (let i = 0; i < count; i += 1) largest = Math.max(largest, Math.abs(get(values + i)));
	let top = get(sum);
	if (!(largest < get(table + 2 * top + 1))) top = raise(sum, table, largest);
	if (top > LAST_BIN) return;
	for (let i = 0; i < count; i += 1) {
		let p = get(values + i);
		for (let bin = 0; bin < 3; bin += 1) {
			const c = get(table + 2 * (top - bin));
			const q = p + c - c;
			set(sum + 2 + 2 * bin, get(sum + 2 + 2 * bin) + q);
			p -= q;
		}
	}
}

export function dotBins(
	x: number,
	v: number,
	stride: number,
	k: number,
	y: number,
	length: number,
	values: number,
	sums: number,
	table: number,
): void {
	for (let from = 0; from < length; from += 192) {
		const blocks = Math.min(192, length - from) / 3;
		for (let j = 0; j <= k; j += 1) {
			const other = (j < k ? v + j * stride : y) + from;
			for (let b = 0; b < blocks; b += 1) {
				const at = x + from + 3 * b;
				const to = other + 3 * b;
				set(values + b, get(at) * get(to) + get(at + 1) * get(to + 1) + get(at + 2) * get(to + 2));
			}
			deposit(values, blocks, sums + 8 * j, table);
		}
	}
}
