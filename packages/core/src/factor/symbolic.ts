/** Where the blocks of L and U are: the pattern of A in the order of elimination, symmetric, with what elimination fills in. */
import type { Graph } from "./graph.js";

export interface Factors {
	readonly rows: number;
	/** Rows of L below the diagonal, columns in an order in which they can be eliminated; rows of U above it, columns ascending. */
	readonly lStart: Int32Array;
	readonly lColumn: Int32Array;
	readonly uStart: Int32Array;
	readonly uColumn: Int32Array;
}

/** `order` has the old numbers in the order of elimination. */
export function symbolic(graph: Graph, order: Int32Array): Factors {
	const rows = graph.vertices;
	const place = new Int32Array(rows);
	for (let k = 0; k < rows; k += 1) place[order[k]!] = k;
	const parent = new Int32Array(rows).fill(-1);
	const mark = new Int32Array(rows).fill(-1);
	const lStart = new Int32Array(rows + 1);
	const uCount = new Int32Array(rows);
	const columns: number[] = [];
	const path: number[] = [];
	const stack = new Int32Array(rows);
	for (let i = 0; i < rows; i += 1) {
		mark[i] = i;
		const old = order[i]!;
		let top = rows;
		for (let k = graph.start[old]!; k < graph.start[old + 1]!; k += 1) {
			// From each entry up the elimination tree, as far as nobody has come: what is above must be eliminated later.
			path.length = 0;
			for (let j = place[graph.neighbour[k]!]!; j < i && mark[j] !== i; j = parent[j]!) {
				if (parent[j]! < 0) parent[j] = i;
				path.push(j);
				mark[j] = i;
			}
			for (let p = path.length - 1; p >= 0; p -= 1) {
				top -= 1;
				stack[top] = path[p]!;
			}
		}
		for (let k = top; k < rows; k += 1) {
			columns.push(stack[k]!);
			uCount[stack[k]!]! += 1;
		}
		lStart[i + 1] = columns.length;
	}
	const uStart = new Int32Array(rows + 1);
	for (let i = 0; i < rows; i += 1) uStart[i + 1] = uStart[i]! + uCount[i]!;
	const uColumn = new Int32Array(columns.length);
	const next = uStart.slice(0, rows);
	for (let i = 0; i < rows; i += 1) {
		for (let k = lStart[i]!; k < lStart[i + 1]!; k += 1) uColumn[next[columns[k]!]!++] = i;
	}
	return { rows, lStart, lColumn: Int32Array.from(columns), uStart, uColumn };
}

/** Products of blocks that the elimination takes. */
export function eliminationProducts({ rows, lStart, uStart, lColumn }: Factors): number {
	let products = 0;
	for (let k = 0; k < lStart[rows]!; k += 1) products += 1 + uStart[lColumn[k]! + 1]! - uStart[lColumn[k]!]!;
	return products;
}

/** The same where one half is the other's transpose: of each row of U, the blocks from the one that is eliminated on. */
export function symmetricProducts({ rows, uStart }: Factors): number {
	let products = 0;
	for (let k = 0; k < rows; k += 1) {
		const blocks = uStart[k + 1]! - uStart[k]!;
		products += blocks + (blocks * (blocks + 1)) / 2;
	}
	return products;
}
