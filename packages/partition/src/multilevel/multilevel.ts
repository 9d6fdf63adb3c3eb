/**
 * Multilevel k-way partitioning (G. Karypis, V. Kumar 1998): the graph is coarsened by matchings until it is small, cut there by recursive
 * bisection, and the cut is carried back and refined at each level. Small graphs are worth more than one try, and further rounds that
 * coarsen inside the parts found and refine them again (C. Walshaw 2004); the effort depends on the graph's size alone, never on the
 * clock, so that a seed gives the same parts everywhere.
 */
import { Random } from "@stickslip/core";
import { BALANCE_MAX, type Goal, goalOf } from "../graph/balance.js";
import { type Graph, totalWeight, type WeightedGraph, withWeights } from "../graph/graph.js";
import { contract } from "./contract.js";
import { refineGreedily } from "./greedy.js";
import { bisectRecursively, bisectSmall } from "./initial.js";
import { LocalSearch } from "./local-search.js";
import { match } from "./matching.js";
import { cutOf, Parts } from "./parts.js";
import { rebalance } from "./rebalance.js";

/** Coarsening ends at so many vertices per part, or where a level keeps more than this share of the one before. */
const COARSEST_PER_PART = 30;
const COARSEST_OF_TWO = 120;
const SHRINK_MAX = 0.95;
/** A coarse vertex weighs at most so many times the average of the coarsest level. */
const PAIR_WEIGHT = 1.5;
/** Above so many edge ends a level is refined greedily. */
const SEARCHED_MAX = 1_500_000;
const GREEDY_PASSES = 8;
const SEARCH_ROUNDS = 5;
/** Edge ends that all tries may go over, and all rounds after them, roughly. */
const EFFORT = 500_000;
/** Work along the boundary, for a cut of all edges, over that of going through the graph. */
const CUT_WORK = 10;
const ROUNDS_MAX = 2;
/** Few parts have short boundaries: tries cost little, and one unlucky start costs much. */
const FEW_PARTS = 8;
const TRIES_OF_FEW = 4;
const TRIES_OF_MANY = 2;

interface Level {
	readonly graph: WeightedGraph;
	/** Of the next finer level; none at the finest. */
	readonly coarseOf: Int32Array | undefined;
}

/** Owners of equal parts. */
export function multilevel(given: Graph, parts: number, seed = 1): Int32Array {
	const graph = withWeights(given);
	const random = new Random(seed);
	const shares = new Array<number>(parts).fill(1);
	const goal = goalOf(graph, shares);
	let best = cycle(graph, goal, random, (coarsest) => firstParts(coarsest, shares, goal, random));
	let bestScore = scoreOf(graph, goal, best);
	const affordable = affordableCycles(graph, best);
	const tries = Math.min(parts > FEW_PARTS ? TRIES_OF_MANY : TRIES_OF_FEW, affordable);
	for (let trial = 1; trial < tries; trial += 1) {
		const owner = cycle(graph, goal, random, (coarsest) => firstParts(coarsest, shares, goal, random));
		const score = scoreOf(graph, goal, owner);
		if (score >= bestScore) continue;
		best = owner;
		bestScore = score;
	}
	const rounds = Math.min(ROUNDS_MAX, affordable);
	for (let round = 0; round < rounds; round += 1) {
		const owner = improve(graph, goal, best, random);
		const score = scoreOf(graph, goal, owner);
		if (score > bestScore) continue;
		best = owner;
		bestScore = score;
	}
	return best;
}

/** By size, and by how much of the graph is boundary: that is where the work is. */
function affordableCycles(graph: WeightedGraph, owner: Int32Array): number {
	const size = graph.neighbour.length + graph.vertices;
	if (size > EFFORT) return 0;
	let edges = 0;
	for (const weight of graph.edgeWeight) edges += weight / 2;
	const share = edges > 0 ? cutOf(graph, owner) / edges : 0;
	return Math.floor(EFFORT / (Math.max(1, size) * (1 + CUT_WORK * share)));
}

