/** The table against what it was made of: Skilling's transposition, bit by bit, on cells of all sizes. */
import { expect, test } from "vitest";
import { Random } from "../base/random.js";
import { CURVE_BITS, curvePlaces } from "./hilbert.js";

/** The place as he has it, its bits as a number of 48. */
function transposed(cell: readonly number[]): number {
	const [x, y, z] = [0, 1, 2];
	const axes = [...cell];
	for (let bit = 2 ** (CURVE_BITS - 1); bit > 1; bit /= 2) {
		for (const i of [x, y, z]) {
			const low = bit - 1;
			if ((axes[i]! & bit) !== 0) axes[x]! ^= low;
			else {
				const swap = (axes[x]! ^ axes[i]!) & low;
				axes[x]! ^= swap;
				axes[i]! ^= swap;
			}
		}
	}
	axes[y]! ^= axes[x]!;
	axes[z]! ^= axes[y]!;
	let flip = 0;
	for (let bit = 2 ** (CURVE_BITS - 1); bit > 1; bit /= 2) if ((axes[z]! & bit) !== 0) flip ^= bit - 1;
	let place = 0;
	for (let k = CURVE_BITS - 1; k >= 0; k -= 1) {
		for (const axis of axes) place = 2 * place + (((axis ^ flip) >> k) & 1);
	}
	return place;
}

test("places along the curve", () => {
	const random = new Random(1);
	const ends = [0, 1, 2 ** CURVE_BITS - 1];
	const cells = ends.flatMap((i) => ends.flatMap((j) => ends.map((k) => [i, j, k])));
	for (let n = 0; n < 5000; n += 1) {
		const most = 2 ** (1 + (n % CURVE_BITS));
		cells.push([random.below(most), random.below(most), random.below(most)]);
	}
	const [upper, lower] = [new Int32Array(cells.length), new Int32Array(cells.length)];
	curvePlaces(Uint16Array.from(cells.flat()), upper, lower);
	const places = Array.from(upper, (high, i) => high * 2 ** 24 + lower[i]!);
	expect(places).toEqual(cells.map(transposed));
});
