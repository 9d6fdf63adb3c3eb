import { describe, expect, it } from "vitest";
import { InputError } from "./errors.js";
import { Random } from "./random.js";

/** xoshiro128** once more, in big integers and straight from its definition: s1 * 5, rotated by 7, * 9; then the linear step. */
function reference(state: Uint32Array, count: number): number[] {
	const word = (x: bigint) => BigInt.asUintN(32, x);
	const turn = (x: bigint, k: bigint) => word(x << k) | (x >> (32n - k));
	let [a, b, c, d] = Array.from(state, BigInt) as [bigint, bigint, bigint, bigint];
	const out: number[] = [];
	for (let i = 0; i < count; i += 1) {
		out.push(Number(word(turn(word(b * 5n), 7n) * 9n)));
		const shifted = word(b << 9n);
		c ^= a;
		d ^= b;
		b ^= c;
		a ^= d;
		c ^= shifted;
		d = turn(d, 11n);
	}
	return out;
}

describe("seeded random numbers", () => {
	it("are xoshiro128**", () => {
		const random = new Random(1);
		const expected = reference(random.save(), 1000);
		expect(Array.from(expected, () => random.uint32())).toEqual(expected);
	});

	it("repeat for a seed, differ for seeds, high bits of the seed and streams", () => {
		const first = (seed: number, stream?: number) => new Random(seed, stream).uint32();
		expect(first(7)).toBe(first(7));
		const all = [first(0), first(1), first(2 ** 32), first(2 ** 53 - 1), first(0, 1), first(1, 1)];
		expect(new Set(all).size).toBe(all.length);
	});

	it("are uniform: mean 1/2, variance 1/12, within five standard errors of 100,000 draws", () => {
		const random = new Random(3);
		const count = 100_000;
		let sum = 0;
		let squares = 0;
		let inside = 0;
		for (let i = 0; i < count; i += 1) {
			const x = random.uniform();
			if (x >= 0 && x < 1) inside += 1;
			sum += x;
			squares += (x - 0.5) * (x - 0.5);
		}
		expect(inside).toBe(count);
		expect(Math.abs(sum / count - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / count));
		// The variance of (x - 1/2)^2 is 1/80 - 1/144 = 1/180.
		expect(Math.abs(squares / count - 1 / 12)).toBeLessThan(5 * Math.sqrt(1 / 180 / count));
	});

	it("shuffle to a permutation, each of the 6 orders of 3 equally often", () => {
		const random = new Random(5);
		const seen = new Map<string, number>();
		for (let i = 0; i < 6000; i += 1) {
			const key = random.shuffle(Int32Array.of(0, 1, 2)).join();
			seen.set(key, (seen.get(key) ?? 0) + 1);
		}
		expect(seen.size).toBe(6);
		// Binomial with n = 6000, p = 1/6: standard deviation 28.9.
		for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
		const long = random.shuffle(Int32Array.from({ length: 500 }, (_, i) => i));
		expect(Array.from(long).sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i));
	});

	it("go on from a saved state", () => {
		const random = new Random(11);
		random.uint32();
		const state = random.save();
		const next = random.uint32();
		const other = new Random(12);
		other.restore(state);
		expect(other.uint32()).toBe(next);
		expect(() => other.restore(new Uint32Array(4))).toThrow(InputError);
	});

	it("refuse what is no seed", () => {
		for (const bad of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => new Random(bad)).toThrow(InputError);
	});
});
