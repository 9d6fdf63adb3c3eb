/**
 * The owner of each vertex: one function for all ways of partitioning. `auto` is multilevel: measured on seven graphs for 2 to 64 parts (npm run bench --
 * partition) its cut is below that of coordinates and curves everywhere, a million contacts take a few seconds, and it needs no points.
 */
import { InputError } from "@stickslip/core";
import { coordinateBisection } from "../geometric/coordinate-bisection.js";
import type { CutCost } from "../geometric/cut-bodies.js";
import { hilbertRuns } from "../geometric/hilbert.js";
import { checkPoints } from "../geometric/points.js";
import { checkGraph, type Graph } from "../graph/graph.js";
import { multilevel } from "../multilevel/multilevel.js";
import { fillEmptyParts } from "./fill-empty.js";
import { metis } from "./metis.js";

export const PARTITION_METHODS = ["auto", "rcb", "sfc", "multilevel", "metis"] as const;
export type PartitionMethod = (typeof PARTITION_METHODS)[number];

export interface PartitionOptions {
	/** rcb cuts across coordinates, sfc along a space-filling curve; both need points. Default auto. */
	readonly method?: PartitionMethod;
	/** Three coordinates per vertex. */
	readonly points?: Float64Array;
	/** What a cut costs, for rcb: it cuts across the widest axis where absent. */
	readonly cost?: CutCost;
	/** Of the choices that multilevel makes at random. Default 1. */
	readonly seed?: number;
}

export interface Partition {
	/** The part of each vertex. */
	readonly owner: Int32Array;
	readonly parts: number;
	/** What was used in the end. */
	readonly method: Exclude<PartitionMethod, "auto"> | "trivial";
	/** Why, in a line. */
	readonly reason: string;
}

/** Vertices into parts of equal weight with few edges between them. Parts stay empty only where there are more of them than vertices. */
export function partition(graph: Graph, parts: number, options: PartitionOptions = {}): Partition {
	const { method = "auto", points, cost, seed = 1 } = options;
	if (!Number.isInteger(parts) || parts < 1)
		throw refusal("parts", `${parts} is not a number of parts`, "give 1 or more");
	if (!PARTITION_METHODS.includes(method))
		throw refusal("method", `there is no ${method}`, `choose among ${PARTITION_METHODS.join(", ")}`);
	if (!Number.isSafeInteger(seed) || seed < 0)
		throw refusal("seed", `${seed} is not a seed`, "give an integer from 0 to 2^53 - 1");
	checkGraph(graph);
	if (points !== undefined) checkPoints(points, graph.vertices);
	const done = (owner: Int32Array, used: Partition["method"], reason: string): Partition => {
		fillEmptyParts(graph, owner, parts);
		return { owner, parts, method: used, reason };
	};
	if (parts === 1) return done(new Int32Array(graph.vertices), "trivial", "one part owns all");
	if (graph.vertices <= parts) {
		const owner = Int32Array.from({ length: graph.vertices }, (_, v) => v);
		return done(owner, "trivial", `${graph.vertices} vertices for ${parts} parts: one each`);
	}
	const weighed = graph.vertexWeight.some((weight) => weight > 0)
		? graph
		: { ...graph, vertexWeight: new Int32Array(graph.vertices).fill(1) };
	switch (method) {
		case "rcb":
			return done(coordinateBisection(weighed, needed(points, method), parts, cost), method, "requested");
		case "sfc":
			return done(hilbertRuns(weighed, needed(points, method), parts), method, "requested");
		case "metis":
			return done(metis(weighed, parts, { seed }), method, "requested");
		case "multilevel":
			return done(multilevel(weighed, parts, seed), method, "requested");
		case "auto":
			return done(multilevel(weighed, parts, seed), "multilevel", "auto: it has the smallest cut");
	}
}

function needed(points: Float64Array | undefined, method: string): Float64Array {
	if (points !== undefined) return points;
	throw refusal("method", `${method} needs points and there are none`, "give points, or choose multilevel");
}

function refusal(place: string, problem: string, remedy: string): InputError {
	return new InputError("partition", place, problem, remedy);
}
