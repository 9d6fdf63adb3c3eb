/**
 * Sums that order cannot change (assembly/bins.ts), against sums of whole numbers. In multiples of 2^-1074 the unit of bin i is 2^(28 i)
 * and its limit 2^(28 i + 27): a window at top t loses at most 2^(28 (t - 2) - 1) of a term, and its largest term is at least the limit
 * of the bin below the top. That is 2^-56 of the largest term or less.
 */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { SUM_NUMBERS } from "../sums/reducer.js";
import { bitsOf } from "../testing/bits.js";
import { wholeOf, wholeSum } from "../testing/exact.js";
import { mergedSum, scattered } from "../testing/merging.js";
import { Arena } from "./arena.js";
import { BINS, FIRST_TOP } from "./bin-table.js";

const unit = (bin: number): bigint => 1n << BigInt(28 * bin);
const limit = (bin: number): bigint => 1n << BigInt(28 * bin + 27);
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
function largestOf(terms: readonly number[]): bigint {
	let most = 0;
	for (const term of terms) most = Math.max(most, Math.abs(term));
	return wholeOf(most);
}

/** The lowest window that takes a term of this size. */
function topFor(largest: bigint): number {
	let top = FIRST_TOP;
	while (largest >= limit(top)) top += 1;
	return top;
}

/** 2^exponent, which may be below the normal numbers. */
const power = (exponent: number): number => (exponent < -1000 ? 2 ** -1000 * 2 ** (exponent + 1000) : 2 ** exponent);

function list(count: number, term: (random: Random, index: number) => number): number[] {
	const random = new Random(count);
	return Array.from({ length: count }, (_, index) => term(random, index));
}

const anySize = (from: number, to: number) => (random: Random) =>
	(random.uniform() < 0.5 ? -1 : 1) * random.between(1, 2) * power(from + random.below(to - from));
/** Near the cuts: at a bin's limit, at half of its unit, and beside them. */
const atCuts = (random: Random): number => {
	const bin = 1 + random.below(70);
	const edge = power(28 * bin - 1047 - (random.uniform() < 0.5 ? 0 : 28));
	return edge * [1, 1 - 2 ** -53, 1 + 2 ** -52, -1, 1.5, -1.5][random.below(6)]!;
};
const opposites = (terms: readonly number[]): number[] => terms.flatMap((term) => [term, -term]);

const families: [string, number[]][] = [
	["about one", list(1000, (random) => random.between(-1, 1))],
	["squares, as measures have them", list(777, (random) => random.between(0, 1) ** 8)],
	["the whole range of exponents", list(500, anySize(-1074, 996))],
	["the window and a little more", list(501, anySize(-90, 10))],
	["the smallest numbers there are", list(300, (random) => random.below(1000) * 2 ** -1074)],
	["denormal and normal", list(301, anySize(-1074, -960))],
	["the largest that fit", list(302, anySize(990, 996))],
	["at the cuts", list(400, atCuts)],
	["zeros of either sign", list(100, (_, index) => (index % 3 === 0 ? -0 : 0))],
	["cancelling to nothing", opposites(list(200, anySize(-30, 30)))],
	["cancelling to something small", [...opposites(list(200, anySize(0, 50))), 2 ** -30]],
	["one term", [Math.PI]],
	["no term", []],
];

