import { generate, InputError, type Problem, Random } from "@stickslip/core";
import { describe, expect, it } from "vitest";
import { checkGraph, checkSymmetric, type Graph, graphOfPattern } from "./graph.js";
import { CLIQUE_MAX, graphOfBodies, graphOfProblem } from "./problem-graph.js";

/** By definition: contacts that share a body which is not an obstacle. */
function neighboursByHand(body: Int32Array, a: number): number[] {
	const own = [body[2 * a]!, body[2 * a + 1]!].filter((b) => b >= 0);
	return Array.from({ length: body.length / 2 }, (_, c) => c).filter(
		(c) => c !== a && own.some((b) => b === body[2 * c] || b === body[2 * c + 1]),
	);
}

function neighboursOf({ start, neighbour }: Graph, v: number): number[] {
	return [...neighbour.subarray(start[v]!, start[v + 1]!)].sort((a, b) => a - b);
}

/** Neighbours with the weights of their edges. */
function weightedNeighbours({ start, neighbour, edgeWeight }: Graph, v: number): [number, number][] {
	const edges: [number, number][] = [];
	for (let k = start[v]!; k < start[v + 1]!; k += 1) edges.push([neighbour[k]!, edgeWeight?.[k] ?? 1]);
	return edges.sort(([a], [b]) => a - b);
}

describe("the graph of bodies", () => {
	it("joins contacts that share one, weighted by the blocks of their rows", () => {
		for (let seed = 1; seed <= 20; seed += 1) {
			const random = new Random(seed);
			const bodies = 1 + random.below(12);
			const body = Int32Array.from({ length: 2 * random.below(40) }, () => random.below(bodies + 2) - 2);
			for (let k = 0; k < body.length; k += 1) body[k] = Math.max(-1, body[k]!);
			const graph = graphOfBodies(body);
			checkGraph(graph);
			checkSymmetric(graph);
			for (let a = 0; a < graph.vertices; a += 1) {
				expect(neighboursOf(graph, a), `seed ${seed}, contact ${a}`).toEqual(neighboursByHand(body, a));
				expect(graph.vertexWeight[a]).toBe(neighboursByHand(body, a).length + 1);
			}
			expect(graph.edgeWeight).toBeUndefined();
		}
	});

	it("makes a ring of powers of two of a body with very many contacts, as heavy as the clique", () => {
		const contacts = 40 * CLIQUE_MAX;
		// Each contact has a body of its own, and all have body 0.
		const body = Int32Array.from({ length: 2 * contacts }, (_, k) => (k & 1 ? 1 + (k >> 1) : 0));
		const graph = graphOfBodies(body);
		checkGraph(graph);
		checkSymmetric(graph);
		expect(graph.neighbour.length / contacts).toBeLessThan(30);
		let weight = 0;
		for (let k = graph.start[5]!; k < graph.start[6]!; k += 1) weight += graph.edgeWeight?.[k] ?? 0;
		expect(weight / (contacts - 1)).toBeGreaterThan(0.95);
		expect(weight / (contacts - 1)).toBeLessThan(1.05);
		expect(graph.vertexWeight.every((blocks) => blocks === contacts)).toBe(true);
	});

	it("is the same with the bodies of contacts swapped where a body with very many shares contacts with others", () => {
		const contacts = 3 * CLIQUE_MAX;
		// Body 0 has all contacts, body 1 a third of them and just no ring, body 2 the rest and a ring.
		const body = Int32Array.from({ length: 2 * contacts }, (_, k) => (k & 1 ? (k % 3 === 0 ? 1 : 2) : 0));
		const graph = graphOfBodies(body);
		const edges = (of: Graph) => Array.from({ length: contacts }, (_, a) => weightedNeighbours(of, a));
		for (const isSwapped of [() => true, (a: number) => a % 2 === 0, (a: number) => a % 5 === 0]) {
			const swapped = body.map((_, k) => body[isSwapped(k >> 1) ? k ^ 1 : k]!);
			expect(swapped).not.toEqual(body);
			const other = graphOfBodies(swapped);
			checkGraph(other);
			checkSymmetric(other);
			expect(other.vertexWeight).toEqual(graph.vertexWeight);
			expect(edges(other)).toEqual(edges(graph));
		}
		// All have body 0, so each row of W is full.
		expect(graph.vertexWeight).toEqual(new Int32Array(contacts).fill(contacts));
	});
});

describe("the graph of a problem", () => {
	const pile = generate("spheres", { contacts: 60 });

	it("is that of its bodies where it has no W", () => {
		expect(graphOfProblem(pile)).toEqual(graphOfBodies(pile.rigid.body));
	});

	it("is the pattern of W, made symmetric and without the diagonal, where it has one", () => {
		const W = {
			rows: 3,
			rowStart: Int32Array.from([0, 2, 3, 5]),
			column: Int32Array.from([2, 0, 1, 2, 1]),
			values: new Float64Array(45),
		};
		const problem: Problem = { name: "three", contacts: 3, q: new Float64Array(9), mu: new Float64Array(3), W };
		const graph = graphOfProblem(problem);
		checkSymmetric(graph);
		expect([0, 1, 2].map((v) => neighboursOf(graph, v))).toEqual([[2], [2], [0, 1]]);
		expect([...graph.vertexWeight]).toEqual([2, 1, 2]);
	});

	it("does not exist where nothing says what couples", () => {
		const problem: Problem = { name: "bare", contacts: 1, q: new Float64Array(3), mu: new Float64Array(1) };
		expect(() => graphOfProblem(problem)).toThrow(InputError);
		expect(graphOfPattern(new Int32Array(1), new Int32Array(0)).vertices).toBe(0);
	});
});
