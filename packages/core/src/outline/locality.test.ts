/** The order of locality: along a full grid the Hilbert curve takes unit steps, and that is what tells it from any other curve. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { localityOrder } from "./locality.js";

/** Points of a full grid of side^3, in a random numbering; each with its place in the grid. */
function grid(side: number, seed: number, scale: number, shift: number) {
	const cells = new Random(seed).shuffle(Int32Array.from({ length: side ** 3 }, (_, k) => k));
	const at = (k: number): number[] => [k % side, Math.floor(k / side) % side, Math.floor(k / side ** 2)];
	const cell = Array.from(cells, at);
	return { cell, point: Float64Array.from(cell.flat(), (value) => shift + scale * value) };
}

const isPermutation = (order: Int32Array): boolean =>
	order
		.slice()
		.sort()
		.every((id, k) => id === k);

describe("a full grid", () => {
	test.each([
		[2, 1, 0],
		[4, 1, -7],
		[8, 1e-9, 0],
		[16, 1e6, 3e7],
	])("of side %d, in units of %d from %d: each step leads to the cell next door", (side, scale, shift) => {
		const { cell, point } = grid(side, side, scale, shift);
		const order = localityOrder(side ** 3, point);
		expect(isPermutation(order)).toBe(true);
		for (let k = 1; k < order.length; k += 1) {
			const [a, b] = [cell[order[k - 1]!]!, cell[order[k]!]!];
			expect(a.reduce((sum, value, axis) => sum + Math.abs(value - b[axis]!), 0)).toBe(1);
		}
	});

	test("whole octants are done one after another, at every level", () => {
		const side = 8;
		const { cell, point } = grid(side, 3, 1, 0);
		const order = localityOrder(side ** 3, point);
		for (const size of [2, 4]) {
			for (let from = 0; from < side ** 3; from += size ** 3) {
				const octants = new Set(
					[...order.subarray(from, from + size ** 3)].map((id) =>
						cell[id]!.map((value) => Math.floor(value / size)).join(),
					),
				);
				expect(octants.size).toBe(1);
			}
		}
	});
});

describe("any points", () => {
	const random = new Random(9);
	const point = Float64Array.from({ length: 3000 }, () => random.between(-5, 5));

	test("a permutation, the same each time", () => {
		const order = localityOrder(1000, point);
		expect(isPermutation(order)).toBe(true);
		expect(localityOrder(1000, point)).toEqual(order);
	});

	test("the numbering changes nothing but names", () => {
		const names = random.shuffle(Int32Array.from({ length: 1000 }, (_, k) => k));
		const renamed = new Float64Array(3000);
		for (const [id, name] of names.entries()) renamed.set(point.subarray(3 * id, 3 * id + 3), 3 * name);
		expect(localityOrder(1000, renamed)).toEqual(localityOrder(1000, point).map((id) => names[id]!));
	});

	/** Mean steps along the curve, as a share of those from id to id. */
	function nearness(points: Float64Array): number {
		const order = localityOrder(1000, points);
		const distance = (a: number, b: number): number =>
			Math.hypot(...[0, 1, 2].map((i) => points[3 * a + i]! - points[3 * b + i]!));
		let [along, byId] = [0, 0];
		for (let k = 1; k < 1000; k += 1) {
			along += distance(order[k - 1]!, order[k]!);
			byId += distance(k - 1, k);
		}
		return along / byId;
	}

	// Of n random points in a volume the nearest is some n^(-1/3) away, in a plane n^(-1/2), on a line 1 / n.
	test("neighbours along the curve are near", () => {
		expect(nearness(point)).toBeLessThan(0.25);
	});

	test("axes have one scale: a plane stays one, however rough, and a line", () => {
		expect(nearness(point.map((value, i) => (i % 3 === 1 ? 1e-4 * value : value)))).toBeLessThan(0.1);
		expect(nearness(point.map((value, i) => (i % 3 === 2 ? value : 1e-4 * value)))).toBeLessThan(0.02);
	});
});

describe("ties go by id", () => {
	test("points in one place, or in one cell", () => {
		const one = new Float64Array(30).fill(4);
		expect([...localityOrder(10, one)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		// Two heaps a long way apart, each far smaller than a cell.
		const heaps = Float64Array.from({ length: 30 }, (_, i) => (Math.floor(i / 3) % 2) * 1e6 + 1e-3 * (i % 7));
		expect([...localityOrder(10, heaps)]).toEqual([0, 2, 4, 6, 8, 1, 3, 5, 7, 9]);
	});

	test("no points: the order of ids; no contacts: none", () => {
		expect([...localityOrder(4, undefined)]).toEqual([0, 1, 2, 3]);
		expect(localityOrder(0, new Float64Array(0))).toHaveLength(0);
		expect([...localityOrder(1, Float64Array.of(1, 2, 3))]).toEqual([0]);
	});
});
