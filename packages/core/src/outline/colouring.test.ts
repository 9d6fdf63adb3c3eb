/** Colours: nothing couples inside one, bounds that are true, few colours, filled ones, and the same for the same ids and seed. */
import { describe, expect, test } from "vitest";
import { Random } from "../base/random.js";
import { generate } from "../generate/index.js";
import { pile } from "../testing/gallery.js";
import { randomProblem } from "../testing/random-problems.js";
import { colourBlocks, colourBound, colourSizes } from "./colouring.js";
import type { Coupling } from "./tiles.js";

/** The pattern of which the rows hold these columns. */
function pattern(rows: readonly (readonly number[])[]): Coupling {
	const rowStart = new Int32Array(rows.length + 1);
	for (const [a, row] of rows.entries()) rowStart[a + 1] = rowStart[a]! + row.length;
	return { rowStart, column: Int32Array.from(rows.flat()) };
}

/** Bodies from pairs, one of each contact. */
function contactsOf(pairs: readonly (readonly [number, number])[]): { blocks: number; coupling: Coupling } {
	const body = Int32Array.from(pairs.flat());
	return { blocks: pairs.length, coupling: { body, bodies: body.reduce((most, b) => Math.max(most, b + 1), 0) } };
}

/** Places where two blocks of a colour couple: entries of the pattern, or contacts at a body that has the colour already. */
function clashes(colour: Int32Array, coupling: Coupling): number {
	let count = 0;
	if ("body" in coupling) {
		const seen = new Set<string>();
		for (const [a, c] of colour.entries()) {
			for (const b of new Set([coupling.body[2 * a]!, coupling.body[2 * a + 1]!])) {
				if (b < 0) continue;
				if (seen.has(`${b} ${c}`)) count += 1;
				seen.add(`${b} ${c}`);
			}
		}
		return count;
	}
	for (const [a, c] of colour.entries()) {
		for (const b of coupling.column.subarray(coupling.rowStart[a]!, coupling.rowStart[a + 1]!)) {
			if (a !== b && colour[b] === c) count += 1;
		}
	}
	return count;
}

/** How many colours it takes at least, by trying them all. */
function fewest(blocks: number, couples: (a: number, b: number) => boolean): number {
	const colour: number[] = [];
	const fits = (limit: number): boolean => {
		const a = colour.length;
		if (a === blocks) return true;
		for (let c = 0; c < limit; c += 1) {
			if (colour.some((other, b) => other === c && couples(a, b))) continue;
			colour.push(c);
			if (fits(limit)) return true;
			colour.pop();
		}
		return false;
	};
	let limit = 0;
	while (!fits(limit)) {
		limit += 1;
		colour.length = 0;
	}
	return limit;
}

test("all patterns of five blocks, one half or the other given: no clash, and a bound that is below the fewest colours", () => {
	const pairs = [0, 1, 2, 3, 4].flatMap((a) => [0, 1, 2, 3, 4].filter((b) => b < a).map((b) => [a, b] as const));
	let met = 0;
	for (let bits = 0; bits < 1 << pairs.length; bits += 1) {
		const rows: number[][] = [[0], [1], [2], [3], [4]];
		const joined = new Set<string>();
		for (const [k, [a, b]] of pairs.entries()) {
			if ((bits & (1 << k)) === 0) continue;
			joined.add(`${a} ${b}`);
			// Which of the two rows holds the other changes along the pairs.
			rows[k % 2 === 0 ? a : b]!.push(k % 2 === 0 ? b : a);
		}
		const coupling = pattern(rows);
		const colour = colourBlocks(5, coupling, bits);
		const least = fewest(5, (a, b) => joined.has(`${a} ${b}`));
		const bound = colourBound(5, coupling);
		expect(clashes(colour, coupling)).toBe(0);
		expect(bound).toBeLessThanOrEqual(least);
		expect(colourSizes(colour).length).toBeGreaterThanOrEqual(least);
		// Of five blocks only a ring has no clique of as many blocks as it needs colours: 3 colours and no triangle.
		if (bound === least && colourSizes(colour).length === least) met += 1;
	}
	// 12 of the 1,024 are rings of five: (5 - 1)! / 2.
	expect(met).toBe(1024 - 12);
});

