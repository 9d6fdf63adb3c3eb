import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { invertPositive } from "./sweep.js";
import { eigen, invert } from "./symmetric.js";

const random = new Random(3);
const PLACE = [0, 3, 4, 3, 1, 5, 4, 5, 2];

/** B B^T of a random B with n rows, plus a share of the identity. */
function positive(n: number): Float64Array {
	const b = Float64Array.from({ length: n * n }, () => random.between(-1, 1));
	return Float64Array.from({ length: n * n }, (_, k) => {
		const [i, j] = [Math.floor(k / n), k % n];
		let sum = i === j ? 0.01 : 0;
		for (let m = 0; m < n; m += 1) sum += b[n * i + m]! * b[n * j + m]!;
		return sum;
	});
}

function product(n: number, a: ArrayLike<number>, b: ArrayLike<number>): number[] {
	return Array.from({ length: n * n }, (_, k) => {
		let sum = 0;
		for (let m = 0; m < n; m += 1) sum += a[n * Math.floor(k / n) + m]! * b[n * m + (k % n)]!;
		return sum;
	});
}

function isIdentity(n: number, a: readonly number[], tolerance: number): void {
	const off = a.map((x, k) => Math.abs(x - (k % (n + 1) === 0 ? 1 : 0)));
	expect(Math.max(...off)).toBeLessThan(tolerance);
}

describe("symmetric matrices", () => {
	it("of three rows have inverses", () => {
		for (let k = 0; k < 100; k += 1) {
			const full = positive(3);
			const six = Float64Array.from([0, 4, 8, 1, 2, 5], (m) => full[m]!);
			const inverse = new Float64Array(6);
			expect(invert(six, 0, inverse, 0)).toBe(true);
			isIdentity(
				3,
				product(
					3,
					full,
					PLACE.map((m) => inverse[m]!),
				),
				1e-11,
			);
		}
		expect(invert(Float64Array.of(1, 1, 0, 1, 0, 0), 0, new Float64Array(6), 0)).toBe(false);
	});

	it("of nine rows have inverses, symmetric to the bit", () => {
		for (let k = 0; k < 100; k += 1) {
			const full = positive(9);
			const inverse = full.slice();
			// What is above the diagonal is not read.
			for (let m = 0; m < 81; m += 1) if (m % 9 > Math.floor(m / 9)) inverse[m] = Number.NaN;
			expect(invertPositive(inverse)).toBe(true);
			isIdentity(9, product(9, full, inverse), 1e-10);
			expect(inverse.map((_, m) => inverse[9 * (m % 9) + Math.floor(m / 9)]!)).toEqual(inverse);
		}
	});

	it("that are not positive definite are told", () => {
		const matrix = positive(9);
		matrix[40] = -1;
		expect(invertPositive(matrix)).toBe(false);
		expect(invertPositive(new Float64Array(81))).toBe(false);
		expect(invertPositive(new Float64Array(81).fill(Number.NaN))).toBe(false);
	});

	it("have eigenvectors that make a rotation", () => {
		const [values, vectors] = [new Float64Array(3), new Float64Array(9)];
		for (let k = 0; k < 100; k += 1) {
			const full = positive(3);
			eigen(
				Float64Array.from([0, 4, 8, 1, 2, 5], (m) => full[m]!),
				0,
				values,
				vectors,
			);
			const transposed = Float64Array.from({ length: 9 }, (_, m) => vectors[3 * (m % 3) + Math.floor(m / 3)]!);
			isIdentity(3, product(3, vectors, transposed), 1e-14);
			const scaled = vectors.map((x, m) => x * values[m % 3]!);
			product(3, scaled, transposed).forEach((x, m) => {
				expect(Math.abs(x - full[m]!)).toBeLessThan(1e-14 * 10);
			});
			const [a, b, c, d, e, f, g, h, i] = [...vectors] as [
				number,
				number,
				number,
				number,
				number,
				number,
				number,
				number,
				number,
			];
			expect(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)).toBeCloseTo(1, 12);
		}
		eigen(Float64Array.of(3, 1, 2, 0, 0, 0), 0, values, vectors);
		expect([...values, ...vectors]).toEqual([3, 1, 2, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
	});
});
