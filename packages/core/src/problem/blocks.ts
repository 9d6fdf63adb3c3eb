/**
 * 3x3 blocks out of scalar entries, and back. The blocks' places are made of the pattern alone; the values then stream in,
 * slice by slice in the order of the entries, so that a file's values never stand in memory twice.
 */
import { type BlockPattern, BlockPatternBuilder, type RefuseEntry, turn } from "./block-pattern.js";
import type { BlockMatrix, CsrMatrix } from "./problem.js";

/**
 * Takes compressed lines of scalars (three for each line of blocks, indices checked to be in range) into blocks with ascending
 * columns. Lines are rows, or the columns of the same matrix.
 */
export class BlockAssembly {
	readonly blocks: BlockMatrix;
	readonly #lineStart: Int32Array;
	readonly #index: Int32Array;
	/** Which blocks each line of blocks has, and where each stands among all. */
	readonly #pattern: BlockPattern;
	readonly #order: Int32Array | undefined;
	/** Where the blocks of the current line of blocks stand, by the other index. */
	readonly #place: Int32Array;
	#line = 0;

	/** `across` is what indices are below. */
	constructor(
		across: number,
		lineStart: Int32Array,
		index: Int32Array,
		refuse: RefuseEntry,
		lines: "rows" | "columns" = "rows",
	) {
		this.#lineStart = lineStart;
		this.#index = index;
		const builder = new BlockPatternBuilder(lineStart.length - 1, across, refuse);
		for (let line = 0; line + 1 < lineStart.length; line += 1) {
			builder.add(index.subarray(lineStart[line]!, lineStart[line + 1]!), lineStart[line]!);
		}
		this.#pattern = builder.finish();
		const turned = lines === "columns" ? turn(across / 3, this.#pattern) : undefined;
		this.#order = turned?.order;
		const { starts, columns } = turned ?? this.#pattern;
		const values = new Float64Array(9 * columns.length);
		this.blocks = { rows: starts.length - 1, rowStart: starts, column: columns, values };
		this.#place = new Int32Array(across / 3);
		this.#enter(0);
	}

	/** The next values, of entries `first` onwards; calls follow one another without a gap. */
	fill(values: Float64Array, first: number): void {
		const target = this.blocks.values;
		const [along, across] = this.#order === undefined ? [3, 1] : [1, 3];
		for (let k = 0; k < values.length; k += 1) {
			const entry = first + k;
			while (entry >= this.#lineStart[this.#line + 1]!) {
				this.#line += 1;
				if (this.#line % 3 === 0) this.#enter(this.#line / 3);
			}
			const index = this.#index[entry]!;
			const block = Math.floor(index / 3);
			target[9 * this.#place[block]! + along * (this.#line % 3) + across * (index - 3 * block)] = values[k]!;
		}
	}

	#enter(line: number): void {
		const { starts, columns } = this.#pattern;
		const end = starts[line + 1] ?? 0;
		for (let k = starts[line]!; k < end; k += 1) this.#place[columns[k]!] = this.#order?.[k] ?? k;
	}
}

/** Blocks of a square matrix whose size is a multiple of 3. */
export function blocksFromCsr(matrix: CsrMatrix, refuse: RefuseEntry): BlockMatrix {
	const assembly = new BlockAssembly(matrix.rows, matrix.rowStart, matrix.column, refuse);
	assembly.fill(matrix.values, 0);
	return assembly.blocks;
}

/** Scalars in compressed rows, explicit zeros of the blocks included. */
export function csrFromBlocks(matrix: BlockMatrix): CsrMatrix {
	const size = 3 * matrix.rows;
	const used = 9 * (matrix.rowStart[matrix.rows] ?? 0);
	const rowStart = new Int32Array(size + 1);
	const column = new Int32Array(used);
	const values = new Float64Array(used);
	let at = 0;
	for (let row = 0; row < size; row += 1) {
		const block = Math.floor(row / 3);
		const end = matrix.rowStart[block + 1]!;
		for (let k = matrix.rowStart[block]!; k < end; k += 1) {
			for (let j = 0; j < 3; j += 1, at += 1) {
				column[at] = 3 * matrix.column[k]! + j;
				values[at] = matrix.values[9 * k + 3 * (row - 3 * block) + j]!;
			}
		}
		rowStart[row + 1] = at;
	}
	return { rows: size, columns: size, rowStart, column, values };
}

/** The transpose, with ascending columns. */
export function transposeBlocks(matrix: BlockMatrix): BlockMatrix {
	const { rows } = matrix;
	const { starts, columns, order } = turn(rows, { starts: matrix.rowStart, columns: matrix.column });
	const values = new Float64Array(9 * order.length);
	for (let k = 0; k < order.length; k += 1) {
		for (let i = 0; i < 9; i += 1) values[9 * order[k]! + i] = matrix.values[9 * k + 3 * (i % 3) + Math.floor(i / 3)]!;
	}
	return { rows, rowStart: starts, column: columns, values };
}

/**
 * Scalars in compressed columns with ascending rows, explicit zeros of the blocks included. It is the transpose in compressed rows:
 * `rowStart` is where columns start, and `column` the row of each entry.
 */
export function columnsFromBlocks(matrix: BlockMatrix): CsrMatrix {
	const { rows } = matrix;
	const { starts, columns, order } = turn(rows, { starts: matrix.rowStart, columns: matrix.column });
	/** Which block of the matrix stands at each place of a column. */
	const blockAt = new Int32Array(order.length);
	for (let k = 0; k < order.length; k += 1) blockAt[order[k]!] = k;
	const rowStart = new Int32Array(3 * rows + 1);
	const column = new Int32Array(9 * order.length);
	const values = new Float64Array(9 * order.length);
	let at = 0;
	for (let line = 0; line < 3 * rows; line += 1) {
		const block = Math.floor(line / 3);
		for (let place = starts[block]!; place < starts[block + 1]!; place += 1) {
			const from = 9 * blockAt[place]! + line - 3 * block;
			for (let i = 0; i < 3; i += 1, at += 1) {
				column[at] = 3 * columns[place]! + i;
				values[at] = matrix.values[from + 3 * i]!;
			}
		}
		rowStart[line + 1] = at;
	}
	return { rows: 3 * rows, columns: 3 * rows, rowStart, column, values };
}

/** y = W x, each row in the order in which it is stored. */
export function multiplyBlocks(matrix: BlockMatrix, x: Float64Array, y: Float64Array): void {
	for (let row = 0; row < matrix.rows; row += 1) {
		const end = matrix.rowStart[row + 1]!;
		for (let i = 0; i < 3; i += 1) {
			let sum = 0;
			for (let k = matrix.rowStart[row]!; k < end; k += 1) {
				const at = 9 * k + 3 * i;
				const from = 3 * matrix.column[k]!;
				sum += matrix.values[at]! * x[from]!;
				sum += matrix.values[at + 1]! * x[from + 1]!;
				sum += matrix.values[at + 2]! * x[from + 2]!;
			}
			y[3 * row + i] = sum;
		}
	}
}

/** |W - W^T| / |W| in the Frobenius norm; gyroscopic terms make it 1e-5 to 2e-3 in real files. */
export function blockAsymmetry(matrix: BlockMatrix): number {
	const other = transposeBlocks(matrix);
	const used = 9 * (matrix.rowStart[matrix.rows] ?? 0);
	let largest = 0;
	for (let i = 0; i < used; i += 1) largest = Math.max(largest, Math.abs(matrix.values[i]!));
	if (largest === 0) return 0;
	const mirror = new Int32Array(matrix.rows).fill(-1);
	let difference = 0;
	let norm = 0;
	for (let a = 0; a < matrix.rows; a += 1) {
		for (let k = other.rowStart[a]!; k < other.rowStart[a + 1]!; k += 1) mirror[other.column[k]!] = k;
		for (let k = matrix.rowStart[a]!; k < matrix.rowStart[a + 1]!; k += 1) {
			const at = mirror[matrix.column[k]!]!;
			for (let i = 0; i < 9; i += 1) {
				const x = matrix.values[9 * k + i]! / largest;
				const y = at < 0 ? 0 : other.values[9 * at + i]! / largest;
				norm += x * x;
				// Without a mirror the block of the transpose is met nowhere else.
				difference += (at < 0 ? 2 : 1) * (x - y) * (x - y);
			}
		}
		for (let k = other.rowStart[a]!; k < other.rowStart[a + 1]!; k += 1) mirror[other.column[k]!] = -1;
	}
	return Math.sqrt(difference / norm);
}
