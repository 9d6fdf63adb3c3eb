/**
 * The first parts, on a coarse graph: in two, by growing one from a seeded vertex until it weighs its share, several times, refined and
 * the best kept; in more, by bisecting again and again, each bisection being multilevel itself.
 */
import type { Random } from "@stickslip/core";
import { type Goal, goalOf } from "../graph/balance.js";
import type { WeightedGraph } from "../graph/graph.js";
import { subgraphs } from "../graph/subgraph.js";
import { VertexHeap } from "./heap.js";
import { LocalSearch } from "./local-search.js";
import { cutOf, Parts } from "./parts.js";
import { rebalance } from "./rebalance.js";

/** Makes two parts of a graph. */
export type Bisector = (graph: WeightedGraph, goal: Goal) => Int32Array;

const GROWINGS = 8;
const ROUNDS = 6;

/** Two parts of a small graph. */
export function bisectSmall(graph: WeightedGraph, goal: Goal, random: Random): Int32Array {
	let best: Int32Array = new Int32Array(graph.vertices);
	let bestCut = Infinity;
	let bestFullness = Infinity;
	for (let trial = 0; trial < GROWINGS; trial += 1) {
		const owner = grow(graph, goal, random);
		const parts = new Parts(graph, owner, goal.limit);
		rebalance(parts);
		new LocalSearch(parts, random).run(ROUNDS);
		const cut = cutOf(graph, owner);
		const fullness = Math.max(1, parts.fullness());
		if (fullness > bestFullness || (fullness === bestFullness && cut >= bestCut)) continue;
		best = owner;
		bestCut = cut;
		bestFullness = fullness;
	}
	return best;
}

/** Part 1 is all that part 0, growing from one vertex by what joins it most, has not reached. */
function grow(graph: WeightedGraph, { target }: Goal, random: Random): Int32Array {
	const { vertices, start, neighbour, edgeWeight, vertexWeight } = graph;
	const owner = new Int32Array(vertices).fill(1);
	if (vertices === 0) return owner;
	const heap = new VertexHeap(vertices);
	const key = new Float64Array(vertices);
	let weight = 0;
	let next = random.below(vertices);
	heap.set(next, 0);
	const wanted = target[0]!;
	while (weight < wanted) {
		if (heap.size === 0) {
			// This component is used up: go on in the next.
			for (let steps = 0; owner[next] === 0 && steps < vertices; steps += 1) next = (next + 1) % vertices;
			if (owner[next] === 0) break;
			heap.set(next, 0);
		}
		const v = heap.pop();
		const more = vertexWeight[v]!;
		// Half a vertex too much is as good as half a vertex too little.
		if (weight + more / 2 > wanted && weight > 0) break;
		owner[v] = 0;
		weight += more;
		const end = start[v + 1]!;
		for (let k = start[v]!; k < end; k += 1) {
			const other = neighbour[k]!;
			if (owner[other] === 0) continue;
			// The cut shrinks by the edge twice: once for each end.
			if (!heap.has(other)) key[other] = -strength(graph, other);
			key[other]! += 2 * edgeWeight[k]!;
			heap.set(other, key[other]!);
		}
	}
	return owner;
}

function strength({ start, edgeWeight }: WeightedGraph, vertex: number): number {
	let sum = 0;
	const end = start[vertex + 1]!;
	for (let k = start[vertex]!; k < end; k += 1) sum += edgeWeight[k]!;
	return sum;
}

/** Any number of parts by bisections; `bisect` makes two of a graph. */
export function bisectRecursively(
	graph: WeightedGraph,
	shares: readonly number[],
	slack: number,
	bisect: Bisector,
): Int32Array {
	const owner = new Int32Array(graph.vertices);
	if (shares.length < 2 || graph.vertices === 0) return owner;
	const middle = shares.length >> 1;
	const left = shares.slice(0, middle);
	const right = shares.slice(middle);
	// The slack is shared among the bisections that follow each other.
	const depth = Math.ceil(Math.log2(shares.length));
	const side = bisect(graph, goalOf(graph, [sum(left), sum(right)], slack / depth));
	const [first, second] = subgraphs(graph, side, 2);
	for (const [piece, list, offset] of [[first!, left, 0] as const, [second!, right, left.length] as const]) {
		const inner = bisectRecursively(piece.graph, list, slack, bisect);
		for (let k = 0; k < inner.length; k += 1) owner[piece.vertex[k]!] = offset + inner[k]!;
	}
	return owner;
}

function sum(list: readonly number[]): number {
	let total = 0;
	for (const value of list) total += value;
	return total;
}
