/**
 * Makes too heavy parts lighter at the least cost in cut: first over their boundaries to neighbours with room, then, where all neighbours
 * are full, to the lightest part anywhere. Each vertex moves at most once, so that it ends even where no balance can be had.
 */
import { VertexHeap } from "./heap.js";
import type { Parts } from "./parts.js";

export function rebalance(parts: Parts): void {
	if (parts.fullness() <= 1) return;
	const hasMoved = new Uint8Array(parts.graph.vertices);
	overBoundaries(parts, hasMoved);
	if (parts.fullness() > 1) anywhere(parts, hasMoved);
}

const isHeavy = ({ weight, limit }: Parts, part: number): boolean => weight[part]! > limit[part]!;

function overBoundaries(parts: Parts, hasMoved: Uint8Array): void {
	const { start, neighbour, vertices, vertexWeight } = parts.graph;
	const { owner } = parts;
	const heap = new VertexHeap(vertices);
	const consider = (v: number): void => {
		if (hasMoved[v] === 1 || !isHeavy(parts, owner[v]!) || vertexWeight[v] === 0) return;
		parts.look(v);
		if (parts.target >= 0) heap.set(v, priority(parts.gain, vertexWeight[v]!));
		else heap.remove(v);
	};
	for (let v = 0; v < vertices; v += 1) consider(v);
	while (heap.size > 0) {
		const v = heap.pop();
		if (!isHeavy(parts, owner[v]!)) continue;
		parts.look(v);
		if (parts.target < 0) continue;
		const key = priority(parts.gain, vertexWeight[v]!);
		if (key < heap.topKey()) {
			heap.set(v, key);
			continue;
		}
		hasMoved[v] = 1;
		parts.move(v, parts.target);
		const end = start[v + 1]!;
		for (let k = start[v]!; k < end; k += 1) consider(neighbour[k]!);
	}
}

/** A loss counts per weight that is moved, a gain in full. */
function priority(gain: number, weight: number): number {
	return gain >= 0 ? gain * weight : gain / weight;
}

/** Vertices of heavy parts, least joined to their own first, to the lightest part; only where the receiver stays lighter than the giver was. */
function anywhere(parts: Parts, hasMoved: Uint8Array): void {
	const { vertices, vertexWeight } = parts.graph;
	const { owner, weight, limit, count } = parts;
	const heap = new VertexHeap(vertices);
	for (let v = 0; v < vertices; v += 1) {
		if (hasMoved[v] === 1 || !isHeavy(parts, owner[v]!) || vertexWeight[v] === 0) continue;
		parts.look(v);
		heap.set(v, parts.target >= 0 ? parts.gain : -vertexWeight[v]!);
	}
	while (heap.size > 0) {
		const v = heap.pop();
		const own = owner[v]!;
		if (!isHeavy(parts, own)) continue;
		let lightest = 0;
		for (let p = 1; p < count; p += 1) if (weight[p]! / limit[p]! < weight[lightest]! / limit[lightest]!) lightest = p;
		if ((weight[lightest]! + vertexWeight[v]!) / limit[lightest]! >= weight[own]! / limit[own]!) continue;
		parts.move(v, lightest);
	}
}
