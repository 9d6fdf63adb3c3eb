/**
 * New parts that stay near the old ones: vertices keep their owners, new ones join their neighbours, parts that appear split the
 * heaviest, and what is too heavy flows over the borders as far as it must. Then the cut is refined, with home pulling at each vertex. Where
 * the cut has become much worse than a fresh one, the fresh one is taken, its parts named after the old ones.
 */
import { InputError, Random } from "@stickslip/core";
import { type Goal, goalOf } from "../graph/balance.js";
import { checkGraph, type Graph, totalWeight, type WeightedGraph, withWeights } from "../graph/graph.js";
import { subgraphs } from "../graph/subgraph.js";
import { refineGreedily } from "../multilevel/greedy.js";
import { VertexHeap } from "../multilevel/heap.js";
import { LocalSearch } from "../multilevel/local-search.js";
import { bisect } from "../multilevel/multilevel.js";
import { cutOf, type Home, Parts } from "../multilevel/parts.js";
import { rebalance } from "../multilevel/rebalance.js";
import { diffusion } from "./diffusion.js";
import { fillEmptyParts } from "./fill-empty.js";
import { matchLabels } from "./match-labels.js";
import { partition } from "./partition.js";

export interface RepartitionOptions {
	readonly seed?: number;
	/** A fresh partition is made, and taken where it cuts so many times less. Default 1.3; infinite for never. */
	readonly freshWorth?: number;
}

export interface Repartition {
	readonly owner: Int32Array;
	readonly parts: number;
	readonly method: "diffusion" | "fresh";
	readonly reason: string;
	/** The weight that had an owner and has another now, over all weight. */
	readonly movedShare: number;
}

const DIFFUSIONS = 8;
const ROUNDS = 3;
/** Above so many edge ends the refinement is the greedy one. */
const SEARCHED_MAX = 1_500_000;
/** What leaving home costs, in shares of the edges of an average vertex. */
const HOME_PULL = 0.1;

/** `old` has an owner per vertex, of any number of parts before; -1 for a vertex that is new. */
export function repartition(
	given: Graph,
	parts: number,
	old: Int32Array,
	{ seed = 1, freshWorth = 1.3 }: RepartitionOptions = {},
): Repartition {
	if (!Number.isInteger(parts) || parts < 1)
		throw new InputError("repartition", "parts", `${parts} is not a number of parts`, "give 1 or more");
	if (old.length !== given.vertices)
		throw new InputError("repartition", "old", `${old.length} owners for ${given.vertices} vertices`, "give one each");
	checkGraph(given);
	const graph = withWeights(given);
	const random = new Random(seed);
	const goal = goalOf(graph, new Array<number>(parts).fill(1));
	const owner = settle(graph, parts, old);
	splitForNew(graph, parts, owner, random);
	const home = homeOf(graph, old, parts);
	const state = new Parts(graph, owner, goal.limit, home);
	for (let round = 0; round < DIFFUSIONS && state.fullness() > 1; round += 1) {
		if (!flow(state, goal)) break;
		refineGreedily(state, 2);
	}
	rebalance(state);
	if (graph.neighbour.length > SEARCHED_MAX) refineGreedily(state, ROUNDS);
	else new LocalSearch(state, random).run(ROUNDS);
	rebalance(state);
	fillEmptyParts(graph, owner, parts);
	const stayed = { owner, parts, movedShare: movedShare(graph, owner, old) };
	const cut = cutOf(graph, owner);
	if (!Number.isFinite(freshWorth))
		return { ...stayed, method: "diffusion", reason: "old parts were kept, as requested" };
	const fresh = matchLabels(partition(graph, parts, { seed }).owner, parts, old, graph.vertexWeight);
	const freshCut = cutOf(graph, fresh);
	if (cut <= freshWorth * freshCut)
		return { ...stayed, method: "diffusion", reason: `cut ${cut}, a fresh partition has ${freshCut}` };
	const reason = `a fresh partition cuts ${freshCut} where the old parts would have ${cut}`;
	return { owner: fresh, parts, method: "fresh", reason, movedShare: movedShare(graph, fresh, old) };
}

function movedShare(graph: Graph, owner: Int32Array, old: Int32Array): number {
	let moved = 0;
	for (let v = 0; v < owner.length; v += 1) if (old[v]! >= 0 && old[v] !== owner[v]) moved += graph.vertexWeight[v]!;
	const total = totalWeight(graph);
	return total > 0 ? moved / total : 0;
}

/** Old owners that still exist; other vertices take the part of most of their assigned neighbours, wave after wave; isolated ones the lightest. */
function settle(graph: WeightedGraph, parts: number, old: Int32Array): Int32Array {
	const { vertices, start, neighbour, vertexWeight, edgeWeight } = graph;
	const owner = old.map((part) => (part >= 0 && part < parts ? part : -1));
	const heap = new VertexHeap(vertices);
	const pull = new Float64Array(vertices);
	const weight = new Float64Array(parts);
	const spread = (v: number): void => {
		weight[owner[v]!]! += vertexWeight[v]!;
		for (let k = start[v]!; k < start[v + 1]!; k += 1) {
			const other = neighbour[k]!;
			if (owner[other]! >= 0) continue;
			pull[other]! += edgeWeight[k]!;
			heap.set(other, pull[other]!);
		}
	};
	for (let v = 0; v < vertices; v += 1) if (owner[v]! >= 0) spread(v);
	for (let next = 0; ; ) {
		while (heap.size > 0) {
			const v = heap.pop();
			owner[v] = strongest(graph, owner, v);
			spread(v);
		}
		while (next < vertices && owner[next]! >= 0) next += 1;
		if (next === vertices) return owner;
		let lightest = 0;
		for (let p = 1; p < parts; p += 1) if (weight[p]! < weight[lightest]!) lightest = p;
		owner[next] = lightest;
		spread(next);
	}
}

