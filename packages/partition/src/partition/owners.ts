/**
 * The owners of the blocks of a planned problem. Tiles are what is shared out, by their points or as a graph, weighted by what a contact costs its owner in
 * an iteration, and the equality blocks, one tile, go where most of what they couple with is.
 */
import type { Plan } from "@stickslip/core/parallel";
import { bodiesCut, type CutCost } from "../geometric/cut-bodies.js";
import { type Graph, graphOfPattern } from "../graph/graph.js";
import { graphOfBodies } from "../graph/problem-graph.js";
import { type Partition, type PartitionMethod, type PartitionOptions, partition } from "./partition.js";
import type { PointOwners } from "./point-owners.js";

/** What a contact costs besides the blocks of its row, in blocks: its cone, its step, its place in sums. */
const CONTACT_BLOCKS = 24;

/** The tile of each block, by id. */
export function tilesOf({ layout, blocks }: Plan): Int32Array {
	const tile = new Int32Array(blocks);
	const { order, tileStart } = layout;
	for (let t = 0; t + 1 < tileStart.length; t += 1) {
		for (let at = tileStart[t]!; at < tileStart[t + 1]!; at += 1) tile[order[at]!] = t;
	}
	return tile;
}

/** What each contact costs its owner in an iteration: without rows of W as much as any other. */
function contactWeights({ coupling, problem }: Plan): Int32Array {
	if ("body" in coupling) return new Int32Array(problem.contacts).fill(1);
	return rowWeights(coupling.rowStart, problem.contacts);
}

/** The same with rows of W. */
export function rowWeights(rowStart: Int32Array, contacts: number): Int32Array {
	const weight = new Int32Array(contacts);
	for (let a = 0; a < contacts; a += 1) weight[a] = rowStart[a + 1]! - rowStart[a]! + CONTACT_BLOCKS;
	return weight;
}

/** Contacts joined where they couple, weighted by their cost; equality blocks are left out. */
function contactGraph(plan: Plan): Graph {
	const { coupling, problem } = plan;
	const { contacts } = problem;
	const vertexWeight = contactWeights(plan);
	if ("body" in coupling) return { ...graphOfBodies(coupling.body), vertexWeight };
	const graph = graphOfPattern(coupling.rowStart, coupling.column);
	const isAll = coupling.rowStart.length - 1 === contacts;
	return { ...(isAll ? graph : withoutEqualities(graph, contacts)), vertexWeight };
}

function withoutEqualities(graph: Graph, contacts: number): Omit<Graph, "vertexWeight"> {
	const start = new Int32Array(contacts + 1);
	const neighbour: number[] = [];
	for (let a = 0; a < contacts; a += 1) {
		for (let k = graph.start[a]!; k < graph.start[a + 1]!; k += 1) {
			if (graph.neighbour[k]! < contacts) neighbour.push(graph.neighbour[k]!);
		}
		start[a + 1] = neighbour.length;
	}
	return { vertices: contacts, start, neighbour: Int32Array.from(neighbour) };
}

/** Tiles joined where their contacts are, by as many edges as those have. */
function tileGraph(graph: Graph, tile: Int32Array, tiles: number): Graph {
	const vertexWeight = new Int32Array(tiles);
	const edges = Array.from({ length: tiles }, () => new Map<number, number>());
	for (let a = 0; a < graph.vertices; a += 1) {
		const own = tile[a]!;
		vertexWeight[own]! += graph.vertexWeight[a]!;
		for (let k = graph.start[a]!; k < graph.start[a + 1]!; k += 1) {
			const other = tile[graph.neighbour[k]!]!;
			if (other !== own) edges[own]!.set(other, (edges[own]!.get(other) ?? 0) + (graph.edgeWeight?.[k] ?? 1));
		}
	}
	const start = new Int32Array(tiles + 1);
	for (let t = 0; t < tiles; t += 1) start[t + 1] = start[t]! + edges[t]!.size;
	return {
		vertices: tiles,
		start,
		neighbour: Int32Array.from(edges.flatMap((map) => [...map.keys()])),
		vertexWeight,
		edgeWeight: Int32Array.from(edges.flatMap((map) => [...map.values()])),
	};
}

/** The mean point of each tile. */
function tilePoints(point: Float64Array, tile: Int32Array, tiles: number, contacts: number): Float64Array {
	const mean = new Float64Array(3 * tiles);
	const count = new Int32Array(tiles);
	for (let a = 0; a < contacts; a += 1) {
		count[tile[a]!]! += 1;
		for (let i = 0; i < 3; i += 1) mean[3 * tile[a]! + i]! += point[3 * a + i]!;
	}
	return mean.map((sum, i) => sum / count[Math.floor(i / 3)]!);
}

