/** Factors of 6x6 and 3x3 blocks, unsymmetric and symmetric, beside dense elimination; renumbered, in both engines, and refused. */
import { describe, expect, test } from "vitest";
import { MemoryLimitError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { Arena, reserveAtMost } from "../kernels/arena.js";
import { BlockLdlt } from "./block-ldlt.js";
import { BlockLu } from "./block-lu.js";
import { type BlockPattern, makeFactors } from "./make-factors.js";

interface Sparse extends BlockPattern {
	readonly size: 3 | 6;
	/** Blocks by columns. */
	readonly values: Float64Array;
}

/** A graph in one piece or more; blocks across the diagonal are each other's transposes where it is symmetric, and definite where it is not indefinite. */
function random(seed: number, rows: number, size: 3 | 6, isSymmetric: boolean): Sparse {
	const source = new Random(seed);
	const beside = Array.from({ length: rows }, (_, i) => new Set([i]));
	for (let k = 0; k < 2 * rows; k += 1) {
		const [i, j] = [Math.floor(source.between(0, rows)), Math.floor(source.between(0, rows))];
		beside[i]!.add(j);
		beside[j]!.add(i);
	}
	const rowStart = new Int32Array(rows + 1);
	for (let i = 0; i < rows; i += 1) rowStart[i + 1] = rowStart[i]! + beside[i]!.size;
	const column = Int32Array.from(beside.flatMap((columns) => [...columns]));
	const square = size * size;
	const values = Float64Array.from({ length: square * column.length }, () => source.between(-1, 1));
	const find = (i: number, j: number) => rowStart[i]! + [...beside[i]!].indexOf(j);
	for (let i = 0; i < rows; i += 1) {
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) {
			const j = column[k]!;
			if (isSymmetric && j >= i) {
				const other = find(j, i);
				for (let r = 0; r < size; r += 1)
					for (let c = 0; c < size; c += 1) values[square * other + size * r + c] = values[square * k + size * c + r]!;
			}
			// Signs that change: what is symmetric need not be definite.
			if (i === j) for (let e = 0; e < size; e += 1) values[square * k + e * (size + 1)]! += i % 3 === 0 ? -40 : 40;
		}
	}
	return { rows, rowStart, column, size, values };
}

/** Dense elimination with row pivots. */
function denseSolve({ rows, rowStart, column, size, values }: Sparse, b: Float64Array): Float64Array {
	const n = size * rows;
	const a = Array.from({ length: n }, (_, i) => {
		const row = new Float64Array(n + 1);
		row[n] = b[i]!;
		return row;
	});
	for (let i = 0; i < rows; i += 1)
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1)
			for (let e = 0; e < size * size; e += 1)
				a[size * i + (e % size)]![size * column[k]! + Math.floor(e / size)] = values[size * size * k + e]!;
	for (let k = 0; k < n; k += 1) {
		let best = k;
		for (let i = k + 1; i < n; i += 1) if (Math.abs(a[i]![k]!) > Math.abs(a[best]![k]!)) best = i;
		[a[k], a[best]] = [a[best]!, a[k]!];
		for (let i = k + 1; i < n; i += 1) {
			const share = a[i]![k]! / a[k]![k]!;
			if (share !== 0) for (let j = k; j <= n; j += 1) a[i]![j]! -= share * a[k]![j]!;
		}
	}
	const x = new Float64Array(n);
	for (let i = n - 1; i >= 0; i -= 1) {
		let sum = a[i]![n]!;
		for (let j = i + 1; j < n; j += 1) sum -= a[i]![j]! * x[j]!;
		x[i] = sum / a[i]![i]!;
	}
	return x;
}

function solved(matrix: Sparse, b: Float64Array, symmetric: boolean): Float64Array {
	const { size } = matrix;
	const factors = size === 3 ? makeFactors(matrix, { symmetric, size }) : makeFactors(matrix, { symmetric });
	expect(factors.factor(matrix.values)).toBe(true);
	const x = b.slice();
	factors.solve(x);
	factors.close();
	return x;
}

const largest = (x: Float64Array, y: Float64Array) =>
	x.reduce((most, value, i) => Math.max(most, Math.abs(value - y[i]!)), 0);

