/** Combinations of vectors in plain TypeScript: assembly/vectors.ts says what they are, to the bit. */
import { get, set } from "./memory.js";

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

export function differences(
	g: number,
	x: number,
	f: number,
	lastF: number,
	df: number,
	lastG: number,
	dg: number,
	length: number,
): void {
	for (let i = 0; i < length; i += 1) {
		const point = get(g + i);
		const step = point - get(x + i);
		set(f + i, step);
		set(df + i, step - get(lastF + i));
		set(dg + i, point - get(lastG + i));
	}
}

export function copy(x: number, y: number, length: number): void {
	for (let i = 0; i < length; i += 1) set(y + i, get(x + i));
}

export function fill(x: number, value: number, length: number): void {
	for (let i = 0; i < length; i += 1) set(x + i, value);
}

export function clearStrided(x: number, count: number, stride: number, vectors: number): void {
	for (let j = 0; j < vectors; j += 1) {
		for (let i = 0; i < count; i += 1) set(x + j * stride + i, 0);
	}
}
