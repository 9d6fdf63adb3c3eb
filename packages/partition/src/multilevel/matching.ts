/**
 * Heavy-edge matching: neighbours are merged in pairs, each vertex with the one it holds to most for its weight, so that heavy edges
 * vanish inside the vertices of the next coarser graph (G. Karypis, V. Kumar 1998; the rating w^2 / (c_u c_v) after M. Holtgrewe, P. Sanders,
 * C. Schulz 2010). Vertices whose neighbours are all taken are merged two hops away, or else stars and cliques would not shrink
 * (D. LaSalle et al. 2015).
 */
import type { Random } from "@stickslip/core";
import type { WeightedGraph } from "../graph/graph.js";

export interface Matching {
	/** The number of vertices after merging. */
	readonly coarse: number;
	/** The coarse vertex of each vertex. */
	readonly coarseOf: Int32Array;
	/** The other vertex of the pair, or the vertex itself. */
	readonly mate: Int32Array;
}

/** From here on vertices are visited in memory order and not shuffled, which would miss the cache at each step. */
const SHUFFLED_MAX = 300_000;
/** Two-hop merging begins where matching left more than this share alone. */
const ALONE_MAX = 0.1;

/** Pairs weigh at most `pairMax`; where `owner` is given they are of one part, so that the parts live on in the coarse graph. */
export function match(graph: WeightedGraph, pairMax: number, random: Random, owner?: Int32Array): Matching {
	const { vertices } = graph;
	const mate = new Int32Array(vertices).fill(-1);
	const order = orderOf(vertices, random);
	const alone = matchNeighbours(graph, mate, order, pairMax, owner);
	if (alone > ALONE_MAX * vertices) matchTwoHops(graph, mate, order, pairMax, owner);
	return numbered(mate);
}

function orderOf(vertices: number, random: Random): Int32Array | undefined {
	if (vertices > SHUFFLED_MAX) return undefined;
	return random.shuffle(Int32Array.from({ length: vertices }, (_, v) => v));
}

/** Returns how many vertices stayed alone. */
function matchNeighbours(
	{ vertices, start, neighbour, vertexWeight, edgeWeight }: WeightedGraph,
	mate: Int32Array,
	order: Int32Array | undefined,
	pairMax: number,
	owner: Int32Array | undefined,
): number {
	let alone = 0;
	for (let i = 0; i < vertices; i += 1) {
		const v = order === undefined ? i : order[i]!;
		if (mate[v]! >= 0) continue;
		const weight = vertexWeight[v]!;
		const room = pairMax - weight;
		let best = -1;
		let bestRating = 0;
		const end = start[v + 1]!;
		for (let k = start[v]!; k < end; k += 1) {
			const other = neighbour[k]!;
			if (mate[other]! >= 0) continue;
			const otherWeight = vertexWeight[other]!;
			if (otherWeight > room) continue;
			if (owner !== undefined && owner[other] !== owner[v]) continue;
			const w = edgeWeight[k]!;
			const rating = (w * w) / (1 + otherWeight);
			if (rating > bestRating) {
				bestRating = rating;
				best = other;
			}
		}
		if (best < 0) {
			alone += 1;
			continue;
		}
		mate[v] = best;
		mate[best] = v;
	}
	return alone;
}

/** Pairs those left alone that share a neighbour: each vertex joins those around it. */
function matchTwoHops(
	{ vertices, start, neighbour, vertexWeight }: WeightedGraph,
	mate: Int32Array,
	order: Int32Array | undefined,
	pairMax: number,
	owner: Int32Array | undefined,
): void {
	for (let i = 0; i < vertices; i += 1) {
		const hub = order === undefined ? i : order[i]!;
		let waiting = -1;
		const end = start[hub + 1]!;
		for (let k = start[hub]!; k < end; k += 1) {
			const v = neighbour[k]!;
			if (mate[v]! >= 0) continue;
			const fits =
				waiting >= 0 &&
				vertexWeight[v]! + vertexWeight[waiting]! <= pairMax &&
				(owner === undefined || owner[v] === owner[waiting]);
			if (!fits) {
				waiting = v;
				continue;
			}
			mate[v] = waiting;
			mate[waiting] = v;
			waiting = -1;
		}
	}
	// Vertices without neighbours may always be paired.
	let single = -1;
	for (let v = 0; v < vertices; v += 1) {
		if (mate[v]! >= 0 || start[v] !== start[v + 1]) continue;
		const fits =
			single >= 0 &&
			vertexWeight[v]! + vertexWeight[single]! <= pairMax &&
			(owner === undefined || owner[v] === owner[single]);
		if (fits) {
			mate[v] = single;
			mate[single] = v;
			single = -1;
		} else {
			single = v;
		}
	}
}

/** Coarse vertices in the order of their first members, so that what was near in memory stays near. */
function numbered(mate: Int32Array): Matching {
	const coarseOf = new Int32Array(mate.length);
	let coarse = 0;
	for (let v = 0; v < mate.length; v += 1) {
		const other = mate[v]!;
		if (other < 0) mate[v] = v;
		if (other >= 0 && other < v) {
			coarseOf[v] = coarseOf[other]!;
		} else {
			coarseOf[v] = coarse;
			coarse += 1;
		}
	}
	return { coarse, coarseOf, mate };
}
