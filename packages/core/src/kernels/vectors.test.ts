/** Sums of vectors: as exact as a sum of that length can be, and in an order that no split of the leaves changes. */
import { describe, expect, test } from "vitest";
import { Random } from "../random.js";
import { Arena, type Vector } from "./arena.js";

/** x . y with what rounding loses carried along, in products (Dekker) and sums (Neumaier): right to nearly all digits. */
function exactDot(x: Float64Array, y: Float64Array): number {
	let [sum, lost] = [0, 0];
	const add = (value: number): void => {
		const next = sum + value;
		lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
		sum = next;
	};
	const split = (value: number): [number, number] => {
		const c = 134217729 * value;
		const high = c - (c - value);
		return [high, value - high];
	};
	for (let i = 0; i < x.length; i += 1) {
		const product = x[i]! * y[i]!;
		const [a, b] = split(x[i]!);
		const [c, d] = split(y[i]!);
		add(product);
		add(a * c - product + a * d + b * c + b * d);
	}
	return sum + lost;
}

function filled(arena: Arena, length: number, random: Random, spread = 0): Vector {
	const made = arena.vector(length);
	for (let i = 0; i < length; i += 1) made.values[i] = random.between(-1, 1) * 10 ** random.between(-spread, spread);
	return made;
}

/** The sum as Sums makes it: leaves, then the tree. */
function dot(arena: Arena, x: Vector, y: Vector): number {
	const length = x.values.length;
	const leaves = Math.ceil(length / 192);
	const partials = arena.vector(leaves);
	arena.kernels.dotLeaves(x.at, 0, 0, 0, y.at, length, partials.at, 1, 0);
	arena.kernels.treeSum(partials.at, leaves, 1, 1);
	return partials.values[0]!;
}

describe.each(["wasm", "twin"] as const)("%s", (engine) => {
	test.each([4, 8, 188, 192, 196, 384, 1000, 19200, 100004])("a dot product of %d numbers", (length) => {
		const arena = new Arena(engine);
		const random = new Random(length);
		const [x, y] = [filled(arena, length, random, 3), filled(arena, length, random, 3)];
		const sizes = exactDot(x.values.map(Math.abs), y.values.map(Math.abs));
		// 48 additions in a row in a leaf's accumulators, and the tree: the bound of pairwise sums.
		const additions = 50 + Math.ceil(Math.log2(length));
		const error = Math.abs(dot(arena, x, y) - exactDot(x.values, y.values));
		expect(error).toBeLessThan(additions * 1.2e-16 * sizes);
	});

	test("many products in one pass are the single ones to the bit", () => {
		const arena = new Arena(engine);
		const random = new Random(2);
		const [length, k] = [1000, 6];
		const basis = filled(arena, k * length, random);
		const [x, y] = [filled(arena, length, random), filled(arena, length, random)];
		const leaves = Math.ceil(length / 192);
		const partials = arena.vector(leaves * (k + 1));
		arena.kernels.dotLeaves(x.at, basis.at, length, k, y.at, length, partials.at, k + 1, 0);
		arena.kernels.treeSum(partials.at, leaves, k + 1, k + 1);
		const single = Array.from({ length: k }, (_, j) => {
			const at = basis.at + j * length;
			return dot(arena, x, { at, values: basis.values.subarray(j * length, (j + 1) * length) });
		});
		expect([...partials.values.slice(0, k + 1)]).toEqual([...single, dot(arena, x, y)]);
	});

	test("combinations, sums and differences are the plain formulas to the bit", () => {
		const arena = new Arena(engine);
		const random = new Random(3);
		const [length, k] = [400, 3];
		const basis = filled(arena, k * length, random);
		const factors = filled(arena, k, random);
		const [x, y, z] = [filled(arena, length, random), filled(arena, length, random), arena.vector(length)];
		let wanted = Array.from(x.values);
		for (let j = 0; j < k; j += 1) {
			wanted = wanted.map((value, i) => value + factors.values[j]! * basis.values[j * length + i]!);
		}
		arena.kernels.addCombination(x.at, factors.at, basis.at, length, k, length);
		expect([...x.values]).toEqual(wanted);
		const sum = Array.from(y.values, (value, i) => 0.25 * x.values[i]! + -3 * value);
		arena.kernels.axpby(0.25, x.at, -3, y.at, length);
		expect([...y.values]).toEqual(sum);
		arena.kernels.subtract(x.at, y.at, z.at, length);
		expect([...z.values]).toEqual(Array.from(x.values, (value, i) => value - y.values[i]!));
		arena.kernels.copy(z.at, x.at, length);
		expect([...x.values]).toEqual([...z.values]);
		arena.kernels.fill(x.at, 7, length);
		expect(x.values.every((value) => value === 7)).toBe(true);
	});
});
