/** Where the diagonal blocks of a matrix stand, and what they are: looked for once for a pattern, and taken for all of its values. */
import type { BlockMatrix } from "./problem.js";

export interface DiagonalPlaces {
	/** By row, counted in blocks; -1 where a row has no such block. */
	readonly at: Int32Array;
	/** Whether the columns of all rows ascend and are there: then none is named twice, and none has to be looked at again. */
	readonly isPlain: boolean;
}

/** In one walk over all columns. */
export function diagonalPlaces({ rows, rowStart, column }: BlockMatrix): DiagonalPlaces {
	const at = new Int32Array(rows).fill(-1);
	let isPlain = true;
	for (let row = 0, k = 0; row < rows; row += 1) {
		let before = -1;
		for (const end = rowStart[row + 1]!; k < end; k += 1) {
			const b = column[k]!;
			if (b <= before) isPlain = false;
			before = b;
			if (b === row) at[row] = k;
		}
		if (before >= rows) isPlain = false;
	}
	return { at, isPlain };
}

/** Nine values per row, of the blocks at these places; zeros where there is none. */
export function blocksAt(
	values: Float64Array,
	places: Int32Array,
	blocks: Float64Array = new Float64Array(9 * places.length),
): Float64Array {
	for (let row = 0, to = 0; row < places.length; row += 1, to += 9) {
		const from = 9 * places[row]!;
		if (from < 0) {
			blocks.fill(0, to, to + 9);
			continue;
		}
		blocks[to] = values[from]!;
		blocks[to + 1] = values[from + 1]!;
		blocks[to + 2] = values[from + 2]!;
		blocks[to + 3] = values[from + 3]!;
		blocks[to + 4] = values[from + 4]!;
		blocks[to + 5] = values[from + 5]!;
		blocks[to + 6] = values[from + 6]!;
		blocks[to + 7] = values[from + 7]!;
		blocks[to + 8] = values[from + 8]!;
	}
	return blocks;
}

/** The diagonal blocks of a matrix, nine values per row. */
export function diagonalOf(matrix: BlockMatrix): Float64Array {
	return blocksAt(matrix.values, diagonalPlaces(matrix).at);
}