function strongest({ start, neighbour, edgeWeight }: WeightedGraph, owner: Int32Array, v: number): number {
	const votes = new Map<number, number>();
	for (let k = start[v]!; k < start[v + 1]!; k += 1) {
		const part = owner[neighbour[k]!]!;
		if (part >= 0) votes.set(part, (votes.get(part) ?? 0) + edgeWeight[k]!);
	}
	let best = -1;
	for (const [part, count] of votes) {
		const most = votes.get(best) ?? 0;
		if (count > most || (count === most && part < best)) best = part;
	}
	return best;
}

/** Each empty part gets half of the heaviest. Changes `owner`. */
function splitForNew(graph: WeightedGraph, parts: number, owner: Int32Array, random: Random): void {
	const weight = new Float64Array(parts);
	const count = new Int32Array(parts);
	for (let v = 0; v < owner.length; v += 1) {
		weight[owner[v]!]! += graph.vertexWeight[v]!;
		count[owner[v]!]! += 1;
	}
	for (let empty = 0; empty < parts; empty += 1) {
		if (count[empty]! > 0) continue;
		let heaviest = -1;
		for (let p = 0; p < parts; p += 1)
			if (count[p]! > 1 && (heaviest < 0 || weight[p]! > weight[heaviest]!)) heaviest = p;
		if (heaviest < 0) return;
		const isHeaviest = owner.map((part) => (part === heaviest ? 0 : 1));
		const { graph: piece, vertex } = subgraphs(graph, isHeaviest, 2)[0]!;
		const side = bisect(piece, goalOf(piece, [1, 1]), random);
		for (let i = 0; i < side.length; i += 1) {
			if (side[i] === 0) continue;
			const v = vertex[i]!;
			owner[v] = empty;
			weight[heaviest]! -= graph.vertexWeight[v]!;
			weight[empty]! += graph.vertexWeight[v]!;
			count[heaviest]! -= 1;
			count[empty]! += 1;
		}
	}
}

function homeOf(graph: WeightedGraph, old: Int32Array, parts: number): Home {
	let edges = 0;
	for (const weight of graph.edgeWeight) edges += weight;
	const pull = Math.max(1, (HOME_PULL * edges) / Math.max(1, graph.vertices));
	return {
		owner: old.map((part) => (part < parts ? part : -1)),
		pull: new Float64Array(graph.vertices).fill(pull),
	};
}

/** Moves weight over the borders as the potential says; returns whether anything moved. */
function flow(state: Parts, { target }: Goal): boolean {
	const { graph, owner } = state;
	const wanted = new Map<number, number>();
	for (const border of diffusion(state, target)) wanted.set(border.from * state.count + border.to, border.flow);
	const heap = new VertexHeap(graph.vertices);
	const choice = new Int32Array(graph.vertices);
	const consider = (v: number): void => {
		const to = bestFlow(state, v, wanted);
		if (to.part < 0) {
			heap.remove(v);
			return;
		}
		choice[v] = to.part;
		heap.set(v, to.gain / Math.max(1, graph.vertexWeight[v]!));
	};
	for (let v = 0; v < graph.vertices; v += 1) if (state.isBoundary(v)) consider(v);
	const hasMoved = new Uint8Array(graph.vertices);
	let moved = false;
	while (heap.size > 0) {
		const v = heap.pop();
		const key = owner[v]! * state.count + choice[v]!;
		const left = wanted.get(key) ?? 0;
		if (left < graph.vertexWeight[v]! / 2) continue;
		wanted.set(key, left - graph.vertexWeight[v]!);
		state.move(v, choice[v]!);
		hasMoved[v] = 1;
		moved = true;
		for (let k = graph.start[v]!; k < graph.start[v + 1]!; k += 1) {
			const other = graph.neighbour[k]!;
			if (hasMoved[other] === 0) consider(other);
		}
	}
	return moved;
}

/** The neighbouring part with wanted flow that the vertex is joined to most. */
function bestFlow(
	{ graph, owner, count }: Parts,
	v: number,
	wanted: ReadonlyMap<number, number>,
): { part: number; gain: number } {
	const { start, neighbour, edgeWeight, vertexWeight } = graph;
	const joined = new Map<number, number>();
	const own = owner[v]!;
	for (let k = start[v]!; k < start[v + 1]!; k += 1) {
		const part = owner[neighbour[k]!]!;
		joined.set(part, (joined.get(part) ?? 0) + edgeWeight[k]!);
	}
	let part = -1;
	let most = 0;
	for (const [other, strength] of joined) {
		if (other === own || (wanted.get(own * count + other) ?? 0) < vertexWeight[v]! / 2) continue;
		if (strength < most || (strength === most && part >= 0 && other > part)) continue;
		part = other;
		most = strength;
	}
	return { part, gain: most - (joined.get(own) ?? 0) };
}
