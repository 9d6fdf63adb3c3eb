/**
 * Scaling of the unknowns: s_a = |W_aa|^(-1/2), one number per block, so that cones stay what they are. In R' = R / s, U' = s U,
 * W' = s W s every diagonal block has norm 1 and a reaction can be added to a velocity (design.md decision 8).
 */
import { ghostPlace } from "../parallel/share.js";

/** s per place, own blocks and then ghosts; ones where the problem's own units are wanted. `diagonal` has no room for padding. */
export function scales(diagonal: Float64Array, own: number, scaled: boolean): Float64Array {
	const blocks = diagonal.length / 9;
	const gap = ghostPlace(own) - own;
	const s = new Float64Array(blocks + gap).fill(1);
	if (!scaled) return s;
	for (let block = 0; block < blocks; block += 1) {
		const from = 9 * block;
		let largest = 0;
		for (let i = from; i < from + 9; i += 1) largest = Math.max(largest, Math.abs(diagonal[i]!));
		if (!(largest > 0)) continue;
		// A Frobenius norm, divided by sqrt(3) so that a multiple of the identity becomes the identity; by shares of the largest
		// entry, whose squares are far from the ends of the numbers.
		let square = 0;
		for (let i = from; i < from + 9; i += 1) {
			const share = diagonal[i]! / largest;
			square += share * share;
		}
		s[block < own ? block : block + gap] = 1 / Math.sqrt(largest * Math.sqrt(square / 3));
	}
	return s;
}

const UNIT_MAX = 2 ** 1000;

/** The power of two that brings a number into [1, 2); 1 for zero. */
export function unitFor(largest: number): number {
	if (largest === 0) return 1;
	let unit = 1;
	while (largest * unit < 1 && unit < UNIT_MAX) unit *= 2;
	while (largest * unit >= 2 && unit > 1 / UNIT_MAX) unit /= 2;
	return unit;
}

/** What a blocked direction is given, as a share of the mean diagonal. */
const STIFFNESS = 1e-10;

/**
 * A singular diagonal block (a direction in which nothing can move; problem/diagonal.ts says which) gets a stiff spring there,
 * so that local solves and Newton's blocks exist. Fixed points stay what they are: a local solve takes out what it put in.
 */
export function stiffen(w: Float64Array, at: number): void {
	const mean = ((w[at] as number) + (w[at + 4] as number) + (w[at + 8] as number)) / 3;
	for (let k = 0; k < 9; k += 4) w[at + k] = (w[at + k] as number) + STIFFNESS * mean;
}
