/**
 * Refinement that climbs out of local minima: from one vertex on a boundary at a time, moves spread to its neighbours, best first even if the cut grows for
 * a while, and moves that did not pay are undone (C. Fiduccia, R. Mattheyses 1982; localised as in P. Sanders, C. Schulz 2011, multi-try FM). Each vertex
 * moves at most once a round, so that a round ends.
 */
import type { Random } from "@stickslip/core";
import { VertexHeap } from "./heap.js";
import type { Parts } from "./parts.js";

/** Moves without a better cut after which a search gives up. */
const PATIENCE = 15;
/** A round that gains less than this share of what was gained in the first is the last. */
const ROUND_GAIN_MIN = 0.04;

export class LocalSearch {
	readonly #heap: VertexHeap;
	/** The round in which a vertex moved last. */
	readonly #movedIn: Int32Array;
	readonly #moved: Int32Array;
	readonly #cameFrom: Int32Array;
	#round = 0;

	constructor(
		readonly parts: Parts,
		readonly random: Random,
	) {
		const { vertices } = parts.graph;
		this.#heap = new VertexHeap(vertices);
		this.#movedIn = new Int32Array(vertices);
		this.#moved = new Int32Array(vertices);
		this.#cameFrom = new Int32Array(vertices);
	}

	/** Returns what was gained in all. */
	run(rounds: number): number {
		let total = 0;
		let first = 0;
		for (let round = 0; round < rounds; round += 1) {
			const gained = this.#once();
			total += gained;
			if (round === 0) first = gained;
			if (gained <= ROUND_GAIN_MIN * first) break;
		}
		return total;
	}

	#once(): number {
		const { parts } = this;
		this.#round += 1;
		let boundary = 0;
		const starts = new Int32Array(parts.graph.vertices);
		for (let v = 0; v < starts.length; v += 1) {
			if (!parts.isBoundary(v)) continue;
			starts[boundary] = v;
			boundary += 1;
		}
		let gained = 0;
		for (const v of this.random.shuffle(starts.subarray(0, boundary))) {
			if (this.#movedIn[v] !== this.#round && parts.isBoundary(v)) gained += this.#search(v);
		}
		return gained;
	}

	#search(from: number): number {
		const { parts } = this;
		const heap = this.#heap;
		this.#consider(from);
		let moves = 0;
		let kept = 0;
		let sum = 0;
		let best = 0;
		while (heap.size > 0 && moves - kept < PATIENCE) {
			const v = heap.pop();
			parts.look(v);
			const { target, gain } = parts;
			if (target < 0) continue;
			// Others have moved since: it may no longer be the best.
			if (gain < heap.topKey()) {
				heap.set(v, gain);
				continue;
			}
			const own = parts.owner[v]!;
			const weight = parts.graph.vertexWeight[v]!;
			const evens = parts.weight[own]! - parts.weight[target]! > weight;
			this.#movedIn[v] = this.#round;
			this.#moved[moves] = v;
			this.#cameFrom[moves] = own;
			moves += 1;
			parts.move(v, target);
			sum += gain;
			if (sum > best || (sum === best && evens && moves === kept + 1)) {
				best = sum;
				kept = moves;
			}
			this.#spread(v);
		}
		heap.clear();
		for (let k = moves - 1; k >= kept; k -= 1) parts.move(this.#moved[k]!, this.#cameFrom[k]!);
		return best;
	}

	/** The neighbours of a moved vertex have new gains. */
	#spread(vertex: number): void {
		const { start, neighbour } = this.parts.graph;
		const end = start[vertex + 1]!;
		for (let k = start[vertex]!; k < end; k += 1) {
			const other = neighbour[k]!;
			if (this.#movedIn[other] !== this.#round) this.#consider(other);
		}
	}

	#consider(vertex: number): void {
		this.parts.look(vertex);
		if (this.parts.target >= 0) this.#heap.set(vertex, this.parts.gain);
		else this.#heap.remove(vertex);
	}
}