/** The rank that owns most of what the equality blocks couple with. */
function equalityOwner({ coupling, problem }: Plan, owner: Int32Array, ranks: number): number {
	const votes = new Int32Array(ranks);
	if (!("body" in coupling)) {
		for (let k = coupling.rowStart[problem.contacts]!; k < coupling.column.length; k += 1) {
			const other = coupling.column[k]!;
			if (other < problem.contacts) votes[owner[other]!]! += 1;
		}
	}
	return votes.indexOf(Math.max(...votes));
}

/** Contacts or tiles that are cut by their points alone, without their coupling. */
export function unjoined(vertexWeight: Int32Array): Graph {
	const vertices = vertexWeight.length;
	return { vertices, start: new Int32Array(vertices + 1), neighbour: new Int32Array(0), vertexWeight };
}

function tileWeights(weight: Int32Array, tile: Int32Array, tiles: number): Int32Array {
	const sum = new Int32Array(tiles);
	for (let a = 0; a < weight.length; a += 1) sum[tile[a]!]! += weight[a]!;
	return sum;
}

/** Whether points lie in more than one place. */
export function areApart(point: Float64Array): boolean {
	for (let i = 3; i < point.length; i += 1) if (point[i] !== point[i % 3]) return true;
	return false;
}

/**
 * Coordinates if contacts have any: their cuts have slightly larger borders, which are exchanged during other work, and take microseconds, while a
 * multilevel cut takes as long as a hundred sweeps over its contacts.
 */
function methodFor(asked: PartitionMethod, point: Float64Array | undefined): PartitionMethod {
	return asked === "auto" && point !== undefined && areApart(point) ? "rcb" : asked;
}

/** By bodies, where they are known. */
function costOf({ problem, layout }: Plan, isSingle: boolean): CutCost | undefined {
	const body = problem.rigid?.body ?? problem.geometry?.body;
	if (body === undefined) return undefined;
	return isSingle ? bodiesCut(body) : bodiesCut(body, layout.order, layout.tileStart);
}

export interface Owners {
	/** By block id, equality blocks behind the contacts. */
	readonly owner: Int32Array;
	/** The tile of each block. */
	readonly tile: Int32Array;
	/** Contacts joined where they couple: for reports. */
	readonly contacts: () => Graph;
	/** What was partitioned: contacts, or tiles of them. */
	readonly partition: Partition;
}

export interface OwnersOptions extends Omit<PartitionOptions, "points" | "cost"> {
	/** Owners by points that were found before the plan. */
	readonly known?: PointOwners | undefined;
}

export function ownersOf(plan: Plan, ranks: number, options: OwnersOptions = {}): Owners {
	const { contacts: count, geometry } = plan.problem;
	const { point } = geometry ?? {};
	const { method: asked = "auto", known, ...chosen } = options;
	const method = methodFor(asked, point);
	const tile = tilesOf(plan);
	const tiles = plan.layout.tileStart.length - 1 - (plan.blocks > count ? 1 : 0);
	// Tiles of one contact differ from contacts only in their order.
	const isSingle = tiles === count;
	const points = isSingle || point === undefined ? point : tilePoints(point, tile, tiles, count);
	const isOf = (owners: PointOwners) => owners.operator === plan.operator && owners.owner.length === count;
	const isKnown = known !== undefined && method === "rcb" && isSingle && count > ranks && isOf(known);
	const cut = (): Graph => {
		if (method === "rcb" || method === "sfc") {
			const weight = contactWeights(plan);
			return unjoined(isSingle ? weight : tileWeights(weight, tile, tiles));
		}
		const contacts = contactGraph(plan);
		return isSingle ? contacts : tileGraph(contacts, tile, tiles);
	};
	const make = (): Partition => {
		const cost = method === "rcb" ? costOf(plan, isSingle) : undefined;
		return partition(cut(), ranks, { ...chosen, method, ...(points && { points }), ...(cost && { cost }) });
	};
	const made: Partition = isKnown ? { owner: known.owner, parts: ranks, method, reason: "requested" } : make();
	const isChosen = method !== asked && made.method === method;
	const found = isChosen
		? { ...made, reason: "auto: contact points are known, and partitioning by them is fastest" }
		: made;
	const owner = new Int32Array(plan.blocks);
	for (let a = 0; a < count; a += 1) owner[a] = found.owner[isSingle ? a : tile[a]!]!;
	if (plan.blocks > count) owner.fill(equalityOwner(plan, owner, ranks), count);
	return { owner, tile, contacts: () => contactGraph(plan), partition: found };
}
