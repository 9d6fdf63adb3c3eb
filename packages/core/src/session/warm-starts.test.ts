/** Warm starts: reactions are found again by the numbers of their contacts, whatever their order. */
import { expect, test } from "vitest";
import { InputError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { WarmStarts } from "./warm-starts.js";

const reactionOf = (keys: Float64Array) =>
	Float64Array.from({ length: 3 * keys.length }, (_, i) => keys[Math.floor(i / 3)]! + 0.25 * (i % 3));

test("nothing is remembered at first", () => {
	expect(new WarmStarts().begin("a", Float64Array.of(1, 2), 2).start).toBeUndefined();
});

test("any order, new contacts and lost ones, again and again: each key has its own reaction, and zero where it is new", () => {
	const random = new Random(5);
	const warmStarts = new WarmStarts();
	let known = new Set<number>();
	for (let round = 0; round < 50; round += 1) {
		const all = random.shuffle(Int32Array.from({ length: 40 }, (_, key) => key));
		const keys = Float64Array.from(all.subarray(0, 1 + random.below(40)), (key) => key * 2 ** 47);
		const warm = warmStarts.begin("a", keys, keys.length);
		const expected = reactionOf(keys).map((value, i) => (known.has(keys[Math.floor(i / 3)]!) ? value : 0));
		if (round > 0) expect(warm.start).toEqual(expected);
		warm.remember(reactionOf(keys));
		known = new Set(keys);
	}
});

test("the keys of the last solve again: its reactions, which the caller's later changes do not reach", () => {
	const warmStarts = new WarmStarts();
	const keys = Float64Array.of(7, 3);
	const reaction = reactionOf(keys);
	warmStarts.begin("a", keys, 2).remember(reaction);
	reaction.fill(9);
	keys.fill(0);
	expect(warmStarts.begin("a", Float64Array.of(7, 3), 2).start).toEqual(reactionOf(Float64Array.of(7, 3)));
	expect(warmStarts.begin("a", Float64Array.of(3), 1).start).toEqual(reactionOf(Float64Array.of(3)));
});

test("series are apart, are forgotten, and the one that was not used for longest gives way", () => {
	const warmStarts = new WarmStarts(2);
	const keys = Float64Array.of(1);
	const remember = (series: string, value: number) =>
		warmStarts.begin(series, keys, 1).remember(Float64Array.of(value, 0, 0));
	const recall = (series: string) => warmStarts.begin(series, keys, 1).start?.[0];
	remember("a", 1);
	remember("b", 2);
	remember("a", 3);
	remember("c", 4);
	expect([recall("a"), recall("b"), recall("c")]).toEqual([3, undefined, 4]);
	warmStarts.forget("c");
	expect([recall("a"), recall("c")]).toEqual([3, undefined]);
	warmStarts.forget();
	expect(recall("a")).toBeUndefined();
});

test.each([
	[Float64Array.of(1, 2, 3), /^options: keys: has 3 numbers; give 2, one per contact$/],
	[Float64Array.of(1, 1), /^options: keys\[1\]: 1 is there twice; give each contact a number of its own$/],
	[Float64Array.of(0, -0), /twice/],
	[Float64Array.of(1, 0.5), /^options: keys\[1\]: 0.5 is not a whole number; /],
	[Float64Array.of(-1, 2), /whole number/],
	[Float64Array.of(Number.NaN, 2), /keys\[0\]: NaN is not a whole number/],
	[Float64Array.of(1, 2 ** 53), /whole number/],
	[Int32Array.of(1, 2), /keys: is not a Float64Array/],
	[undefined, /keys: is not a Float64Array/],
])("keys %j are refused, at first and later", (keys, text) => {
	const warmStarts = new WarmStarts();
	for (let round = 0; round < 2; round += 1) {
		const begin = () => warmStarts.begin("a", keys as Float64Array, 2);
		expect(begin).toThrow(InputError);
		expect(begin).toThrow(text);
		warmStarts.begin("a", Float64Array.of(1, 2), 2).remember(new Float64Array(6));
	}
});
