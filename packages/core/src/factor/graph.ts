/** An undirected graph: the neighbours of each vertex, not itself. */
export interface Graph {
	readonly vertices: number;
	readonly start: Int32Array;
	readonly neighbour: Int32Array;
}

/** The graph of a matrix: rows name their columns, in any order; an entry on one side is one on both. */
export function graphOf(rows: number, rowStart: Int32Array, column: Int32Array): Graph {
	const count = new Int32Array(rows + 1);
	const visit = (see: (i: number, j: number) => void): void => {
		for (let i = 0; i < rows; i += 1) {
			for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) if (column[k] !== i) see(i, column[k]!);
		}
	};
	visit((i, j) => {
		count[i + 1]! += 1;
		count[j + 1]! += 1;
	});
	for (let i = 0; i < rows; i += 1) count[i + 1]! += count[i]!;
	const both = new Int32Array(count[rows]!);
	const next = count.slice(0, rows);
	visit((i, j) => {
		both[next[i]!++] = j;
		both[next[j]!++] = i;
	});
	const start = new Int32Array(rows + 1);
	const seen = new Int32Array(rows).fill(-1);
	let used = 0;
	for (let i = 0; i < rows; i += 1) {
		for (let k = count[i]!; k < count[i + 1]!; k += 1) {
			const j = both[k]!;
			if (seen[j] === i) continue;
			seen[j] = i;
			both[used] = j;
			used += 1;
		}
		start[i + 1] = used;
	}
	return { vertices: rows, start, neighbour: both.slice(0, used) };
}