describe("bodies whose colours are known", () => {
	test("a chain of bodies: two colours", () => {
		const { blocks, coupling } = contactsOf(Array.from({ length: 501 }, (_, a) => [a, a + 1] as const));
		expect(colourBound(blocks, coupling)).toBe(2);
		expect(colourSizes(colourBlocks(blocks, coupling, 1)).length).toBeLessThanOrEqual(3);
	});

	test("a ring of an odd number of bodies: no two colours do", () => {
		const { blocks, coupling } = contactsOf(Array.from({ length: 7 }, (_, a) => [a, (a + 1) % 7] as const));
		expect(colourBound(blocks, coupling)).toBe(2);
		expect(colourSizes(colourBlocks(blocks, coupling, 1)).length).toBe(3);
	});

	test("obstacles couple nothing: bodies on a floor, four contacts each, take four", () => {
		const { blocks, coupling } = contactsOf(Array.from({ length: 400 }, (_, a) => [-1, a >> 2] as const));
		expect(colourBound(blocks, coupling)).toBe(4);
		expect([...colourSizes(colourBlocks(blocks, coupling, 1))]).toEqual([100, 100, 100, 100]);
	});

	test("nothing, obstacles among themselves, and a body that touches itself", () => {
		const none = contactsOf([]);
		expect(colourBound(0, none.coupling)).toBe(0);
		expect(colourBlocks(0, none.coupling, 1)).toHaveLength(0);
		const still = { body: Int32Array.of(-1, -1, -1, -1), bodies: 0 };
		expect(colourBound(2, still)).toBe(1);
		expect([...colourBlocks(2, still, 1)]).toEqual([0, 0]);
		const folded = contactsOf([
			[0, 0],
			[0, 1],
		]);
		expect(colourBound(2, folded.coupling)).toBe(2);
		expect(clashes(colourBlocks(2, folded.coupling, 1), folded.coupling)).toBe(0);
	});

	test("a drum that 3,000 contacts meet at, in a heap: as many colours, none moved where it may not", () => {
		const random = new Random(5);
		const pairs = Array.from({ length: 9000 }, (_, a): [number, number] =>
			a < 3000 ? [0, 1 + (a % 2500)] : [1 + random.below(2500), 2501 + (a % 500)],
		);
		const { blocks, coupling } = contactsOf(pairs);
		const colour = colourBlocks(blocks, coupling, 1);
		expect(colourBound(blocks, coupling)).toBe(3000);
		expect(colourSizes(colour).length).toBe(3000);
		expect(clashes(colour, coupling)).toBe(0);
	});
});

describe.each(["spheres", "spheres-heavy", "spheres-layers", "planks"])("%s", (name) => {
	const { W, rigid } = pile(name, 3000);
	const blocks = W!.rows;
	const couplings: [string, Coupling][] = [
		["pattern", W!],
		["bodies", { body: rigid!.body, bodies: rigid!.inverseMass.length }],
	];

	test.each(couplings)("by %s: at most 1.25 times the bound, and none of a few blocks", (_, coupling) => {
		for (const seed of [1, 2, 3]) {
			const colour = colourBlocks(blocks, coupling, seed);
			expect(clashes(colour, coupling)).toBe(0);
			const size = colourSizes(colour);
			expect(size.length).toBeLessThanOrEqual(1.25 * colourBound(blocks, coupling));
			expect(Math.min(...size)).toBeGreaterThanOrEqual((0.45 * blocks) / size.length);
		}
	});

	test("by bodies and by the pattern of their W: the same colours", () => {
		const [byPattern, byBodies] = couplings.map(([, coupling]) => colourBlocks(blocks, coupling, 7));
		expect([...byPattern!]).toEqual([...byBodies!]);
	});

	test("the clique of the pattern is no smaller than the contacts at a body: those all couple", () => {
		const [byPattern, byBodies] = couplings.map(([, coupling]) => colourBound(blocks, coupling));
		expect(byPattern).toBeGreaterThanOrEqual(byBodies!);
	});

	test("the same ids and seed, the same colours; colours do not follow ids", () => {
		const [, coupling] = couplings[1]!;
		const colour = colourBlocks(blocks, coupling, 1);
		expect([...colourBlocks(blocks, coupling, 1)]).toEqual([...colour]);
		expect([...colourBlocks(blocks, coupling, 2)]).not.toEqual([...colour]);
		// The mean id of a colour's n blocks is that of all within five of its own standard deviations.
		const size = colourSizes(colour);
		for (const [c, n] of size.entries()) {
			const ids = Array.from(colour.keys()).filter((a) => colour[a] === c);
			const mean = ids.reduce((sum, a) => sum + a, 0) / n;
			expect(Math.abs(mean - (blocks - 1) / 2)).toBeLessThan((5 * blocks) / Math.sqrt(12 * n));
		}
	});
});

test("random patterns by the order in which rows list their columns: the same colours", () => {
	const { W } = randomProblem({ seed: 8, contacts: 200, density: 0.05 });
	const turned = W!.column.slice();
	for (let a = 0; a < 200; a += 1) turned.subarray(W!.rowStart[a]!, W!.rowStart[a + 1]!).reverse();
	const colour = colourBlocks(200, W!, 1);
	expect(clashes(colour, W!)).toBe(0);
	expect([...colourBlocks(200, { rowStart: W!.rowStart, column: turned }, 1)]).toEqual([...colour]);
	expect(colourBound(200, { rowStart: W!.rowStart, column: turned })).toBe(colourBound(200, W!));
});

test("100,000 contacts at planks with 16 each: at most 20 colours, whatever the seed", () => {
	const { rigid, contacts } = generate("planks", { contacts: 100_000 });
	for (const seed of [1, 2, 3, 4]) {
		const coupling = { body: rigid.body, bodies: rigid.inverseMass.length };
		const colour = colourBlocks(contacts, coupling, seed);
		expect(colourSizes(colour).length).toBeLessThanOrEqual(20);
		expect(clashes(colour, coupling)).toBe(0);
	}
});
