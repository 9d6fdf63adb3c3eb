/**
 * How much a part may weigh. 1.05 times the mean where a part has some twenty vertices or more; below, one vertex decides, and
 * the mean and an average vertex is what is aimed at (for equal vertices: the mean rounded up, the least there is).
 */
import { type Graph, totalWeight } from "./graph.js";

/** The heaviest part over the mean one. */
export const BALANCE_MAX = 1.05;

export interface Goal {
	/** What each part should weigh; they sum up to the graph's weight. */
	readonly target: Float64Array;
	/** What each part may weigh. */
	readonly limit: Float64Array;
}

/** Goals of parts that weigh shares of the whole; `slack` of 0.05 lets each weigh 5 % more. */
export function goalOf(graph: Graph, shares: readonly number[], slack = BALANCE_MAX - 1): Goal {
	const total = totalWeight(graph);
	let sum = 0;
	for (const share of shares) sum += share;
	const target = Float64Array.from(shares, (share) => (total * share) / sum);
	const grain = grainOf(graph, total);
	return { target, limit: target.map((weight) => limitOf(weight, slack, grain)) };
}

/** What the heaviest of `parts` equal parts may weigh over the mean: what `partition` aims at. */
export function balanceAim(graph: Graph, parts: number): number {
	const { target, limit } = goalOf(graph, new Array<number>(parts).fill(1));
	return target[0]! > 0 ? limit[0]! / target[0]! : 1;
}

interface Grain {
	readonly weight: number;
	/** All vertices weigh the same: parts are whole numbers of them. */
	readonly isEven: boolean;
}

function grainOf(graph: Graph, total: number): Grain {
	const { vertices, vertexWeight } = graph;
	const isEven = vertices > 0 && vertexWeight.every((weight) => weight === vertexWeight[0]);
	return { weight: vertices > 0 ? total / vertices : 0, isEven };
}

function limitOf(target: number, slack: number, { weight, isEven }: Grain): number {
	const limit = target * (1 + slack);
	// A hair above, so that sums of integers are not refused for a rounding of the mean.
	const hair = 1 + 1e-12;
	if (!isEven) return Math.max(limit, target + weight) * hair;
	return Math.max(limit, weight * Math.ceil(target / weight - 1e-9)) * hair;
}
