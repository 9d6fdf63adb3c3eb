/** Which 3x3 blocks a matrix has, of the indices of its scalar entries: line by line, so that no more than a line has to be there at a time. */

/** Says what is wrong with an entry of the pattern; the reader knows the place's name. */
export type RefuseEntry = (entry: number, problem: string, remedy: string) => never;

/** Line by line of blocks, ascending. */
export interface BlockPattern {
	readonly starts: Int32Array;
	readonly columns: Int32Array;
}

/** Room for the first blocks; it doubles. */
const BLOCKS_MIN = 1024;

export class BlockPatternBuilder {
	readonly #starts: Int32Array;
	#columns = new Int32Array(BLOCKS_MIN);
	#count = 0;
	/** The scalar line that comes next. */
	#line = 0;
	/** By index the last scalar line that named it, and by block the last line of blocks. */
	readonly #lastLine: Int32Array;
	readonly #lastBlock: Int32Array;
	readonly #refuse: RefuseEntry;

	/** Numbers of scalar lines, and of what their indices are below; both are multiples of three. */
	constructor(lines: number, across: number, refuse: RefuseEntry) {
		this.#starts = new Int32Array(lines / 3 + 1);
		this.#lastLine = new Int32Array(across).fill(-1);
		this.#lastBlock = new Int32Array(across / 3).fill(-1);
		this.#refuse = refuse;
	}

	/** The next scalar line, whose first entry is number `entry` of all. */
	add(index: Int32Array, entry: number): void {
		const line = this.#line;
		const row = Math.floor(line / 3);
		this.#line += 1;
		for (let k = 0; k < index.length; k += 1) {
			const at = index[k]!;
			if (this.#lastLine[at] === line) {
				const remedy = "add up the two entries, or write triplets";
				this.#refuse(entry + k, `names column ${at} a second time in line ${line}`, remedy);
			}
			this.#lastLine[at] = line;
			const block = Math.floor(at / 3);
			if (this.#lastBlock[block] === row) continue;
			this.#lastBlock[block] = row;
			if (this.#count === this.#columns.length) this.#grow();
			this.#columns[this.#count] = block;
			this.#count += 1;
		}
		if (line % 3 < 2) return;
		this.#columns.subarray(this.#starts[row]!, this.#count).sort();
		this.#starts[row + 1] = this.#count;
	}

	/** When all lines have been added. */
	finish(): BlockPattern {
		return { starts: this.#starts, columns: this.#columns.slice(0, this.#count) };
	}

	#grow(): void {
		const larger = new Int32Array(2 * this.#columns.length);
		larger.set(this.#columns);
		this.#columns = larger;
	}
}

/** The other way round, ascending too, and where each block of the given lines stands in it; `across` is the number of lines it gets. */
export function turn(across: number, { starts, columns }: BlockPattern): BlockPattern & { readonly order: Int32Array } {
	const rows = starts.length - 1;
	const count = starts[rows] ?? 0;
	const turned = new Int32Array(across + 1);
	for (let k = 0; k < count; k += 1) turned[columns[k]! + 1]! += 1;
	for (let line = 0; line < across; line += 1) turned[line + 1]! += turned[line]!;
	const next = turned.slice(0, across);
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
