import { Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { balanceAim } from "../graph/balance.js";
import { type Graph, withWeights } from "../graph/graph.js";
import { Parts } from "../multilevel/parts.js";
import { balanceByHand, chain, cutByHand, grid, randomGraph } from "../testing/graphs.js";
import { diffusion } from "./diffusion.js";
import { matchLabels } from "./match-labels.js";
import { partition } from "./partition.js";
import { repartition } from "./repartition.js";

const { graph } = grid(40, 40);
const old = partition(graph, 8).owner;

/** Vertices in the left half weigh three times as much. */
const heavier: Graph = { ...graph, vertexWeight: Int32Array.from({ length: 1600 }, (_, v) => (v % 40 < 20 ? 3 : 1)) };

function movedByHand({ vertexWeight }: Graph, before: Int32Array, owner: Int32Array): number {
	let moved = 0;
	let total = 0;
	for (const [v, part] of owner.entries()) {
		total += vertexWeight[v]!;
		if (before[v]! >= 0 && before[v] !== part) moved += vertexWeight[v]!;
	}
	return moved / total;
}

describe("repartition", () => {
	it("moves nothing where nothing has changed", () => {
		const again = repartition(graph, 8, old);
		expect(again.method).toBe("diffusion");
		expect(again.movedShare).toBeLessThanOrEqual(0.02);
		expect(cutByHand(graph, again.owner)).toBeLessThanOrEqual(cutByHand(graph, old));
	});

	it("balances new weights and moves less than a fresh partition", () => {
		expect(balanceByHand(heavier, old, 8)).toBeGreaterThan(1.3);
		const { owner, movedShare } = repartition(heavier, 8, old, { freshWorth: Infinity });
		expect(balanceByHand(heavier, owner, 8)).toBeLessThanOrEqual(1.05 + 1e-9);
		expect(movedShare).toBeCloseTo(movedByHand(heavier, old, owner), 12);
		const fresh = matchLabels(partition(heavier, 8).owner, 8, old, heavier.vertexWeight);
		// 3 in 4 of the weight are left: four parts have 6/8 of it and keep 4/8, so that a quarter at least has to move.
		expect(movedShare).toBeGreaterThan(0.2);
		expect(movedShare).toBeLessThan(0.5);
		expect(movedShare).toBeLessThanOrEqual(movedByHand(heavier, old, fresh) + 0.1);
	});

	it("takes more parts, fewer parts, and vertices that are new", () => {
		for (const parts of [1, 3, 6, 9, 12]) {
			const { owner, movedShare } = repartition(graph, parts, old);
			expect(new Set(owner).size, `${parts} parts`).toBe(parts);
			expect(balanceByHand(graph, owner, parts), `${parts} parts`).toBeLessThanOrEqual(1.05 + 1e-9);
			if (parts === 9) expect(movedShare).toBeLessThan(0.6);
		}
		const grown = old.map((part, v) => (v % 40 > 35 ? -1 : part));
		const { owner, movedShare } = repartition(graph, 8, grown);
		expect(balanceByHand(graph, owner, 8)).toBeLessThanOrEqual(1.05 + 1e-9);
		expect(movedShare).toBeLessThan(0.4);
	});

	it("takes any old owners, and gives up on them where a fresh partition is much better", () => {
		const random = new Random(2);
		const mess = Int32Array.from({ length: 1600 }, () => random.below(8));
		const { owner, method, reason } = repartition(graph, 8, mess);
		expect(method).toBe("fresh");
		expect(reason).toContain("a fresh partition cuts");
		expect(balanceByHand(graph, owner, 8)).toBeLessThanOrEqual(1.05 + 1e-9);
		for (let seed = 1; seed <= 25; seed += 1) {
			const draw = new Random(seed);
			const other = randomGraph(draw.below(60), 3, seed);
			const parts = 1 + draw.below(9);
			const before = Int32Array.from({ length: other.vertices }, () => draw.below(12) - 2);
			const found = repartition(other, parts, before, { freshWorth: Infinity });
			expect(new Set(found.owner).size, `seed ${seed}`).toBe(Math.min(parts, other.vertices));
			expect(
				found.owner.every((part) => part >= 0 && part < parts),
				`seed ${seed}`,
			).toBe(true);
			expect(found.movedShare, `seed ${seed}`).toBeLessThanOrEqual(1);
		}
	});

	it("gives the same for the same seed, and refuses what does not fit", () => {
		expect(repartition(heavier, 8, old, { seed: 4 })).toEqual(repartition(heavier, 8, old, { seed: 4 }));
		expect(() => repartition(graph, 8, old.slice(1))).toThrow(/1599 owners for 1600 vertices/);
		expect(() => repartition(graph, 0, old)).toThrow(/not a number of parts/);
		expect(balanceAim(heavier, 8)).toBeCloseTo(1.05, 9);
	});
});

describe("diffusion", () => {
	it("of a chain of parts is the excess that has to pass each border", () => {
		// Weights 6, 2, 1 for a mean of 3 each: 3 over the first border, and 2 of them over the second.
		const line = chain(9);
		const owner = Int32Array.from([0, 0, 0, 0, 0, 0, 1, 1, 2]);
		const state = new Parts(withWeights(line), owner, new Float64Array(3).fill(3));
		const borders = diffusion(state, new Float64Array(3).fill(3));
		expect(borders.map(({ from, to }) => [from, to])).toEqual([
			[0, 1],
			[1, 2],
		]);
		expect(borders[0]?.flow).toBeCloseTo(3, 9);
		expect(borders[1]?.flow).toBeCloseTo(2, 9);
	});
});

describe("labels", () => {
	it("are those of the old parts where only names differ", () => {
		const names = [3, 7, 0, 5, 1, 6, 2, 4];
		const renamed = old.map((part) => names[part]!);
		expect(matchLabels(renamed, 8, old, graph.vertexWeight)).toEqual(old);
	});

	it("that are left over go to parts that are left over", () => {
		const matched = matchLabels(Int32Array.from([0, 1, 2]), 3, Int32Array.from([-1, 0, 7]), new Int32Array(3).fill(1));
		expect([...matched].sort()).toEqual([0, 1, 2]);
		expect(matched[1]).toBe(0);
	});
});
