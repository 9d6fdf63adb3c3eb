/** Graphs whose best cuts are known, and random ones: for tests. */
import { Random } from "@stickslip/core";
import { type Graph, graphOfPattern } from "../graph/graph.js";

/** Of a list of edges; vertices weigh 1 unless said. */
export function graphOfEdges(
	vertices: number,
	edges: readonly (readonly [number, number])[],
	vertexWeight?: Int32Array,
): Graph {
	const lists = Array.from({ length: vertices }, () => [] as number[]);
	for (const [a, b] of edges) lists[a]!.push(b);
	const start = new Int32Array(vertices + 1);
	for (const [v, list] of lists.entries()) start[v + 1] = start[v]! + list.length;
	return graphOfPattern(start, Int32Array.from(lists.flat()), vertexWeight ?? new Int32Array(vertices).fill(1));
}

export function chain(vertices: number): Graph {
	return graphOfEdges(
		vertices,
		Array.from({ length: Math.max(0, vertices - 1) }, (_, v) => [v, v + 1] as const),
	);
}

/** A flat grid, with its points. */
export function grid(width: number, height: number): { graph: Graph; points: Float64Array } {
	const edges: [number, number][] = [];
	const points = new Float64Array(3 * width * height);
	for (let y = 0; y < height; y += 1) {
		for (let x = 0; x < width; x += 1) {
			const v = y * width + x;
			points.set([x, y, 0], 3 * v);
			if (x + 1 < width) edges.push([v, v + 1]);
			if (y + 1 < height) edges.push([v, v + width]);
		}
	}
	return { graph: graphOfEdges(width * height, edges), points };
}

/** Edges and weights at random; usually in several pieces where `degree` is small. */
export function randomGraph(vertices: number, degree: number, seed: number): Graph {
	const random = new Random(seed);
	const edges: [number, number][] = [];
	for (let i = 0; vertices > 1 && i < (vertices * degree) / 2; i += 1) {
		const a = random.below(vertices);
		const b = random.below(vertices);
		if (a !== b) edges.push([a, b]);
	}
	const weight = Int32Array.from({ length: vertices }, () => 1 + random.below(9));
	return graphOfEdges(vertices, edges, weight);
}

/** The same graph with vertex v called to[v]. */
export function renamed(graph: Graph, to: Int32Array): Graph {
	const edges: [number, number][] = [];
	const weight = new Int32Array(graph.vertices);
	for (let v = 0; v < graph.vertices; v += 1) {
		weight[to[v]!] = graph.vertexWeight[v]!;
		for (let k = graph.start[v]!; k < graph.start[v + 1]!; k += 1) edges.push([to[v]!, to[graph.neighbour[k]!]!]);
	}
	return graphOfEdges(graph.vertices, edges, weight);
}

/** By its definition: edges whose ends have different owners. */
export function cutByHand({ vertices, start, neighbour, edgeWeight }: Graph, owner: Int32Array): number {
	let cut = 0;
	for (let v = 0; v < vertices; v += 1) {
		for (let k = start[v]!; k < start[v + 1]!; k += 1) {
			if (neighbour[k]! > v && owner[neighbour[k]!] !== owner[v]) cut += edgeWeight?.[k] ?? 1;
		}
	}
	return cut;
}

/** The heaviest part over the mean. */
export function balanceByHand({ vertexWeight }: Graph, owner: Int32Array, parts: number): number {
	const weight = new Float64Array(parts);
	let total = 0;
	for (const [v, part] of owner.entries()) {
		weight[part]! += vertexWeight[v]!;
		total += vertexWeight[v]!;
	}
	return (Math.max(...weight) * parts) / total;
}
