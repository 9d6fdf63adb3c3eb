import { describe, expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { csrFromTriplets, multiplyCsr } from "./csr.js";
import type { CsrMatrix } from "./problem.js";
import { reverseCuthillMckee } from "./rcm.js";
import { factor } from "./sparse-lu.js";

/** A grid of springs in a random numbering (the order has to find the band again), or blocks on the diagonal; not symmetric. */
function grid(side: number, seed: number): CsrMatrix {
	const random = new Random(seed);
	const name = random.shuffle(Int32Array.from({ length: side * side }, (_, k) => k));
	const row: number[] = [];
	const column: number[] = [];
	const values: number[] = [];
	const add = (i: number, j: number, value: number): void => {
		row.push(name[i]!);
		column.push(name[j]!);
		values.push(value);
	};
	for (let k = 0; k < side * side; k += 1) {
		add(k, k, 5 + random.uniform());
		for (const other of [...(k % side > 0 ? [k - 1] : []), ...(k >= side ? [k - side] : [])]) {
			add(k, other, -1 + 0.3 * random.uniform());
			add(other, k, -1 + 0.3 * random.uniform());
		}
	}
	return fromLists(side * side, row, column, values);
}

function fromLists(size: number, row: number[], column: number[], values: number[]): CsrMatrix {
	const entries = { row: Int32Array.from(row), column: Int32Array.from(column), values: Float64Array.from(values) };
	return csrFromTriplets(size, size, entries);
}

function residual(matrix: CsrMatrix, x: Float64Array, b: Float64Array): number {
	const y = new Float64Array(b.length);
	multiplyCsr(matrix, x, y);
	return y.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]!)), 0);
}

describe("factor", () => {
	test("solves a shuffled grid that is not symmetric, with an envelope close to the grid's band", () => {
		const side = 30;
		const matrix = grid(side, 1);
		const lu = factor(matrix, "test", "M");
		const b = new Float64Array(matrix.rows).map((_, k) => Math.fround(k % 17) - 8);
		const x = b.slice();
		lu.solve(x);
		expect(residual(matrix, x, b)).toBeLessThan(1e-12);
		// A grid in its natural order has side entries in each row of the envelope; the shuffled one had some 300.
		expect(lu.bytes).toBeLessThan(16 * side * matrix.rows * 1.3);
	});

	test("takes blocks on the diagonal one by one: memory linear in their number", () => {
		const blocks = 2000;
		const random = new Random(3);
		const row: number[] = [];
		const column: number[] = [];
		const values: number[] = [];
		for (let b = 0; b < blocks; b += 1) {
			for (let k = 0; k < 9; k += 1) {
				row.push(b + blocks * Math.floor(k / 3));
				column.push(b + blocks * (k % 3));
				values.push(k % 4 === 0 ? 3 : random.between(-1, 1));
			}
		}
		const matrix = fromLists(3 * blocks, row, column, values);
		const lu = factor(matrix, "test", "M");
		expect(lu.componentStart.length).toBe(blocks + 1);
		expect(lu.bytes).toBeLessThan(100 * 3 * blocks);
		const b = new Float64Array(3 * blocks).fill(1);
		const x = b.slice();
		lu.solve(x);
		expect(residual(matrix, x, b)).toBeLessThan(1e-13);
	});

	test.each([
		{ name: "an empty row", entries: [[0, 0, 1]], row: 1 },
		{
			name: "a row that repeats another",
			entries: [
				[0, 0, 1],
				[0, 1, 2],
				[1, 0, 2],
				[1, 1, 4],
			],
			row: undefined,
		},
		{
			name: "an infinite entry",
			entries: [
				[0, 0, 1],
				[1, 1, Number.POSITIVE_INFINITY],
			],
			row: 1,
		},
	])("names the row of a zero pivot: $name", ({ entries, row }) => {
		const [i, j, x] = [0, 1, 2].map((k) => entries.map((entry) => entry[k]!)) as [number[], number[], number[]];
		const failing = (): unknown => factor(fromLists(2, i, j, x), "file", "/M");
		expect(failing).toThrow(InputError);
		expect(failing).toThrow(
			row === undefined ? /^file: \/M, row [01]: is singular/ : new RegExp(`^file: /M, row ${row}: is singular`),
		);
	});

	test("refuses what would need memory without bound, from a small matrix", () => {
		const size = 60_000;
		const random = new Random(5);
		const index = (): number[] => Array.from({ length: 4 * size }, () => random.below(size));
		const matrix = fromLists(
			size,
			index(),
			index(),
			Array.from({ length: 4 * size }, () => 1),
		);
		expect(() => factor(matrix, "file", "/M")).toThrow(/couples its 60000 unknowns too widely/);
	});
});

test("reverseCuthillMckee: every unknown once, components contiguous", () => {
	const matrix = fromLists(7, [0, 2, 4, 6, 1], [2, 4, 0, 1, 1], [1, 1, 1, 1, 1]);
	const { order, componentStart } = reverseCuthillMckee(matrix);
	expect([...order].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
	const parts = Array.from({ length: componentStart.length - 1 }, (_, k) =>
		[...order.subarray(componentStart[k], componentStart[k + 1])].sort(),
	);
	expect(parts).toEqual([[0, 2, 4], [1, 6], [3], [5]]);
});

test("reverseCuthillMckee: a hub with many neighbours costs no square of their number", () => {
	const size = 200_000;
	const leaves = Array.from({ length: size - 1 }, (_, k) => k + 1);
	const hub = leaves.map(() => 0);
	const all = [0, ...leaves];
	const matrix = fromLists(
		size,
		[...all, ...leaves, ...hub],
		[...all, ...hub, ...leaves],
		all.concat(leaves, leaves).map((_, k) => (k < size ? size : 1)),
	);
	const lu = factor(matrix, "test", "M");
	const x = new Float64Array(size).fill(1);
	lu.solve(x);
	expect(residual(matrix, x, new Float64Array(size).fill(1))).toBeLessThan(1e-10);
});
