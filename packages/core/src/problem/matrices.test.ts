import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import {
	BlockAssembly,
	blockAsymmetry,
	blocksFromCsr,
	columnsFromBlocks,
	csrFromBlocks,
	multiplyBlocks,
	transposeBlocks,
} from "./blocks.js";
import { asymmetry, csrFromTriplets, multiplyCsr, multiplyTransposedCsr, sortedCsr, transposeCsr } from "./csr.js";
import { classify } from "./diagonal.js";
import { diagonalOf } from "./diagonal-blocks.js";
import type { CsrMatrix } from "./problem.js";

const refuse = (entry: number, problem: string): never => {
	throw new Error(`${entry}: ${problem}`);
};

/** Random entries, many of them twice. */
function triplets(rows: number, columns: number, count: number, seed: number) {
	const random = new Random(seed);
	return {
		row: Int32Array.from({ length: count }, () => random.below(rows)),
		column: Int32Array.from({ length: count }, () => random.below(columns)),
		values: Float64Array.from({ length: count }, () => random.between(-1, 1)),
	};
}

function dense(matrix: CsrMatrix): number[][] {
	const full = Array.from({ length: matrix.rows }, () => Array.from({ length: matrix.columns }, () => 0));
	for (let row = 0; row < matrix.rows; row += 1) {
		for (let k = matrix.rowStart[row]!; k < matrix.rowStart[row + 1]!; k += 1) {
			full[row]![matrix.column[k]!]! += matrix.values[k]!;
		}
	}
	return full;
}

describe("compressed rows", () => {
	test("triplets: those that are sorted give the matrix of the same ones out of order", () => {
		const sorted = {
			row: Int32Array.of(0, 0, 2, 2, 3),
			column: Int32Array.of(1, 4, 0, 3, 2),
			values: Float64Array.of(1, 2, 3, 4, 5),
		};
		const order = [3, 0, 4, 2, 1];
		const mixed = {
			row: Int32Array.from(order, (k) => sorted.row[k]!),
			column: Int32Array.from(order, (k) => sorted.column[k]!),
			values: Float64Array.from(order, (k) => sorted.values[k]!),
		};
		expect(csrFromTriplets(5, 5, sorted)).toEqual(csrFromTriplets(5, 5, mixed));
		expect(csrFromTriplets(5, 5, sorted).rowStart).toEqual(Int32Array.of(0, 2, 2, 4, 5, 5));
		const twice = { ...sorted, column: Int32Array.of(1, 1, 0, 3, 2) };
		expect([...csrFromTriplets(5, 5, twice).values]).toEqual([3, 3, 4, 5]);
	});

	test("triplets: duplicates add up in their order, columns ascend", () => {
		const entries = triplets(7, 5, 60, 1);
		const matrix = csrFromTriplets(7, 5, entries);
		const wanted = Array.from({ length: 7 }, () => Array.from({ length: 5 }, () => 0));
		entries.row.forEach((row, k) => {
			wanted[row]![entries.column[k]!]! += entries.values[k]!;
		});
		expect(dense(matrix)).toEqual(wanted);
		expect(sortedCsr(matrix)).toBe(matrix);
		expect(matrix.rowStart[7]).toBe(wanted.flat().filter((value) => value !== 0).length);
	});

	test("the transpose, and both products, against sums over a full matrix", () => {
		const matrix = csrFromTriplets(7, 5, triplets(7, 5, 20, 2));
		const full = dense(matrix);
		expect(dense(transposeCsr(matrix))).toEqual(Array.from({ length: 5 }, (_, j) => full.map((row) => row[j])));
		const x = new Float64Array([1, -2, 3, 0.5, 7]);
		const y = new Float64Array(7);
		multiplyCsr(matrix, x, y);
		for (const [i, row] of full.entries())
			expect(y[i]).toBeCloseTo(
				row.reduce((s, a, j) => s + a * x[j]!, 0),
				14,
			);
		const z = new Float64Array(5);
		multiplyTransposedCsr(matrix, y, z);
		for (let j = 0; j < 5; j += 1)
			expect(z[j]).toBeCloseTo(
				full.reduce((s, row, i) => s + row[j]! * y[i]!, 0),
				13,
			);
	});

	test("asymmetry: 0 for A + A^T, sqrt 2 for one entry off the diagonal, free of scale", () => {
		const { row, column, values } = triplets(6, 6, 30, 3);
		const both = (a: Int32Array, b: Int32Array): Int32Array => Int32Array.from([...a, ...b]);
		const twice = {
			row: both(row, column),
			column: both(column, row),
			values: Float64Array.from([...values, ...values]),
		};
		expect(asymmetry(csrFromTriplets(6, 6, twice))).toBeLessThan(1e-15);
		const one = { row: Int32Array.of(1), column: Int32Array.of(4), values: Float64Array.of(1e200) };
		expect(asymmetry(csrFromTriplets(6, 6, one))).toBeCloseTo(Math.SQRT2, 14);
		expect(asymmetry(csrFromTriplets(6, 6, triplets(6, 6, 0, 1)))).toBe(0);
	});
});

