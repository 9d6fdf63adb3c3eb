/**
 * Places along a Hilbert curve, by J. Skilling's transposition of coordinates ("Programming the Hilbert curve", AIP Conf. Proc. 707, 2004).
 * What he does to the lower bits of a cell at each level (inverting an axis, exchanging two) is one of a few states, and what a level adds to
 * the place follows from its three bits and the state: two levels at a time are looked up in a table. To do it bit by bit takes
 * three times as long, and twice that where each bit is branched on, as bits of a cell are as good as random.
 */

/** Bits per axis. */
export const CURVE_BITS = 16;

/** How the lower bits stand: which axis is where, which of them are inverted, and whether the digits are. */
interface State {
	readonly axis: readonly number[];
	readonly inverted: readonly number[];
	readonly flip: number;
}

/** The digit of one level, x first, and the state of the next; `octant` has the bits of x, y and z. */
function step({ axis, inverted, flip }: State, octant: number): { readonly digit: number; readonly next: State } {
	const bits = [0, 1, 2].map((i) => ((octant >> (2 - axis[i]!)) & 1) ^ inverted[i]!);
	const nextAxis = [...axis];
	const nextInverted = [...inverted];
	for (let i = 0; i < 3; i += 1) {
		if (bits[i] === 1) nextInverted[0]! ^= 1;
		else {
			[nextAxis[0], nextAxis[i]] = [nextAxis[i]!, nextAxis[0]!];
			[nextInverted[0], nextInverted[i]] = [nextInverted[i]!, nextInverted[0]!];
		}
	}
	const x = bits[0]!;
	const y = bits[1]! ^ x;
	const z = bits[2]! ^ y;
	const digit = ((x << 2) | (y << 1) | z) ^ (7 * flip);
	return { digit, next: { axis: nextAxis, inverted: nextInverted, flip: flip ^ z } };
}

/** By state and the bits of two levels: 64 times the next state, shifted by the six bits of the two digits, which stand below. */
function makeTable(): Int32Array {
	const start: State = { axis: [0, 1, 2], inverted: [0, 0, 0], flip: 0 };
	const states = [start];
	const numbers = new Map([[JSON.stringify(start), 0]]);
	const entries: number[] = [];
	for (let state = 0; state < states.length; state += 1) {
		for (let bits = 0; bits < 64; bits += 1) {
			const first = step(states[state]!, bits >> 3);
			const { digit, next } = step(first.next, bits & 7);
			const name = JSON.stringify(next);
			const number = numbers.get(name) ?? states.length;
			if (number === states.length) {
				numbers.set(name, number);
				states.push(next);
			}
			entries.push((number << 12) | (first.digit << 3) | digit);
		}
	}
	return Int32Array.from(entries);
}

/** The bits of a byte, spread so that two more fit between any two of them. */
const SPREAD = Int32Array.from({ length: 256 }, (_, byte) => {
	let spread = 0;
	for (let bit = 0; bit < 8; bit += 1) spread |= ((byte >> bit) & 1) << (3 * bit);
	return spread;
});

/** Made by who needs it first: small problems do not. */
let table: Int32Array | undefined;

/** Writes the places of cells (three numbers of 16 bits each) along the curve: their upper 24 bits, and their lower ones. */
export function curvePlaces(cells: Uint16Array, upper: Int32Array, lower: Int32Array): void {
	table ??= makeTable();
	const next = table;
	for (let id = 0, at = 0; id < upper.length; id += 1, at += 3) {
		const x = cells[at]!;
		const y = cells[at + 1]!;
		const z = cells[at + 2]!;
		const high = (SPREAD[x >> 8]! << 2) | (SPREAD[y >> 8]! << 1) | SPREAD[z >> 8]!;
		const low = (SPREAD[x & 255]! << 2) | (SPREAD[y & 255]! << 1) | SPREAD[z & 255]!;
		const a = next[high >> 18]!;
		const b = next[(a >> 6) + ((high >> 12) & 63)]!;
		const c = next[(b >> 6) + ((high >> 6) & 63)]!;
		const d = next[(c >> 6) + (high & 63)]!;
		upper[id] = ((a & 63) << 18) | ((b & 63) << 12) | ((c & 63) << 6) | (d & 63);
		const e = next[(d >> 6) + (low >> 18)]!;
		const f = next[(e >> 6) + ((low >> 12) & 63)]!;
		const g = next[(f >> 6) + ((low >> 6) & 63)]!;
		const h = next[(g >> 6) + (low & 63)]!;
		lower[id] = ((e & 63) << 18) | ((f & 63) << 12) | ((g & 63) << 6) | (h & 63);
	}
}
