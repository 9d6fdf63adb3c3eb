/**
 * The reducer's tree: parts that are runs of leaves can each reduce what lies whole inside them and send at most two partials per
 * level; put together in the tree's order they give the same bits as one part does. Here parts are simulated.
 */
import { describe, expect, test } from "vitest";
import { Arena } from "../kernels/arena.js";
import { Random } from "../random.js";
import { SerialReducer } from "./reducer.js";

/** The sum of the tree's node over leaves [from, from + 2^level), leaves beyond the end left out. */
function node(leaves: Float64Array, level: number, index: number): number | undefined {
	const from = index * 2 ** level;
	if (from >= leaves.length) return undefined;
	if (level === 0) return leaves[from];
	const left = node(leaves, level - 1, 2 * index);
	const right = node(leaves, level - 1, 2 * index + 1);
	// An odd last one is handed up as it is.
	return right === undefined ? left : left! + right;
}

/** The partials that a part [from, to) of the leaves sends: its maximal nodes. */
function partialsOf(leaves: Float64Array, from: number, to: number): Map<string, number> {
	const sent = new Map<string, number>();
	let at = from;
	while (at < to) {
		let level = 0;
		// The largest node that starts here and lies in the part; the last leaf closes a node that runs over the end.
		while (
			at % 2 ** (level + 1) === 0 &&
			(at + 2 ** (level + 1) <= to || (to === leaves.length && 2 ** level < to - at))
		) {
			level += 1;
		}
		sent.set(`${level}:${at / 2 ** level}`, node(leaves, level, at / 2 ** level)!);
		at += 2 ** level;
	}
	return sent;
}

/** Adds received partials along the tree, where a node was not sent whole. */
function combine(sent: Map<string, number>, count: number, level: number, index: number): number | undefined {
	if (index * 2 ** level >= count) return undefined;
	const whole = sent.get(`${level}:${index}`);
	if (whole !== undefined) return whole;
	const left = combine(sent, count, level - 1, 2 * index);
	const right = combine(sent, count, level - 1, 2 * index + 1);
	return right === undefined ? left : left! + right;
}

describe.each(["wasm", "twin"] as const)("%s", (engine) => {
	test.each([1, 2, 3, 5, 8, 13, 64, 77, 1000])("%d leaves: the same bits in any split into runs", (count) => {
		const random = new Random(count);
		const leaves = Float64Array.from({ length: count }, () => random.between(-1, 1) * 10 ** random.between(-8, 8));
		const arena = new Arena(engine);
		const reducer = new SerialReducer(arena);
		const partials = arena.vector(count);
		partials.values.set(leaves);
		reducer.sum(partials, count, 1, 1);
		const height = Math.ceil(Math.log2(count));
		for (let trial = 0; trial < 20; trial += 1) {
			const parts = 1 + random.below(Math.min(count, 9));
			const cuts = [0, ...Array.from({ length: parts - 1 }, () => random.below(count + 1)), count].sort(
				(a, b) => a - b,
			);
			const sent = new Map<string, number>();
			for (let part = 0; part + 1 < cuts.length; part += 1) {
				const own = partialsOf(leaves, cuts[part]!, cuts[part + 1]!);
				expect(own.size).toBeLessThanOrEqual(Math.max(1, 2 * height));
				for (const [key, value] of own) sent.set(key, value);
			}
			expect(Object.is(combine(sent, count, height, 0), partials.values[0])).toBe(true);
		}
		expect(reducer.count).toBe(1);
	});
});

test("values side by side are summed each for itself", () => {
	const arena = new Arena();
	const partials = arena.vector(3 * 7);
	for (let leaf = 0; leaf < 7; leaf += 1) partials.values.set([1, leaf, leaf * leaf], 3 * leaf);
	new SerialReducer(arena).sum(partials, 7, 3, 3);
	expect([...partials.values.slice(0, 3)]).toEqual([7, 21, 91]);
});
