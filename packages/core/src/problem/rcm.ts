/**
 * Reverse Cuthill-McKee: an order of the unknowns that keeps a matrix's entries near its diagonal, one connected component after
 * another. (E. Cuthill, J. McKee 1969; reversed by A. George 1971; the start after N. Gibbs, W. Poole, P. Stockmeyer 1976: the
 * far end of a breadth-first search, repeated.)
 */
import { transposeCsr } from "./csr.js";
import type { CsrMatrix } from "./problem.js";

export interface Ordering {
	/** Old index of each new one. */
	readonly order: Int32Array;
	/** Where each connected component starts in `order`; components + 1 entries. */
	readonly componentStart: Int32Array;
}

/** Searches for a far end; more of them hardly improve the profile. */
const STARTS = 2;

export function reverseCuthillMckee(matrix: CsrMatrix): Ordering {
	const size = matrix.rows;
	const graph = new Graph(matrix);
	const order = new Int32Array(size);
	const starts = [0];
	let filled = 0;
	for (let seed = 0; seed < size; seed += 1) {
		if (graph.done[seed] === 1) continue;
		let root = seed;
		for (let round = 0; round < STARTS; round += 1) root = graph.farEnd(root, order, filled);
		const count = graph.search(root, order, filled, true);
		for (let k = filled; k < filled + count; k += 1) graph.done[order[k]!] = 1;
		order.subarray(filled, filled + count).reverse();
		filled += count;
		starts.push(filled);
	}
	return { order, componentStart: Int32Array.from(starts) };
}

/** Neighbours by rows and by columns: the pattern of A + A^T without building it. */
class Graph {
	readonly done: Uint8Array;
	readonly #lists: readonly CsrMatrix[];
	readonly #degree: Int32Array;
	readonly #stamp: Int32Array;
	readonly #level: Int32Array;
	#stamps = 0;

	constructor(matrix: CsrMatrix) {
		const other = transposeCsr(matrix);
		this.#lists = [matrix, other];
		this.done = new Uint8Array(matrix.rows);
		this.#stamp = new Int32Array(matrix.rows);
		this.#level = new Int32Array(matrix.rows);
		const lengthOf = (list: CsrMatrix, row: number): number => list.rowStart[row + 1]! - list.rowStart[row]!;
		this.#degree = Int32Array.from({ length: matrix.rows }, (_, row) => lengthOf(matrix, row) + lengthOf(other, row));
	}

	/** Breadth first from `root` into `queue` at `from`; neighbours by ascending degree where `sorted`. Returns how many were found. */
	search(root: number, queue: Int32Array, from: number, sorted: boolean): number {
		this.#stamps += 1;
		this.#stamp[root] = this.#stamps;
		this.#level[root] = 0;
		queue[from] = root;
		let end = from + 1;
		for (let head = from; head < end; head += 1) {
			const node = queue[head]!;
			const begin = end;
			for (const list of this.#lists) {
				const last = list.rowStart[node + 1]!;
				for (let k = list.rowStart[node]!; k < last; k += 1) {
					const neighbour = list.column[k]!;
					if (this.#stamp[neighbour] === this.#stamps) continue;
					this.#stamp[neighbour] = this.#stamps;
					this.#level[neighbour] = this.#level[node]! + 1;
					queue[end] = neighbour;
					end += 1;
				}
			}
			if (sorted && end - begin > 1)
				queue.subarray(begin, end).sort((a, b) => this.#degree[a]! - this.#degree[b]! || a - b);
		}
		return end - from;
	}

	/** The node of least degree among those farthest from `root`. */
	farEnd(root: number, queue: Int32Array, from: number): number {
		const count = this.search(root, queue, from, false);
		let best = queue[from + count - 1]!;
		for (let k = from + count - 1; k >= from; k -= 1) {
			const node = queue[k]!;
			if (this.#level[node]! < this.#level[best]!) break;
			if (this.#degree[node]! < this.#degree[best]!) best = node;
		}
		return best;
	}
}
