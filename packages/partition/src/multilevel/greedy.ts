/** Refinement for graphs that are too large to search: vertices of the boundary go where they are joined to most, while that helps. */
import type { Parts } from "./parts.js";

/** Goes over the boundary up to `passes` times, from the second on only where something has moved nearby. */
export function refineGreedily(parts: Parts, passes: number): void {
	const { start, neighbour, vertices, vertexWeight } = parts.graph;
	const { owner, weight } = parts;
	let active = new Int32Array(vertices);
	let count = 0;
	for (let v = 0; v < vertices; v += 1) {
		if (!parts.isBoundary(v)) continue;
		active[count] = v;
		count += 1;
	}
	let next = new Int32Array(vertices);
	const queuedIn = new Int32Array(vertices);
	for (let pass = 1; pass <= passes && count > 0; pass += 1) {
		let queued = 0;
		for (let i = 0; i < count; i += 1) {
			const v = active[i]!;
			parts.look(v);
			const { gain, target } = parts;
			if (target < 0 || gain < 0) continue;
			if (gain === 0 && weight[owner[v]!]! - weight[target]! <= vertexWeight[v]!) continue;
			parts.move(v, target);
			const end = start[v + 1]!;
			for (let k = start[v]!; k < end; k += 1) {
				const other = neighbour[k]!;
				if (queuedIn[other] === pass) continue;
				queuedIn[other] = pass;
				next[queued] = other;
				queued += 1;
			}
		}
		[active, next] = [next, active];
		count = queued;
	}
}
