/** Sparse factors for programs that have linear systems of 6x6 blocks of their own, such as bodies with six degrees of freedom. */
import { InputError } from "../base/errors.js";
import { Arena } from "../kernels/arena.js";
import { BlockLu } from "./block-lu.js";
import type { Factors } from "./symbolic.js";

export interface BlockPattern {
	readonly rows: number;
	/** Where the blocks of each row begin, and how many there are in all. */
	readonly rowStart: Int32Array;
	/** The diagonal is part of every row. */
	readonly column: Int32Array;
}

export interface BlockFactors {
	/** Multiplications and additions of a factorisation. */
	readonly flops: number;
	/** Rows in the order of their elimination. */
	readonly order: Int32Array;
	/** Where L and U have blocks, in that order. */
	readonly pattern: Factors;
	/** Factors new values, 36 numbers for each block of the pattern, by columns; false where a diagonal block has no inverse. */
	factor(values: Float64Array): boolean;
	/** x <- A^-1 x. */
	solve(x: Float64Array): void;
}

/** Throws where the pattern is none. */
export function makeFactors({ rows, rowStart, column }: BlockPattern): BlockFactors {
	const used = rowStart[rows] ?? -1;
	const isPattern = rowStart.length === rows + 1 && rowStart[0] === 0 && used === column.length;
	if (!isPattern)
		throw refuse(
			"rowStart",
			"does not fit the columns",
			"give rows + 1 places, the last one being the number of blocks",
		);
	for (let i = 0; i < rows; i += 1) {
		let hasDiagonal = false;
		for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) {
			const to = column[k]!;
			if (!(to >= 0 && to < rows)) throw refuse(`column[${k}]`, `${to} is not a row`, `give 0 to ${rows - 1}`);
			hasDiagonal ||= to === i;
		}
		if (!hasDiagonal) throw refuse(`row ${i}`, "has no diagonal block", "give one, of zeros if need be");
	}
	const lu = new BlockLu(new Arena("wasm"), rows, rowStart, column);
	return {
		flops: lu.flops,
		order: lu.order,
		pattern: lu.factors,
		factor(values) {
			for (let k = 0; k < used; k += 1) {
				lu.a.values.set(values.subarray(36 * k, 36 * (k + 1)), 36 * lu.slot[k]!);
			}
			return lu.factor();
		},
		solve: (x) => lu.solve(x),
	};
}

function refuse(place: string, problem: string, remedy: string): InputError {
	return new InputError("pattern", place, problem, remedy);
}