describe.each(["wasm", "twin"] as const)("%s", (engine) => {
	const arena = new Arena(engine);

	test.each(families)("%s: the same bits in any order, any split and any tree", (_, terms) => {
		const random = new Random(17);
		const whole = mergedSum(arena, [terms], random);
		for (let trial = 0; trial < 12; trial += 1) {
			const parts = scattered(terms, 1 + random.below(9), random);
			const { total, top, bins } = mergedSum(arena, parts, random);
			expect(bitsOf(Float64Array.of(total, top, ...bins))).toEqual(
				bitsOf(Float64Array.of(whole.total, whole.top, ...whole.bins)),
			);
		}
	});

	test.each(families)("%s: the window is that of the largest term, and loses no more than it has to", (_, terms) => {
		const { total, top, bins } = mergedSum(arena, [terms], new Random(1));
		const largest = largestOf(terms);
		expect(top).toBe(topFor(largest));
		const kept = wholeSum(bins);
		const lost = absolute(kept - wholeSum(terms));
		expect(2n * lost <= BigInt(terms.length) * (top === FIRST_TOP ? 0n : unit(top - 2))).toBe(true);
		expect(lost << 56n <= BigInt(terms.length) * largest).toBe(true);
		// Two roundings put the bins together.
		const rounded = absolute(wholeOf(total) - kept);
		expect(rounded << 53n <= absolute(wholeOf(total)) + absolute(wholeOf(bins[1]! + bins[2]!))).toBe(true);
	});

	test.each([2 ** 1797, Number.MAX_VALUE, -Number.MAX_VALUE, Infinity, -Infinity, Number.NaN])(
		"with %s among the terms the sum is not a number",
		(bad) => {
			const random = new Random(3);
			for (const [, terms] of families) {
				const parts = scattered([...terms, bad], 1 + random.below(5), random);
				expect(mergedSum(arena, parts, random).total).toBeNaN();
				expect(mergedSum(arena, scattered([...terms, bad, -bad], 4, random), random).total).toBeNaN();
			}
			// And it is forgotten: the next sum has its own window.
			expect(mergedSum(arena, [[bad, 1]], random).total).toBeNaN();
			expect(mergedSum(arena, [[1, 2]], random).total).toBe(3);
		},
	);

	test("whole numbers add up exactly", () => {
		const terms = list(5000, (random) => random.below(2 ** 40) - 2 ** 39);
		expect(mergedSum(arena, [terms], new Random(1)).total).toBe(terms.reduce((sum, term) => sum + term, 0));
	});
});

test.each(families)("%s: both engines have the same bits", (_, terms) => {
	const [wasm, twin] = (["wasm", "twin"] as const).map((engine) =>
		mergedSum(new Arena(engine), [terms], new Random(1)),
	);
	expect(bitsOf(Float64Array.of(wasm!.total, ...wasm!.bins))).toEqual(
		bitsOf(Float64Array.of(twin!.total, ...twin!.bins)),
	);
});

test("a term of 2^-56 of the largest may be lost, and none of 2^-55 is", () => {
	// The largest term at the limit of the bin below the top.
	const largest = 2 ** -11;
	expect(wholeOf(largest)).toBe(limit(topFor(wholeOf(largest)) - 1));
	const sum = (...terms: number[]): number => mergedSum(new Arena(), [terms], new Random(1)).total;
	expect(sum(largest, 2 ** -55 * largest, -largest)).toBe(2 ** -55 * largest);
	expect(sum(largest, 2 ** -56 * largest, -largest)).toBe(0);
});

test("2^26 terms of the largest size in their bin stay exact", () => {
	const arena = new Arena();
	const { kernels, bins } = arena;
	const [count, passes] = [2 ** 16, 2 ** 10];
	const values = arena.vector(count);
	const sum = arena.vector(SUM_NUMBERS);
	const term = 2 ** 17 * (1 - 2 ** -53);
	expect(topFor(wholeOf(term)) + 1).toBe(topFor(wholeOf(2 ** 17)));
	values.values.fill(term);
	sum.values[0] = FIRST_TOP;
	for (let pass = 0; pass < passes; pass += 1) kernels.deposit(values.at, count, sum.at, bins.at);
	expect(sum.values[0]).toBe(topFor(wholeOf(term)));
	expect(wholeSum(sum.values.subarray(2))).toBe(BigInt(count * passes) * wholeOf(term));
});

test("the table: powers of two, and one bin too far is marked as no number", () => {
	const { values } = new Arena().bins;
	expect(values).toHaveLength(2 * BINS);
	for (let bin = 0; bin < BINS; bin += 1) {
		expect(wholeOf(values[2 * bin]!)).toBe(3n * (unit(bin) << 51n));
		expect(wholeOf(values[2 * bin + 1]!)).toBe(limit(bin));
	}
});
