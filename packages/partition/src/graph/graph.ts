/**
 * The graph that is partitioned: vertices are contacts (or tiles of contacts), edges join what needs each other's reactions.
 * Neighbours in compressed rows, each edge listed at both of its ends, nothing joined to itself.
 */
import { InputError } from "@stickslip/core";

export interface Graph {
	readonly vertices: number;
	/** Where each vertex starts in `neighbour`; vertices + 1 entries. */
	readonly start: Int32Array;
	readonly neighbour: Int32Array;
	/** What each vertex costs its owner, e.g. blocks per row. At least 0. */
	readonly vertexWeight: Int32Array;
	/** What it costs to cut each edge, at least 1, the same at both ends; 1 where absent. */
	readonly edgeWeight?: Int32Array;
}

/** A graph whose edges all have weights: what the algorithms work on. */
export type WeightedGraph = Graph & { readonly edgeWeight: Int32Array };

export function withWeights(graph: Graph): WeightedGraph {
	return { ...graph, edgeWeight: graph.edgeWeight ?? new Int32Array(graph.neighbour.length).fill(1) };
}

export function totalWeight(graph: Graph): number {
	let total = 0;
	for (let v = 0; v < graph.vertices; v += 1) total += graph.vertexWeight[v]!;
	return total;
}

/** Throws unless lengths and ranges are valid and no vertex is joined to itself. `checkSymmetric` checks that edges are listed at both ends. */
export function checkGraph(graph: Graph): void {
	const { vertices, start, neighbour, vertexWeight, edgeWeight } = graph;
	const fail = (place: string, problem: string): never => {
		throw new InputError("graph", place, problem, "give symmetric compressed rows without self loops");
	};
	if (!Number.isInteger(vertices) || vertices < 0) fail("vertices", `${vertices} is not a count`);
	if (start.length !== vertices + 1 || start[0] !== 0)
		fail("start", `${start.length} entries for ${vertices} vertices`);
	if (start[vertices] !== neighbour.length) fail("start", "its last entry is not the number of neighbours");
	if (vertexWeight.length !== vertices) fail("vertexWeight", `${vertexWeight.length} entries for ${vertices} vertices`);
	if (edgeWeight !== undefined && edgeWeight.length !== neighbour.length)
		fail("edgeWeight", `${edgeWeight.length} entries for ${neighbour.length} neighbours`);
	for (let v = 0; v < vertices; v += 1) {
		if (vertexWeight[v]! < 0) fail(`vertexWeight ${v}`, `${vertexWeight[v]} is negative`);
		if (start[v + 1]! < start[v]!) fail(`start ${v + 1}`, "rows overlap");
		for (let k = start[v]!; k < start[v + 1]!; k += 1) {
			const other = neighbour[k]!;
			if (!(other >= 0 && other < vertices)) fail(`neighbour ${k}`, `${other} is not a vertex`);
			if (other === v) fail(`neighbour ${k}`, `vertex ${v} is joined to itself`);
		}
	}
	if (edgeWeight?.some((weight) => weight < 1)) fail("edgeWeight", "a weight is below 1");
}

/** Throws unless each edge stands at both of its ends with the same weight, once. */
export function checkSymmetric(graph: Graph): void {
	const { vertices, start, neighbour, edgeWeight } = graph;
	const seen = new Map<number, number>();
	for (let v = 0; v < vertices; v += 1) {
		for (let k = start[v]!; k < start[v + 1]!; k += 1) {
			const key = v * vertices + neighbour[k]!;
			if (seen.has(key)) throw new InputError("graph", `vertex ${v}`, "an edge is listed twice", "list it once");
			seen.set(key, edgeWeight?.[k] ?? 1);
		}
	}
	for (const [key, weight] of seen) {
		const v = Math.floor(key / vertices);
		const other = key - v * vertices;
		if (seen.get(other * vertices + v) === weight) continue;
		throw new InputError("graph", `vertex ${v}`, `its edge to ${other} is not the same there`, "list it at both ends");
	}
}

/** The graph of a pattern of rows: an edge wherever either row lists the other. Rows may list columns in any order, each once. */
export function graphOfPattern(start: Int32Array, column: Int32Array, vertexWeight?: Int32Array): Graph {
	const vertices = start.length - 1;
	const reverse = transposed(start, column);
	const first = new Int32Array(vertices + 1);
	const neighbour = new Int32Array(2 * column.length);
	const seenBy = new Int32Array(vertices).fill(-1);
	let end = 0;
	for (let v = 0; v < vertices; v += 1) {
		seenBy[v] = v;
		for (const list of [{ start, column }, reverse]) {
			const last = list.start[v + 1]!;
			for (let k = list.start[v]!; k < last; k += 1) {
				const other = list.column[k]!;
				if (seenBy[other] === v) continue;
				seenBy[other] = v;
				neighbour[end] = other;
				end += 1;
			}
		}
		first[v + 1] = end;
	}
	const weight = vertexWeight ?? Int32Array.from({ length: vertices }, (_, v) => start[v + 1]! - start[v]!);
	return { vertices, start: first, neighbour: neighbour.slice(0, end), vertexWeight: weight };
}

function transposed(start: Int32Array, column: Int32Array): { start: Int32Array; column: Int32Array } {
	const rows = start.length - 1;
	const begin = new Int32Array(rows + 1);
	for (let k = 0; k < column.length; k += 1) begin[column[k]! + 1]! += 1;
	for (let v = 0; v < rows; v += 1) begin[v + 1]! += begin[v]!;
	const next = begin.slice(0, rows);
	const turned = new Int32Array(column.length);
	for (let row = 0; row < rows; row += 1) {
		for (let k = start[row]!; k < start[row + 1]!; k += 1) {
			const other = column[k]!;
			turned[next[other]!] = row;
			next[other]! += 1;
		}
	}
	return { start: begin, column: turned };
}
