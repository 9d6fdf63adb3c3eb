/** The coarser graph: pairs become vertices, their weights add up, and so do the weights of edges that run side by side. */
import type { WeightedGraph } from "../graph/graph.js";
import type { Matching } from "./matching.js";

export function contract(graph: WeightedGraph, { coarse, coarseOf, mate }: Matching): WeightedGraph {
	const { vertices, start, neighbour, vertexWeight, edgeWeight } = graph;
	const coarseStart = new Int32Array(coarse + 1);
	const coarseWeight = new Int32Array(coarse);
	const coarseNeighbour = new Int32Array(neighbour.length);
	const coarseEdge = new Int32Array(neighbour.length);
	/** Where the edge from the present coarse vertex to each other one stands; older places are below its first. */
	const place = new Int32Array(coarse).fill(-1);
	let end = 0;
	for (let v = 0, c = 0; v < vertices; v += 1) {
		const other = mate[v]!;
		if (other < v) continue;
		const first = end;
		for (let member = v; ; member = other) {
			coarseWeight[c]! += vertexWeight[member]!;
			const last = start[member + 1]!;
			for (let k = start[member]!; k < last; k += 1) {
				const target = coarseOf[neighbour[k]!]!;
				const at = place[target]!;
				if (at >= first) {
					coarseEdge[at]! += edgeWeight[k]!;
				} else if (target !== c) {
					place[target] = end;
					coarseNeighbour[end] = target;
					coarseEdge[end] = edgeWeight[k]!;
					end += 1;
				}
			}
			if (member === other) break;
		}
		c += 1;
		coarseStart[c] = end;
	}
	return {
		vertices: coarse,
		start: coarseStart,
		neighbour: coarseNeighbour.slice(0, end),
		vertexWeight: coarseWeight,
		edgeWeight: coarseEdge.slice(0, end),
	};
}