describe("blocks", () => {
	const scalar = csrFromTriplets(12, 12, triplets(12, 12, 40, 4));

	test("hold the same matrix, also after going through scalars and the transpose", () => {
		const blocks = blocksFromCsr(scalar, refuse);
		expect(dense(csrFromBlocks(blocks))).toEqual(dense(scalar));
		expect(dense(csrFromBlocks(transposeBlocks(blocks)))).toEqual(dense(transposeCsr(scalar)));
		expect(blockAsymmetry(blocks)).toBeCloseTo(asymmetry(scalar), 14);
		for (let row = 0; row < 4; row += 1) {
			const list = [...blocks.column.subarray(blocks.rowStart[row], blocks.rowStart[row + 1])];
			expect(list).toEqual([...new Set(list)].sort());
		}
		const x = Float64Array.from({ length: 12 }, (_, k) => k - 5);
		const [y, z] = [new Float64Array(12), new Float64Array(12)];
		multiplyBlocks(blocks, x, y);
		multiplyCsr(scalar, x, z);
		for (let i = 0; i < 12; i += 1) expect(y[i]).toBeCloseTo(z[i]!, 13);
		const diagonal = diagonalOf(blocks);
		const full = dense(scalar);
		for (let i = 0; i < 36; i += 1) {
			const row = 3 * Math.floor(i / 9) + Math.floor((i % 9) / 3);
			expect(diagonal[i]).toBe(full[row]![3 * Math.floor(i / 9) + (i % 3)]);
		}
	});

	test("the same bits whatever the order of the entries in a row, and however the values stream in", () => {
		const wanted = blocksFromCsr(scalar, refuse);
		const reversed = { ...scalar, column: scalar.column.slice(), values: scalar.values.slice() };
		for (let row = 0; row < 12; row += 1) {
			reversed.column.subarray(scalar.rowStart[row], scalar.rowStart[row + 1]).reverse();
			reversed.values.subarray(scalar.rowStart[row], scalar.rowStart[row + 1]).reverse();
		}
		expect(blocksFromCsr(reversed, refuse)).toEqual(wanted);
		for (const step of [1, 2, 5]) {
			const assembly = new BlockAssembly(12, scalar.rowStart, scalar.column, refuse);
			for (let k = 0; k < scalar.values.length; k += step) assembly.fill(scalar.values.subarray(k, k + step), k);
			expect(assembly.blocks).toEqual(wanted);
		}
	});

	test("the same blocks out of columns, however the values stream in, and the columns again", () => {
		const wanted = blocksFromCsr(scalar, refuse);
		const { rowStart, column, values } = transposeCsr(scalar);
		for (const step of [1, 2, 5, values.length]) {
			const assembly = new BlockAssembly(12, rowStart, column, refuse, "columns");
			for (let k = 0; k < values.length; k += step) assembly.fill(values.subarray(k, k + step), k);
			expect(assembly.blocks).toEqual(wanted);
		}
		expect(dense(columnsFromBlocks(wanted))).toEqual(dense(transposeCsr(scalar)));
		expect(dense(columnsFromBlocks(wanted))).not.toEqual(dense(scalar));
		expect(columnsFromBlocks(wanted)).toEqual(csrFromBlocks(transposeBlocks(wanted)));
	});

	test("an entry named twice is refused", () => {
		const twice = {
			...scalar,
			rows: 3,
			columns: 3,
			rowStart: Int32Array.of(0, 1, 3, 3),
			column: Int32Array.of(0, 1, 1),
		};
		expect(() => blocksFromCsr(twice, refuse)).toThrow("2: names column 1 a second time in line 1");
	});
});

/** V diag(e) V^T with V a rotation by (0.3, 0.5, 0.7), plus a skew part that must not matter. */
function withEigenvalues(e: readonly number[], skew = 0): Float64Array {
	const turn = (x: number, i: number, j: number): number[][] => {
		const m = [0, 1, 2].map((r) => [0, 1, 2].map((c) => Number(r === c)));
		m[i]![i] = m[j]![j] = Math.cos(x);
		m[i]![j] = Math.sin(x);
		m[j]![i] = -Math.sin(x);
		return m;
	};
	const times = (a: number[][], b: number[][]): number[][] =>
		a.map((row) => [0, 1, 2].map((j) => row.reduce((sum, x, k) => sum + x * b[k]![j]!, 0)));
	const V = times(turn(0.3, 0, 1), times(turn(0.5, 1, 2), turn(0.7, 0, 2)));
	const block = new Float64Array(9);
	for (let k = 0; k < 9; k += 1) {
		const [i, j] = [Math.floor(k / 3), k % 3];
		block[k] = e.reduce((sum, value, l) => sum + V[i]![l]! * value * V[j]![l]!, 0) + skew * Math.sign(j - i);
	}
	return block;
}

describe("diagonal blocks", () => {
	test.each([
		[[1, 2, 3], "definite"],
		[[1, 1e-3, 1e-6], "definite"],
		[[1, 1, 0], "singular"],
		[[1, 0, 0], "singular"],
		[[0, 0, 0], "zero"],
		[[1, 1, -1e-3], "indefinite"],
		[[-1, -2, -3], "indefinite"],
		[[1, -1, 0], "indefinite"],
	])("eigenvalues %j are %s, at any scale and with any skew part", (eigenvalues, kind) => {
		for (const scale of [1, 1e-200, 1e200]) {
			expect(classify(withEigenvalues(eigenvalues.map((e) => e * scale)), 0)).toBe(kind);
		}
		if (kind !== "zero") expect(classify(withEigenvalues(eigenvalues, 0.5), 0)).toBe(kind);
	});

	test("nothing but off-diagonal entries is indefinite", () => {
		expect(classify(Float64Array.of(0, 1, 0, 1, 0, 0, 0, 0, 0), 0)).toBe("indefinite");
	});
});
