/** The SELL-2 product in plain TypeScript: assembly/sell.ts says what it is; the order of every addition is the same. */
import { get, getInt, set } from "./memory.js";

/** One row's product (lane 0 or 1 of its pair), written at out. */
function rowProduct(
	lane: number,
	slot: number,
	end: number,
	column: number,
	values: number,
	x: number,
	out: number,
): void {
	let sum0 = 0;
	let sum1 = 0;
	let sum2 = 0;
	for (let s = slot; s < end; s += 1) {
		const b = x + (getInt(column + 2 * s + lane) >> 3);
		const x0 = get(b);
		const x1 = get(b + 1);
		const x2 = get(b + 2);
		const v = values + 18 * s + lane;
		sum0 += get(v) * x0 + get(v + 2) * x1 + get(v + 4) * x2;
		sum1 += get(v + 6) * x0 + get(v + 8) * x1 + get(v + 10) * x2;
		sum2 += get(v + 12) * x0 + get(v + 14) * x1 + get(v + 16) * x2;
	}
	set(out, sum0);
	set(out + 1, sum1);
	set(out + 2, sum2);
}

/** Both rows' W x, as six numbers at out. */
export function pairProduct(slot: number, end: number, column: number, values: number, x: number, out: number): void {
	rowProduct(0, slot, end, column, values, x, out);
	rowProduct(1, slot, end, column, values, x, out + 3);
}

/** y = W x for the pairs from..to-1. */
export function sellApply(
	from: number,
	to: number,
	start: number,
	column: number,
	values: number,
	x: number,
	y: number,
): void {
	let slot = getInt(start + from);
	for (let pair = from; pair < to; pair += 1) {
		const end = getInt(start + pair + 1);
		pairProduct(slot, end, column, values, x, y + 6 * pair);
		slot = end;
	}
}
