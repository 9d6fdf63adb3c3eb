/**
 * W of a file of which the pattern was read and the values were not: whoever needs them reads them where they are needed. On ranks
 * each reads its own rows, and whoever shares the problem out never has any.
 */
import type { BlockMatrix } from "./problem.js";

/** What the file was when its pattern was read, as plain data: who reads values of it sees that it is the same still. */
export interface MatrixOrigin {
	/** From the root of the file system. */
	readonly path: string;
	readonly bytes: number;
	/** Milliseconds. */
	readonly modified: number;
	/** SHA-256 of its beginning. */
	readonly beginning: string;
}

export class UnreadMatrix implements BlockMatrix {
	readonly rows: number;
	readonly rowStart: Int32Array;
	readonly column: Int32Array;
	readonly origin: MatrixOrigin;
	readonly #read: () => Float64Array;
	#values: WeakRef<Float64Array> | undefined;

	constructor(pattern: Omit<BlockMatrix, "values">, origin: MatrixOrigin, read: () => Float64Array) {
		this.rows = pattern.rows;
		this.rowStart = pattern.rowStart;
		this.column = pattern.column;
		this.origin = origin;
		this.#read = read;
	}

	/** All values, read when they are asked for, and again where nobody has held them meanwhile. */
	get values(): Float64Array {
		const known = this.#values?.deref();
		if (known !== undefined) return known;
		const values = this.#read();
		this.#values = new WeakRef(values);
		return values;
	}
}

export function isUnread(matrix: object | undefined): matrix is UnreadMatrix {
	return matrix instanceof UnreadMatrix;
}
