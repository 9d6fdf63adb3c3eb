/** No part stays empty while another has two vertices: an idle rank would wait for the others all the same. */
import type { Graph } from "../graph/graph.js";

/** Gives each empty part the vertex that costs least of the part with most vertices. Changes `owner`. */
export function fillEmptyParts(graph: Graph, owner: Int32Array, parts: number): void {
	const count = new Int32Array(parts);
	for (const part of owner) count[part]! += 1;
	for (let empty = 0; empty < parts; empty += 1) {
		if (count[empty]! > 0) continue;
		let giver = 0;
		for (let part = 1; part < parts; part += 1) if (count[part]! > count[giver]!) giver = part;
		if (count[giver]! < 2) return;
		owner[cheapest(graph, owner, giver)] = empty;
		count[giver]! -= 1;
		count[empty] = 1;
	}
}

/** The vertex of a part that is joined to it least. */
function cheapest({ vertices, start, neighbour, edgeWeight }: Graph, owner: Int32Array, part: number): number {
	let best = -1;
	let least = Infinity;
	for (let v = 0; v < vertices; v += 1) {
		if (owner[v] !== part) continue;
		let inside = 0;
		for (let k = start[v]!; k < start[v + 1]!; k += 1) {
			if (owner[neighbour[k]!] === part) inside += edgeWeight?.[k] ?? 1;
		}
		if (inside >= least) continue;
		best = v;
		least = inside;
	}
	return best;
}
