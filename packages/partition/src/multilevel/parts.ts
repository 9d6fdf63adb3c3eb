/** The owners of vertices while they are being changed, with the weights and limits of parts, and the best part for a vertex. */
import type { WeightedGraph } from "../graph/graph.js";

/** Where vertices lived before, and what leaving costs: as an edge of that weight to the old part. */
export interface Home {
	readonly owner: Int32Array;
	readonly pull: Float64Array;
}

export class Parts {
	readonly count: number;
	readonly weight: Float64Array;
	/** Of the last `look`: what moving to `target` takes off the cut. */
	gain = 0;
	/** Of the last `look`: the best part with room for the vertex; -1 where no neighbouring one has. */
	target = -1;
	/** How strongly the vertex looked at is joined to each part: all zero between looks. */
	readonly #joined: Float64Array;
	readonly #touched: Int32Array;

	constructor(
		readonly graph: WeightedGraph,
		readonly owner: Int32Array,
		readonly limit: Float64Array,
		readonly home?: Home,
	) {
		this.count = limit.length;
		this.weight = new Float64Array(this.count);
		this.#joined = new Float64Array(this.count);
		this.#touched = new Int32Array(this.count);
		for (let v = 0; v < graph.vertices; v += 1) this.weight[owner[v]!]! += graph.vertexWeight[v]!;
	}

	/** The heaviest part by its limit; above 1 it is too heavy. */
	fullness(): number {
		let most = 0;
		for (let p = 0; p < this.count; p += 1) {
			const { [p]: weight = 0 } = this.weight;
			if (weight > 0) most = Math.max(most, weight / this.limit[p]!);
		}
		return most;
	}

	move(vertex: number, to: number): void {
		const weight = this.graph.vertexWeight[vertex]!;
		this.weight[this.owner[vertex]!]! -= weight;
		this.weight[to]! += weight;
		this.owner[vertex] = to;
	}

	isBoundary(vertex: number): boolean {
		const { start, neighbour } = this.graph;
		const { owner } = this;
		const own = owner[vertex]!;
		const end = start[vertex + 1]!;
		for (let k = start[vertex]!; k < end; k += 1) if (owner[neighbour[k]!] !== own) return true;
		return false;
	}

	/** Finds `gain` and `target` of a vertex: the neighbouring part with room that it is joined to most, of equals the lighter. */
	look(vertex: number): void {
		const { start, neighbour, edgeWeight, vertexWeight } = this.graph;
		const { owner, weight, limit } = this;
		const joined = this.#joined;
		const touched = this.#touched;
		const own = owner[vertex]!;
		const end = start[vertex + 1]!;
		let count = 0;
		for (let k = start[vertex]!; k < end; k += 1) {
			const part = owner[neighbour[k]!]!;
			if (joined[part] === 0) {
				touched[count] = part;
				count += 1;
			}
			joined[part]! += edgeWeight[k]!;
		}
		if (this.home !== undefined) count = this.#feelHome(vertex, this.home, count);
		const vertexIs = vertexWeight[vertex]!;
		let target = -1;
		let most = 0;
		for (let i = 0; i < count; i += 1) {
			const part = touched[i]!;
			const strength = joined[part]!;
			if (part === own || strength < most || weight[part]! + vertexIs > limit[part]!) continue;
			if (strength === most && target >= 0 && weight[part]! >= weight[target]!) continue;
			target = part;
			most = strength;
		}
		this.gain = most - joined[own]!;
		this.target = target;
		for (let i = 0; i < count; i += 1) joined[touched[i]!] = 0;
	}

	#feelHome(vertex: number, home: Home, count: number): number {
		const part = home.owner[vertex]!;
		const pull = home.pull[vertex]!;
		if (part < 0 || pull === 0) return count;
		const isNew = this.#joined[part] === 0;
		if (isNew) this.#touched[count] = part;
		this.#joined[part]! += pull;
		return isNew ? count + 1 : count;
	}
}

/** The weight of the edges between different parts. */
export function cutOf({ vertices, start, neighbour, edgeWeight }: WeightedGraph, owner: Int32Array): number {
	let twice = 0;
	for (let v = 0; v < vertices; v += 1) {
		const own = owner[v]!;
		const end = start[v + 1]!;
		for (let k = start[v]!; k < end; k += 1) if (owner[neighbour[k]!] !== own) twice += edgeWeight[k]!;
	}
	return twice / 2;
}
