/**
 * Subdomains of a graph, from its numbers alone: each grows from the least vertex that is left, breadth first, until it is full. One that runs
 * out of neighbours goes on from the next vertex that is left, so that all but the last are full.
 */
import type { Graph } from "../factor/graph.js";

/** The subdomain of each vertex; subdomains have at most `size` vertices, and as equally many as can be. */
export function growSubdomains({ vertices, start, neighbour }: Graph, size: number): Int32Array {
	const full = Math.ceil(vertices / Math.max(1, Math.ceil(vertices / size)));
	const subdomain = new Int32Array(vertices).fill(-1);
	const queue = new Int32Array(vertices);
	let seed = 0;
	let head = 0;
	let tail = 0;
	let current = 0;
	let count = 0;
	for (let taken = 0; taken < vertices; taken += 1) {
		if (count === full) {
			// What was reached and not taken is left to others.
			for (let k = head; k < tail; k += 1) subdomain[queue[k]!] = -1;
			[head, tail, count] = [0, 0, 0];
			current += 1;
		}
		if (head === tail) {
			while (subdomain[seed]! >= 0) seed += 1;
			[head, tail] = [0, 1];
			queue[0] = seed;
			subdomain[seed] = current;
		}
		const vertex = queue[head]!;
		head += 1;
		count += 1;
		for (let k = start[vertex]!; k < start[vertex + 1]!; k += 1) {
			const other = neighbour[k]!;
			if (subdomain[other]! >= 0) continue;
			subdomain[other] = current;
			queue[tail] = other;
			tail += 1;
		}
	}
	return subdomain;
}

/** All subdomains of each vertex: its own first, then, ascending, those that have a vertex within so many edges. */
export function withOverlap({ vertices, start, neighbour }: Graph, own: Int32Array, edges: number): Int32Array[] {
	let reached = Array.from({ length: vertices }, (_, i) => new Set([own[i]!]));
	for (let step = 0; step < edges; step += 1) {
		const before = reached;
		reached = before.map((set, i) => {
			const wider = new Set(set);
			for (let k = start[i]!; k < start[i + 1]!; k += 1) for (const s of before[neighbour[k]!]!) wider.add(s);
			return wider;
		});
	}
	return reached.map((set, i) => {
		set.delete(own[i]!);
		return Int32Array.of(own[i]!, ...[...set].sort((a, b) => a - b));
	});
}
