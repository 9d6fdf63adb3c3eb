/** A body's share of a block of W in plain TypeScript: assembly/rigid-block.ts says what it is, to the bit. */
import { get, set } from "./memory.js";

/** One entry without the sign: of rows f, l of one contact and h, k of the other. */
function entry(inverse: number, m: number, f: number, l: number, h: number, k: number): number {
	const [lx, ly, lz] = [get(l), get(l + 1), get(l + 2)];
	const [mx, my, mz] = [get(k), get(k + 1), get(k + 2)];
	const moved = inverse * (get(f) * get(h) + get(f + 1) * get(h + 1) + get(f + 2) * get(h + 2));
	const turned = get(m) * (lx * mx) + get(m + 1) * (ly * my) + get(m + 2) * (lz * mz);
	const mixed = get(m + 3) * (lx * my + ly * mx) + get(m + 4) * (lx * mz + lz * mx) + get(m + 5) * (ly * mz + lz * my);
	return moved + (turned + mixed);
}

export function addBlock(
	to: number,
	sign: number,
	inverse: number,
	m: number,
	f: number,
	l: number,
	g: number,
	n: number,
): void {
	for (let i = 0; i < 9; i += 3) {
		for (let j = 0; j < 3; j += 1) {
			const at = to + i + j;
			set(at, get(at) + sign * entry(inverse, m, f + i, l + i, g + 3 * j, n + 3 * j));
		}
	}
}

export function storeShare(
	factor: number,
	inverse: number,
	m: number,
	f: number,
	l: number,
	g: number,
	n: number,
	to: number,
	mirror: number,
): void {
	for (let i = 0; i < 3; i += 1) {
		for (let j = 0; j < 3; j += 1) {
			const value = 0 + factor * entry(inverse, m, f + 3 * i, l + 3 * i, g + 3 * j, n + 3 * j);
			set(to + 2 * (3 * i + j), value);
			set(mirror + 2 * (3 * j + i), value);
		}
	}
}

/** All of it: the half below the diagonal comes to the same bits. */
export function addOwnBlock(to: number, inverse: number, m: number, f: number, l: number): void {
	addBlock(to, 1, inverse, m, f, l, f, l);
}
