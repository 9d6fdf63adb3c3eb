/**
 * A locality order: bodies along a Morton (z-order) curve through their centres, contacts by their two bodies, so that
 * neighbours have near ids and a run of ids is a compact region.
 */
import type { Pile } from "./pile.js";

/** Cells along each axis: 2^10, ten bits of the key each. */
const cells = 1024;

/** Rearranges the ids that `order` lists by ascending key (0 <= key < range), leaving ties as they stand. */
function countingSort(order: Int32Array, range: number, key: (id: number) => number): Int32Array {
	const start = new Int32Array(range + 1);
	for (let i = 0; i < order.length; i += 1) start[key(order[i]!) + 1]! += 1;
	for (let k = 0; k < range; k += 1) start[k + 1]! += start[k]!;
	const sorted = new Int32Array(order.length);
	for (let i = 0; i < order.length; i += 1) {
		const id = order[i]!;
		const k = key(id);
		sorted[start[k]!] = id;
		start[k]! += 1;
	}
	return sorted;
}

/** The bits of x (below 1024) with two zeros between each. */
function spread(x: number): number {
	let s = x;
	s = (s | (s << 16)) & 0x030000ff;
	s = (s | (s << 8)) & 0x0300f00f;
	s = (s | (s << 4)) & 0x030c30c3;
	s = (s | (s << 2)) & 0x09249249;
	return s;
}

/** Body ids of the pile in their new order. */
export function orderBodies({ bodies, centre }: Pile): Int32Array {
	const low = [Infinity, Infinity, Infinity];
	let extent = 0;
	for (let k = 0; k < 3; k += 1) {
		let high = -Infinity;
		for (let i = k; i < centre.length; i += 3) {
			low[k] = Math.min(low[k]!, centre[i]!);
			high = Math.max(high, centre[i]!);
		}
		extent = Math.max(extent, high - low[k]!);
	}
	const scale = extent > 0 ? cells / extent : 0;
	const cell = (i: number, k: number) => Math.min(cells - 1, Math.floor((centre[3 * i + k]! - low[k]!) * scale));
	const keys = new Int32Array(bodies);
	for (let i = 0; i < bodies; i += 1) {
		keys[i] = spread(cell(i, 0)) | (spread(cell(i, 1)) << 1) | (spread(cell(i, 2)) << 2);
	}
	let order: Int32Array = Int32Array.from(keys, (_, i) => i);
	for (const shift of [0, 10, 20]) order = countingSort(order, 1024, (id) => (keys[id]! >>> shift) & 1023);
	return order;
}

/** Contact ids of the pile by the lower of their two new body ids, then by the other; the ground comes first. */
export function orderContacts(pile: Pile, newId: Int32Array): Int32Array {
	const { bodies, contacts, pair } = pile;
	const first = new Int32Array(contacts);
	const second = new Int32Array(contacts);
	for (let c = 0; c < contacts; c += 1) {
		const a = newId[pair[2 * c]!]!;
		const other = pair[2 * c + 1]!;
		const b = other < 0 ? -1 : newId[other]!;
		first[c] = b < 0 ? a : Math.min(a, b);
		second[c] = b < 0 ? -1 : Math.max(a, b);
	}
	const given = Int32Array.from(first, (_, c) => c);
	const bySecond = countingSort(given, bodies + 1, (c) => second[c]! + 1);
	return countingSort(bySecond, bodies, (c) => first[c]!);
}
