/** Connected components and sums over them, against a plain search, in both engines. */
import { expect, test } from "vitest";
import { Random } from "../base/random.js";
import { Arena } from "./arena.js";

/** Members of each component by a plain search along edges, components by their least member. */
function searched(blocks: number, edges: readonly (readonly [number, number])[]): number[][] {
	const name = Array.from({ length: blocks }, (_, a) => a);
	for (let isDone = false; !isDone; ) {
		isDone = true;
		for (const [a, b] of edges) {
			const least = Math.min(name[a]!, name[b]!);
			if (name[a] !== least || name[b] !== least) isDone = false;
			name[a] = name[b] = least;
		}
	}
	return [...new Set(name)].map((own) => name.flatMap((other, a) => (other === own ? [a] : [])));
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const cases = (["wasm", "twin"] as const).flatMap((engine) => seeds.map((seed) => [engine, seed] as const));

test.each(cases)("%s, seed %i: components, totals and the largest square", (engine, seed) => {
	const random = new Random(seed);
	const blocks = 1 + random.below(300);
	const edges = Array.from(
		{ length: random.below(2 * blocks) },
		() => [random.below(blocks), random.below(blocks)] as const,
	);
	const arena = new Arena(engine);
	const [parent, member, next] = [0, 1, 2].map(() => arena.integers(blocks));
	const start = arena.integers(blocks + 1);
	for (let a = 0; a < blocks; a += 1) parent!.values[a] = a;
	for (const [a, b] of edges) arena.kernels.joinComponents(parent!.at, a, b);
	const count = arena.kernels.groupComponents(blocks, parent!.at, start.at, member!.at, next!.at);
	const found = Array.from({ length: count }, (_, c) => [
		...member!.values.subarray(start.values[c], start.values[c + 1]),
	]);
	expect(found).toEqual(searched(blocks, edges));

	const terms = arena.vector(blocks);
	for (let a = 0; a < blocks; a += 1) terms.values[a] = 1 + random.below(2 ** 20);
	const [values, sum, totals, denominators] = [65, 8, count, count].map((size) => arena.vector(size));
	sum!.values[0] = sum!.values[1] = 2;
	const { kernels, bins } = arena;
	kernels.componentTotals(blocks, count, start.at, member!.at, terms.at, values!.at, sum!.at, bins.at, totals!.at);
	// Whole numbers add up exactly.
	const wanted = found.map((list) => list.reduce((total, a) => total + terms.values[a]!, 0));
	expect([...totals!.values]).toEqual(wanted);
	for (let c = 0; c < count; c += 1) denominators!.values[c] = 1 + c;
	const quotient = () =>
		kernels.largestSquare(
			blocks,
			count,
			start.at,
			member!.at,
			terms.at,
			denominators!.at,
			values!.at,
			sum!.at,
			bins.at,
		);
	const squares = wanted.map((total, c) => total / (1 + c));
	expect(quotient()).toBe(Math.max(...squares));
	// Errors below 1 count tenfold where nothing slides.
	for (let c = 0; c < count; c += 1) denominators!.values[c] = 4 * wanted[c]!;
	expect(quotient()).toBeCloseTo((10 / (1 / 0.5 + 9)) ** 2, 12);
	for (let a = 0; a < blocks; a += 1) terms.values[a] = -terms.values[a]!;
	expect(quotient()).toBeCloseTo(0.25, 12);
	terms.values[random.below(blocks)] = Number.NaN;
	expect(quotient()).toBeNaN();
	arena.release();
});