/** One round on parts that are there: coarsens inside them, and refines at each level. */
function improve(graph: WeightedGraph, goal: Goal, owner: Int32Array, random: Random): Int32Array {
	return cycle(graph, goal, random, (_, carried) => carried ?? owner.slice(), owner);
}

/** The cut, or for parts that are too heavy something above any cut. */
function scoreOf(graph: WeightedGraph, goal: Goal, owner: Int32Array): number {
	const fullness = new Parts(graph, owner, goal.limit).fullness();
	const cut = cutOf(graph, owner);
	return fullness <= 1 ? cut : fullness * 2 ** 40 + cut;
}

/** The best of several, as they are after the refinement that the coarsest level gets. */
function firstParts(graph: WeightedGraph, shares: readonly number[], goal: Goal, random: Random): Int32Array {
	let best: Int32Array | undefined;
	let bestScore = Infinity;
	const tries = shares.length > FEW_PARTS ? 1 : TRIES_OF_FEW;
	for (let trial = 0; trial < tries; trial += 1) {
		const owner = bisectRecursively(graph, shares, BALANCE_MAX - 1, (piece, two) => bisect(piece, two, random));
		refine(graph, goal, owner, random);
		const score = scoreOf(graph, goal, owner);
		if (best !== undefined && score >= bestScore) continue;
		best = owner;
		bestScore = score;
	}
	return best ?? new Int32Array(graph.vertices);
}

/** Two parts, in one try. */
export function bisect(graph: WeightedGraph, goal: Goal, random: Random): Int32Array {
	return cycle(graph, goal, random, (coarsest) => bisectSmall(coarsest, goal, random));
}

type Start = (coarsest: WeightedGraph, coarseOwner: Int32Array | undefined) => Int32Array;

/** Down and up again. */
function cycle(graph: WeightedGraph, goal: Goal, random: Random, start: Start, given?: Int32Array): Int32Array {
	const { levels, owner: carried } = coarsen(graph, goal.limit.length, random, given);
	let owner = start(levels[levels.length - 1]!.graph, carried);
	for (let at = levels.length - 1; at >= 0; at -= 1) {
		const level = levels[at]!;
		refine(level.graph, goal, owner, random);
		if (level.coarseOf !== undefined) owner = projected(owner, level.coarseOf);
	}
	return owner;
}

function coarsen(
	graph: WeightedGraph,
	parts: number,
	random: Random,
	given: Int32Array | undefined,
): { levels: Level[]; owner: Int32Array | undefined } {
	const enough = parts === 2 ? COARSEST_OF_TWO : COARSEST_PER_PART * parts;
	const pairMax = Math.max(1, (PAIR_WEIGHT * totalWeight(graph)) / enough);
	const levels: Level[] = [{ graph, coarseOf: undefined }];
	let owner = given;
	let finest = graph;
	while (finest.vertices > enough) {
		const matching = match(finest, pairMax, random, owner);
		if (matching.coarse > SHRINK_MAX * finest.vertices) break;
		const coarse = contract(finest, matching);
		if (owner !== undefined) {
			const coarseOwner = new Int32Array(coarse.vertices);
			for (let v = 0; v < finest.vertices; v += 1) coarseOwner[matching.coarseOf[v]!] = owner[v]!;
			owner = coarseOwner;
		}
		levels.push({ graph: coarse, coarseOf: matching.coarseOf });
		finest = coarse;
	}
	return { levels, owner };
}

function refine(graph: WeightedGraph, goal: Goal, owner: Int32Array, random: Random): void {
	const parts = new Parts(graph, owner, goal.limit);
	rebalance(parts);
	if (graph.neighbour.length > SEARCHED_MAX) refineGreedily(parts, GREEDY_PASSES);
	else new LocalSearch(parts, random).run(SEARCH_ROUNDS);
}

function projected(owner: Int32Array, coarseOf: Int32Array): Int32Array {
	const fine = new Int32Array(coarseOf.length);
	for (let v = 0; v < fine.length; v += 1) fine[v] = owner[coarseOf[v]!]!;
	return fine;
}
