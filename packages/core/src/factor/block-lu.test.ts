/** Sparse LU of 6x6 blocks beside dense elimination, in both engines, and the order beside what it should spare. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { Arena } from "../kernels/arena.js";
import { BlockLu } from "./block-lu.js";
import { type Graph, graphOf } from "./graph.js";
import { minimumDegree } from "./minimum-degree.js";
import { symbolic } from "./symbolic.js";

interface Sparse {
	readonly rows: number;
	readonly rowStart: Int32Array;
	readonly column: Int32Array;
	/** Blocks by columns, as they stand in the pattern. */
	readonly values: Float64Array;
}

/** Unsymmetric values; the diagonal dominates by `weight`, or not at all. */
function random(seed: number, rows: number, perRow: number, weight: number): Sparse {
	const source = new Random(seed);
	const all = Array.from({ length: rows }, (_, i) => {
		const columns = new Set([i]);
		for (let k = 0; k < perRow; k += 1) columns.add(Math.floor(source.between(0, rows)));
		return [...columns];
	});
	const rowStart = new Int32Array(rows + 1);
	for (let i = 0; i < rows; i += 1) rowStart[i + 1] = rowStart[i]! + all[i]!.length;
	const column = Int32Array.from(all.flat());
	const values = Float64Array.from({ length: 36 * column.length }, () => source.between(-1, 1));
	for (let i = 0; i < rows; i += 1) {
		const at = 36 * (rowStart[i]! + all[i]!.indexOf(i));
		for (let j = 0; j < 36; j += 7) values[at + j]! += weight;
	}
	return { rows, rowStart, column, values };
}

function times({ rows, rowStart, column, values }: Sparse, x: Float64Array): Float64Array {
	const y = new Float64Array(6 * rows);
	for (let i = 0; i < rows; i += 1) {
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) {
			for (let e = 0; e < 36; e += 1)
				y[6 * i + (e % 6)]! += values[36 * k + e]! * x[6 * column[k]! + Math.floor(e / 6)]!;
		}
	}
	return y;
}

function factored(matrix: Sparse, engine: "wasm" | "twin"): { lu: BlockLu; isRegular: boolean } {
	const lu = new BlockLu(new Arena(engine), matrix.rows, matrix.rowStart, matrix.column);
	for (let k = 0; k < matrix.column.length; k += 1) {
		lu.a.values.set(matrix.values.subarray(36 * k, 36 * (k + 1)), 36 * lu.slot[k]!);
	}
	return { lu, isRegular: lu.factor() };
}

describe.each([
	[1, 1, 0, 3],
	[2, 2, 1, 8],
	[3, 17, 3, 15],
	[4, 60, 2, 15],
	[5, 60, 0, 0.5],
	[6, 90, 4, 30],
])("seed %d, %d rows, %d beside the diagonal, weight %d", (seed, rows, perRow, weight) => {
	const matrix = random(seed, rows, perRow, weight);
	const source = new Random(seed, 1);
	const x = Float64Array.from({ length: 6 * rows }, () => source.between(-1, 1));

	test("what was multiplied comes back", () => {
		const { lu, isRegular } = factored(matrix, "wasm");
		expect(isRegular).toBe(true);
		const found = times(matrix, x);
		lu.solve(found);
		for (const [i, value] of found.entries()) expect(Math.abs(value - x[i]!)).toBeLessThan(1e-10);
	});

	test("new values of the same pattern, and the twin's bits", () => {
		const again = { ...matrix, values: matrix.values.map((value) => 2 * value) };
		const [wasm, twin] = (["wasm", "twin"] as const).map((engine) => {
			const { lu } = factored(matrix, engine);
			for (let k = 0; k < again.column.length; k += 1) {
				lu.a.values.set(again.values.subarray(36 * k, 36 * (k + 1)), 36 * lu.slot[k]!);
			}
			expect(lu.factor()).toBe(true);
			const found = times(again, x);
			lu.solve(found);
			return found;
		});
		expect(twin).toEqual(wasm);
		for (const [i, value] of wasm!.entries()) expect(Math.abs(value - x[i]!)).toBeLessThan(1e-10);
	});
});

test("a matrix that cannot be factored is told of", () => {
	const matrix = random(7, 5, 1, 10);
	const zero = { ...matrix, values: matrix.values.map(() => 0) };
	expect(factored(zero, "wasm").isRegular).toBe(false);
	const nan = { ...matrix, values: matrix.values.map(() => Number.NaN) };
	expect(factored(nan, "wasm").isRegular).toBe(false);
});

/** A grid of side^3 vertices, each joined to its six neighbours. */
function grid(side: number): Graph {
	const at = (x: number, y: number, z: number) => x + side * (y + side * z);
	const rows: number[][] = [];
	for (let z = 0; z < side; z += 1) {
		for (let y = 0; y < side; y += 1) {
			for (let x = 0; x < side; x += 1) {
				const row: number[] = [];
				if (x + 1 < side) row.push(at(x + 1, y, z));
				if (y + 1 < side) row.push(at(x, y + 1, z));
				if (z + 1 < side) row.push(at(x, y, z + 1));
				rows.push(row);
			}
		}
	}
	const start = Int32Array.from([
		0,
		...rows.map((_, i) => rows.slice(0, i + 1).reduce((sum, row) => sum + row.length, 0)),
	]);
	return graphOf(rows.length, start, Int32Array.from(rows.flat()));
}

describe("minimum degree", () => {
	test("is an order, of graphs in pieces too", () => {
		for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
			const { rows, rowStart, column } = random(seed, 10 * seed, seed % 4, 1);
			const order = minimumDegree(graphOf(rows, rowStart, column));
			expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, i) => i));
		}
	});

	test("trees and rings fill in nothing, and next to nothing", () => {
		const tree = Int32Array.from({ length: 99 }, (_, i) => Math.floor(i / 2));
		const star = graphOf(
			100,
			Int32Array.from({ length: 101 }, (_, i) => Math.max(0, i - 1)),
			tree,
		);
		expect(symbolic(star, minimumDegree(star)).lColumn).toHaveLength(99);
		const ring = graphOf(
			50,
			Int32Array.from({ length: 51 }, (_, i) => i),
			Int32Array.from({ length: 50 }, (_, i) => (i + 1) % 50),
		);
		expect(symbolic(ring, minimumDegree(ring)).lColumn).toHaveLength(50 + 47);
	});

	test("a cube of 12^3 fills in less than a third of what its own order does", () => {
		const cube = grid(12);
		const natural = symbolic(
			cube,
			Int32Array.from({ length: cube.vertices }, (_, i) => i),
		);
		expect(symbolic(cube, minimumDegree(cube)).lColumn.length).toBeLessThan(natural.lColumn.length / 3);
	});
});
