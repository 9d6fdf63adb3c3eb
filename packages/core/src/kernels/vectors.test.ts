/** Products and combinations of vectors: as exact as their terms are, whatever the length, and many at once as one by one. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { SUM_NUMBERS } from "../sums/reducer.js";
import { Arena, type Vector } from "./arena.js";
import { BINS, FIRST_TOP } from "./bin-table.js";

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

/** The sums of a pass over x, as dotBins leaves them: one after another, their lanes put together. */
function dots(arena: Arena, x: Vector, basis: Vector, k: number, y: Vector): number[][] {
	const length = x.values.length;
	const sums = arena.vector(SUM_NUMBERS * (k + 1));
	for (let j = 0; j <= k; j += 1) sums.values[SUM_NUMBERS * j] = FIRST_TOP;
	arena.kernels.dotBins(x.at, basis.at, length, k, y.at, length, sums.at, arena.bins.at);
	return Array.from({ length: k + 1 }, (_, j) => {
		const [top = 0, , a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = sums.values.subarray(SUM_NUMBERS * j);
		return [top, a + b, c + d, e + f];
	});
}

function dot(arena: Arena, x: Vector, y: Vector): number {
	const [, high = 0, middle = 0, low = 0] = dots(arena, x, x, 0, y)[0]!;
	return high + (middle + low);
}

describe.each(["wasm", "twin"] as const)("%s", (engine) => {
	test.each([24, 168, 192, 216, 384, 1008, 19200, 100008])("a dot product of %d numbers", (length) => {
		const arena = new Arena(engine);
		const random = new Random(length);
		const [x, y] = [filled(arena, length, random, 3), filled(arena, length, random, 3)];
		const sizes = exactDot(x.values.map(Math.abs), y.values.map(Math.abs));
		// Three products and two additions in a block's term; the bins lose less than that, however many terms there are.
		const error = Math.abs(dot(arena, x, y) - exactDot(x.values, y.values));
		expect(error).toBeLessThan(4 * 1.2e-16 * sizes);
	});

	test("many products in one pass are the single ones to the bit", () => {
		const arena = new Arena(engine);
		const random = new Random(2);
		const [length, k] = [1008, 6];
		const basis = filled(arena, k * length, random, 20);
		const [x, y] = [filled(arena, length, random), filled(arena, length, random)];
		const single = Array.from({ length: k }, (_, j) => {
			const at = basis.at + j * length;
			const column = { at, values: basis.values.subarray(j * length, (j + 1) * length) };
			return dots(arena, x, x, 0, column)[0]!;
		});
		expect(dots(arena, x, basis, k, y)).toEqual([...single, dots(arena, x, x, 0, y)[0]!]);
	});

	test("blocks in another order, of any size: the same bits", () => {
		const arena = new Arena(engine);
		const random = new Random(4);
		const blocks = 400;
		const [x, y] = [filled(arena, 3 * blocks, random, 100), filled(arena, 3 * blocks, random, 100)];
		const order = random.shuffle(Int32Array.from({ length: blocks }, (_, a) => a));
		const [p, q] = [arena.vector(3 * blocks), arena.vector(3 * blocks)];
		for (const [at, a] of order.entries()) {
			p.values.set(x.values.subarray(3 * a, 3 * a + 3), 3 * at);
			q.values.set(y.values.subarray(3 * a, 3 * a + 3), 3 * at);
		}
		expect(dots(arena, p, p, 0, q)).toEqual(dots(arena, x, x, 0, y));
	});

	test.each([Number.NaN, Infinity, -Infinity, 1e200])("one %s, wherever it stands, and the sum is no number", (bad) => {
		const arena = new Arena(engine);
		const random = new Random(6);
		const length = 408;
		for (let at = 0; at < length; at += 1) {
			const [x, y] = [filled(arena, length, random, at % 30), filled(arena, length, random)];
			x.values[at] = bad;
			// Its square is beyond the last bin.
			y.values[at] = Number.isNaN(bad) ? 0 : bad;
			const [[top = 0] = []] = dots(arena, x, x, 0, y);
			expect(top).toBe(BINS);
		}
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

test("products of any size: both engines have the same bits", () => {
	const sums = (["wasm", "twin"] as const).map((engine) => {
		const arena = new Arena(engine);
		const random = new Random(12);
		const [x, y] = [filled(arena, 2400, random, 140), filled(arena, 2400, random, 140)];
		return dots(arena, x, x, 0, y);
	});
	expect(sums[0]).toEqual(sums[1]);
});
