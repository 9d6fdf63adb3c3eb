/**
 * 3x3 blocks out of scalar entries, and back. The blocks' places are made of the pattern alone; the values then stream in,
 * slice by slice in the order of the entries, so that a file's values never stand in memory twice.
 */
import type { BlockMatrix, CsrMatrix } from "./problem.js";

/** Says what is wrong with an entry of the pattern; the reader knows the place's name. */
export type Refuse = (entry: number, problem: string, remedy: string) => never;

/**
 * Takes compressed lines of scalars (as many as three times the blocks' rows, indices checked to be in range) into blocks with ascending
 * columns. Lines are rows, or the columns of the same matrix.
 */
export class BlockAssembly {
	readonly blocks: BlockMatrix;
	readonly #lineStart: Int32Array;
	readonly #index: Int32Array;
	/** Which blocks each line of blocks has, and where each stands among all. */
	readonly #pattern: Pattern;
	readonly #order: Int32Array | undefined;
	/** Where the blocks of the current line of blocks stand, by the other index. */
	readonly #place: Int32Array;
	#line = 0;

	constructor(
		size: number,
		lineStart: Int32Array,
		index: Int32Array,
		refuse: Refuse,
		lines: "rows" | "columns" = "rows",
	) {
		this.#lineStart = lineStart;
		this.#index = index;
		refuseDuplicates(size, lineStart, index, refuse);
		const rows = size / 3;
		this.#pattern = blockPattern(rows, lineStart, index);
		const turned = lines === "columns" ? turn(rows, this.#pattern) : undefined;
		this.#order = turned?.order;
		const { starts, columns } = turned ?? this.#pattern;
		this.blocks = { rows, rowStart: starts, column: columns, values: new Float64Array(9 * columns.length) };
		this.#place = new Int32Array(rows);
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

function refuseDuplicates(rows: number, rowStart: Int32Array, column: Int32Array, refuse: Refuse): void {
	const lastRow = new Int32Array(rows).fill(-1);
	for (let row = 0; row < rows; row += 1) {
		const end = rowStart[row + 1]!;
		for (let k = rowStart[row]!; k < end; k += 1) {
			if (lastRow[column[k]!] === row) {
				refuse(
					k,
					`names column ${column[k]} a second time in line ${row}`,
					"add up the two entries, or write triplets",
				);
			}
			lastRow[column[k]!] = row;
		}
	}
}

/** Which blocks there are, line by line. */
interface Pattern {
	readonly starts: Int32Array;
	readonly columns: Int32Array;
}

/** Which blocks there are: counted, then listed, then sorted, each linear but for the sort of one row's few blocks. */
function blockPattern(rows: number, rowStart: Int32Array, column: Int32Array): Pattern {
	const starts = new Int32Array(rows + 1);
	const seen = new Int32Array(rows).fill(-1);
	const forEach = (row: number, visit: (block: number) => void): void => {
		const end = rowStart[3 * row + 3]!;
		for (let k = rowStart[3 * row]!; k < end; k += 1) {
			const block = Math.floor(column[k]! / 3);
			if (seen[block] === row) continue;
			seen[block] = row;
			visit(block);
		}
	};
	let count = 0;
	for (let row = 0; row < rows; row += 1) {
		forEach(row, () => {
			count += 1;
		});
		starts[row + 1] = count;
	}
	const columns = new Int32Array(count);
	seen.fill(-1);
	count = 0;
	for (let row = 0; row < rows; row += 1) {
		forEach(row, (block) => {
			columns[count] = block;
			count += 1;
		});
		columns.subarray(starts[row]!, count).sort();
	}
	return { starts, columns };
}

/** Blocks of a square matrix whose size is a multiple of 3. */
export function blocksFromCsr(matrix: CsrMatrix, refuse: Refuse): BlockMatrix {
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

/** The other way round, ascending too, and where each block of the given lines stands in it. */
function turn(rows: number, { starts, columns }: Pattern): Pattern & { readonly order: Int32Array } {
	const count = starts[rows] ?? 0;
	const turned = new Int32Array(rows + 1);
	for (let k = 0; k < count; k += 1) turned[columns[k]! + 1]! += 1;
	for (let row = 0; row < rows; row += 1) turned[row + 1]! += turned[row]!;
	const next = turned.slice(0, rows);
	const order = new Int32Array(count);
	const lines = new Int32Array(count);
	for (let row = 0; row < rows; row += 1) {
		const end = starts[row + 1]!;
		for (let k = starts[row]!; k < end; k += 1) {
			const at = next[columns[k]!]!;
			next[columns[k]!] = at + 1;
			lines[at] = row;
			order[k] = at;
		}
	}
	return { starts: turned, columns: lines, order };
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
