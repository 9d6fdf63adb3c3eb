/** A clique of a pattern, found greedily: no colouring has fewer colours than it has blocks. */
import { idsByKey } from "./colouring-order.js";
import type { Neighbours } from "./colouring-pattern.js";

/**
 * Neighbours looked at, in multiples of those that there are: after these the largest clique so far has to do. Blocks of the most
 * neighbours come first, and all patterns of the shared data and of piles show their largest among them.
 */
const WORK_MAX = 2;

/** Blocks of the largest clique found: from one block after another by falling degree, until none can be in a larger one. */
export function cliqueSize(neighbours: Neighbours): number {
	const search = new CliqueSearch(neighbours);
	const { blocks, degreeMax } = neighbours;
	const budget = WORK_MAX * (blocks + neighbours.list.length);
	const byFallingDegree = idsByKey(
		Int32Array.from({ length: blocks }, (_, a) => degreeMax - neighbours.degree(a)),
		degreeMax,
	);
	let most = 0;
	for (const a of byFallingDegree) {
		if (neighbours.degree(a) + 1 <= most || search.work > budget) break;
		most = Math.max(most, search.around(a));
	}
	return most;
}

class CliqueSearch {
	work = 0;
	readonly #neighbours: Neighbours;
	/** The block around which this one was last a candidate. */
	readonly #candidateOf: Int32Array;
	/** Of a candidate: how many candidates it couples with, then how many blocks of the clique. */
	readonly #count: Int32Array;

	constructor(neighbours: Neighbours) {
		this.#neighbours = neighbours;
		this.#candidateOf = new Int32Array(neighbours.blocks).fill(-1);
		this.#count = new Int32Array(neighbours.blocks);
	}

	/** Takes neighbours of a into its clique, those first that couple with most of the others; returns its size. */
	around(a: number): number {
		const { start, list } = this.#neighbours;
		const count = this.#count;
		const candidates = list.slice(start[a]!, start[a + 1]!);
		for (const b of candidates) {
			this.#candidateOf[b] = a;
			count[b] = 0;
		}
		for (const b of candidates) this.#countAround(a, b);
		candidates.sort((b, c) => count[c]! - count[b]! || b - c);
		for (const b of candidates) count[b] = 0;
		let size = 1;
		for (const b of candidates) {
			// One less than the clique has: a itself is not counted.
			if (count[b]! < size - 1) continue;
			size += 1;
			this.#countAround(a, b);
		}
		return size;
	}

	/** Adds b to the counts of its neighbours among the candidates around a. */
	#countAround(a: number, b: number): void {
		const { start, list } = this.#neighbours;
		const candidateOf = this.#candidateOf;
		const count = this.#count;
		const to = start[b + 1]!;
		for (let k = start[b]!; k < to; k += 1) {
			const c = list[k]!;
			if (candidateOf[c] === a) count[c]! += 1;
		}
		this.work += to - start[b]!;
	}
}
