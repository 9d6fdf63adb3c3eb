/** What assembly/sell-block.ts does, in plain TypeScript. */
import { get, set } from "./memory.js";

export function storeBlock(from: number, factor: number, to: number): number {
	let sum = 0;
	for (let i = 0; i < 9; i += 1) {
		const value = factor * get(from + i);
		set(to + 2 * i, value);
		sum += value;
	}
	return sum;
}

export function storeTransposed(from: number, factor: number, to: number): void {
	for (let i = 0; i < 3; i += 1) {
		for (let j = 0; j < 3; j += 1) set(to + 6 * j + 2 * i, factor * get(from + 3 * i + j));
	}
}
