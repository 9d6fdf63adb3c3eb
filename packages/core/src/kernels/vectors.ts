/** Sums and combinations of vectors in plain TypeScript: assembly/vectors.ts says what they are, to the bit. */
import { get, set } from "./memory.js";

function dotRun(x: number, y: number, count: number): number {
	let sum0 = 0;
	let sum1 = 0;
	let sum2 = 0;
	let sum3 = 0;
	for (let i = 0; i < count; i += 4) {
		sum0 += get(x + i) * get(y + i);
		sum1 += get(x + i + 1) * get(y + i + 1);
		sum2 += get(x + i + 2) * get(y + i + 2);
		sum3 += get(x + i + 3) * get(y + i + 3);
	}
	return sum0 + sum2 + (sum1 + sum3);
}

export function dotLeaves(
	x: number,
	v: number,
	stride: number,
	k: number,
	y: number,
	length: number,
	partials: number,
	width: number,
	offset: number,
): void {
	let to = partials + offset;
	for (let from = 0; from < length; from += 192) {
		const count = Math.min(192, length - from);
		for (let j = 0; j < k; j += 1) set(to + j, dotRun(x + from, v + j * stride + from, count));
		set(to + k, dotRun(x + from, y + from, count));
		to += width;
	}
}

export function addCombination(x: number, a: number, v: number, stride: number, k: number, length: number): void {
	for (let j = 0; j < k; j += 1) {
		const factor = get(a + j);
		const from = v + j * stride;
		for (let i = 0; i < length; i += 1) set(x + i, get(x + i) + factor * get(from + i));
	}
}

export function axpby(a: number, x: number, b: number, y: number, length: number): void {
	for (let i = 0; i < length; i += 1) set(y + i, a * get(x + i) + b * get(y + i));
}

export function subtract(x: number, y: number, z: number, length: number): void {
	for (let i = 0; i < length; i += 1) set(z + i, get(x + i) - get(y + i));
}

export function copy(x: number, y: number, length: number): void {
	for (let i = 0; i < length; i += 1) set(y + i, get(x + i));
}

export function fill(x: number, value: number, length: number): void {
	for (let i = 0; i < length; i += 1) set(x + i, value);
}
