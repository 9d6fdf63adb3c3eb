/** Rows of W as they are stored (system/sell-storage.ts), read block by block. */
import type { IntVector, Vector } from "../kernels/arena.js";

export interface StoredRows {
	readonly start: IntVector;
	readonly column: IntVector;
	readonly values: Vector;
}

export interface Entries {
	readonly start: Int32Array;
	/** Places of own blocks and ghosts. */
	readonly column: Int32Array;
	/** Where the block begins in the values of the rows; its numbers, by rows, are two apart. */
	readonly slot: Int32Array;
}

/** The blocks of each row, in the order of their ids; padding, which is zeros on the diagonal, is left out. */
export function entriesOf({ start, column, values }: StoredRows, blocks: number): Entries {
	const starts = new Int32Array(blocks + 1);
	const columns = new Int32Array(column.values.length);
	const slots = new Int32Array(column.values.length);
	let used = 0;
	for (let i = 0; i < blocks; i += 1) {
		const [pair, lane] = [i >> 1, i & 1];
		let hasDiagonal = false;
		for (let s = start.values[pair]!; s < start.values[pair + 1]!; s += 1) {
			const to = column.values[2 * s + lane]! / 24;
			if (to === i && (hasDiagonal || isZero(values.values, 18 * s + lane))) continue;
			hasDiagonal ||= to === i;
			columns[used] = to;
			slots[used] = 18 * s + lane;
			used += 1;
		}
		starts[i + 1] = used;
	}
	return { start: starts, column: columns.slice(0, used), slot: slots.slice(0, used) };
}

function isZero(values: Float64Array, at: number): boolean {
	for (let k = 0; k < 18; k += 2) if (values[at + k] !== 0) return false;
	return true;
}
