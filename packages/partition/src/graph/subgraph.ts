/** The pieces that a partition cuts a graph into, each with its own numbering. */
import type { WeightedGraph } from "./graph.js";

export interface Piece {
	readonly graph: WeightedGraph;
	/** The vertex of the whole graph that each of the piece is, ascending. */
	readonly vertex: Int32Array;
}

export function subgraphs(graph: WeightedGraph, owner: Int32Array, parts: number): Piece[] {
	const { vertices, start, neighbour } = graph;
	const local = new Int32Array(vertices);
	const count = new Int32Array(parts);
	const edges = new Int32Array(parts);
	for (let v = 0; v < vertices; v += 1) {
		const own = owner[v]!;
		local[v] = count[own]!;
		count[own]! += 1;
		for (let k = start[v]!; k < start[v + 1]!; k += 1) if (owner[neighbour[k]!] === own) edges[own]! += 1;
	}
	const member = Array.from(count, (length) => new Int32Array(length));
	for (let v = 0; v < vertices; v += 1) member[owner[v]!]![local[v]!] = v;
	return member.map((vertex, part) => ({ vertex, graph: pieceOf(graph, owner, part, vertex, local, edges[part]!) }));
}

function pieceOf(
	graph: WeightedGraph,
	owner: Int32Array,
	part: number,
	vertex: Int32Array,
	local: Int32Array,
	edges: number,
): WeightedGraph {
	const { start, neighbour, edgeWeight } = graph;
	const pieceStart = new Int32Array(vertex.length + 1);
	const pieceNeighbour = new Int32Array(edges);
	const pieceEdge = new Int32Array(edges);
	let end = 0;
	for (let i = 0; i < vertex.length; i += 1) {
		const v = vertex[i]!;
		for (let k = start[v]!; k < start[v + 1]!; k += 1) {
			const other = neighbour[k]!;
			if (owner[other] !== part) continue;
			pieceNeighbour[end] = local[other]!;
			pieceEdge[end] = edgeWeight[k]!;
			end += 1;
		}
		pieceStart[i + 1] = end;
	}
	return {
		vertices: vertex.length,
		start: pieceStart,
		neighbour: pieceNeighbour,
		vertexWeight: vertex.map((v) => graph.vertexWeight[v]!),
		edgeWeight: pieceEdge,
	};
}