describe.each([
	[3, false],
	[3, true],
	[6, false],
	[6, true],
] as const)("blocks of %d, symmetric: %s", (size, symmetric) => {
	test.each([1, 2, 3, 7, 20, 41])("%d rows: what dense elimination finds", (rows) => {
		const matrix = random(rows, rows, size, symmetric);
		const source = new Random(rows, 1);
		const b = Float64Array.from({ length: size * rows }, () => source.between(-1, 1));
		expect(largest(solved(matrix, b, symmetric), denseSolve(matrix, b))).toBeLessThan(1e-12);
	});

	test("rows in another order: the same answer in that order", () => {
		const matrix = random(11, 30, size, symmetric);
		const b = Float64Array.from({ length: size * 30 }, (_, i) => Math.cos(i));
		const order = Int32Array.from({ length: 30 }, (_, i) => i);
		new Random(5).shuffle(order);
		const place = new Int32Array(30);
		for (const [to, from] of order.entries()) place[from] = to;
		const rowStart = new Int32Array(31);
		const column: number[] = [];
		const blocks: number[] = [];
		for (const [to, from] of order.entries()) {
			for (let k = matrix.rowStart[from]!; k < matrix.rowStart[from + 1]!; k += 1) {
				column.push(place[matrix.column[k]!]!);
				blocks.push(...matrix.values.subarray(size * size * k, size * size * (k + 1)));
			}
			rowStart[to + 1] = column.length;
		}
		const other = { rows: 30, rowStart, column: Int32Array.from(column), size, values: Float64Array.from(blocks) };
		const moved = Float64Array.from(
			{ length: b.length },
			(_, i) => b[size * order[Math.floor(i / size)]! + (i % size)]!,
		);
		const [x, y] = [solved(matrix, b, symmetric), solved(other, moved, symmetric)];
		const back = Float64Array.from(x, (_, i) => y[size * place[Math.floor(i / size)]! + (i % size)]!);
		expect(largest(x, back)).toBeLessThan(1e-13);
	});

	test("no inverse: false", () => {
		const matrix = random(3, 9, size, symmetric);
		const factors = size === 3 ? makeFactors(matrix, { symmetric, size }) : makeFactors(matrix, { symmetric });
		for (const value of [0, Number.NaN]) expect(factors.factor(matrix.values.map(() => value))).toBe(false);
		expect(factors.factor(matrix.values)).toBe(true);
		factors.close();
	});
});

test("the twin factors to the same bits, symmetric or not; one half takes half of the products", () => {
	const matrix = random(8, 60, 6, true);
	const all = [BlockLu, BlockLdlt].map((Factor) =>
		(["wasm", "twin"] as const).map((engine) => {
			const arena = new Arena(engine);
			const factor = new Factor(arena, matrix.rows, matrix.rowStart, matrix.column);
			for (const [k, to] of factor.slot.entries())
				factor.a.values.set(matrix.values.subarray(36 * k, 36 * (k + 1)), 36 * to);
			expect(factor.factor()).toBe(true);
			const x = Float64Array.from({ length: 360 }, (_, i) => Math.sin(i));
			factor.solve(x);
			const found = { x, flops: factor.flops };
			arena.release();
			return found;
		}),
	);
	for (const [wasm, twin] of all) expect(twin!.x).toEqual(wasm!.x);
	expect(all[1]![0]!.flops).toBeLessThan(0.7 * all[0]![0]!.flops);
});

test("a pattern that is none is refused, and so are factors that no memory of 32-bit addresses holds", () => {
	const ragged = { rows: 2, rowStart: Int32Array.of(0, 1, 1), column: Int32Array.of(0) };
	expect(() => makeFactors(ragged)).toThrow(/row 1.*no diagonal block/s);
	// A full matrix: 36 x 8 bytes for each of 360,000 blocks, where there are 64 MiB.
	const rows = 600;
	const full = Int32Array.from({ length: rows + 1 }, (_, i) => i * rows);
	const column = Int32Array.from({ length: rows * rows }, (_, k) => k % rows);
	reserveAtMost(2 ** 26);
	try {
		expect(() => makeFactors({ rows, rowStart: full, column })).toThrow(MemoryLimitError);
	} finally {
		reserveAtMost(2 ** 32);
	}
});
