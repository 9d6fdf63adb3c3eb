/** A body's share of a block of W in plain TypeScript: assembly/rigid-block.ts says what it is, to the bit. */
import { get, set } from "./memory.js";

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
	const xx = get(m);
	const yy = get(m + 1);
	const zz = get(m + 2);
	const xy = get(m + 3);
	const xz = get(m + 4);
	const yz = get(m + 5);
	for (let i = 0; i < 9; i += 3) {
		const fx = get(f + i);
		const fy = get(f + i + 1);
		const fz = get(f + i + 2);
		const lx = get(l + i);
		const ly = get(l + i + 1);
		const lz = get(l + i + 2);
		for (let j = 0; j < 3; j += 1) {
			const h = g + 3 * j;
			const k = n + 3 * j;
			const mx = get(k);
			const my = get(k + 1);
			const mz = get(k + 2);
			const moved = inverse * (fx * get(h) + fy * get(h + 1) + fz * get(h + 2));
			const turned = xx * (lx * mx) + yy * (ly * my) + zz * (lz * mz);
			const mixed = xy * (lx * my + ly * mx) + xz * (lx * mz + lz * mx) + yz * (ly * mz + lz * my);
			set(to + i + j, get(to + i + j) + sign * (moved + (turned + mixed)));
		}
	}
}

/** All of it: the half below the diagonal comes to the same bits. */
export function addOwnBlock(to: number, inverse: number, m: number, f: number, l: number): void {
	addBlock(to, 1, inverse, m, f, l, f, l);
}
