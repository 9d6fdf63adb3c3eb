/**
 * Blocks of three by twos, for factors of 6x6 blocks: neighbours that have most neighbours in common go together, so that the pattern of the
 * pairs has little more in it than that of the blocks. What finds no partner has a place to itself.
 */
import type { Graph } from "./graph.js";

/** The pair of each vertex, and whether it is the second of it. */
export interface Pairing {
	readonly pairs: number;
	readonly pair: Int32Array;
	readonly half: Uint8Array;
}

export function pairUp({ vertices, start, neighbour }: Graph): Pairing {
	const pair = new Int32Array(vertices).fill(-1);
	const half = new Uint8Array(vertices);
	const mark = new Int32Array(vertices).fill(-1);
	let pairs = 0;
	for (let i = 0; i < vertices; i += 1) {
		if (pair[i]! >= 0) continue;
		mark[i] = i;
		for (let k = start[i]!; k < start[i + 1]!; k += 1) mark[neighbour[k]!] = i;
		let best = -1;
		let bestShare = -1;
		for (let k = start[i]!; k < start[i + 1]!; k += 1) {
			const j = neighbour[k]!;
			if (pair[j]! >= 0) continue;
			let common = 0;
			for (let l = start[j]!; l < start[j + 1]!; l += 1) if (mark[neighbour[l]!] === i) common += 1;
			const all = start[i + 1]! - start[i]! + start[j + 1]! - start[j]!;
			if (common / all > bestShare) [best, bestShare] = [j, common / all];
		}
		pair[i] = pairs;
		if (best >= 0) {
			pair[best] = pairs;
			half[best] = 1;
		}
		pairs += 1;
	}
	return { pairs, pair, half };
}
