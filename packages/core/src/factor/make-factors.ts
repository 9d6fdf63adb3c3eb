/** Sparse factors for programs that have linear systems of blocks of their own: bodies with six degrees of freedom, contacts with three. */
import { InputError } from "../base/errors.js";
import { Arena } from "../kernels/arena.js";
import type { BlockFactor } from "./block-factor.js";
import { BlockLdlt } from "./block-ldlt.js";
import { BlockLu } from "./block-lu.js";
import { PairedFactor } from "./paired-factor.js";
import type { Factors } from "./symbolic.js";

export interface BlockPattern {
	readonly rows: number;
	/** Where the blocks of each row begin, and how many there are in all. */
	readonly rowStart: Int32Array;
	/** The diagonal is part of every row. */
	readonly column: Int32Array;
}

export interface FactorOptions {
	/** L D L^T in place of L U: half the work and memory. Both sides of the matrix are given; of two blocks across the diagonal one is read. */
	readonly symmetric?: boolean;
	/** Rows and columns of a block: 6 unless said. Blocks of 3 are factored by twos. */
	readonly size?: 3 | 6;
}

export interface BlockFactors {
	/** Multiplications and additions of a factorisation. */
	readonly flops: number;
	/** Blocks of 6x6 that are kept of the factors. */
	readonly factorBlocks: number;
	/** Factors new values, `size` times `size` numbers for each block of the pattern, by columns; false where a diagonal block has no inverse. */
	factor(values: Float64Array): boolean;
	/** x <- A^-1 x. */
	solve(x: Float64Array): void;
	/** Gives the memory back to the next solve of this thread; nothing of these factors is used afterwards. */
	close(): void;
}

/** Of blocks of six, for those who look into the factors. */
export interface OrderedFactors extends BlockFactors {
	/** Rows in the order of their elimination. */
	readonly order: Int32Array;
	/** Where L and U have blocks, in that order. */
	readonly pattern: Factors;
}

/** Throws where the pattern is none, and a MemoryLimitError where the factors of it take more than the 4 GiB that 32-bit addresses reach. */
export function makeFactors(pattern: BlockPattern, options: FactorOptions & { readonly size: 3 }): BlockFactors;
export function makeFactors(pattern: BlockPattern, options?: FactorOptions): OrderedFactors;
export function makeFactors(pattern: BlockPattern, { symmetric = false, size = 6 }: FactorOptions = {}): BlockFactors {
	check(pattern);
	const { rows, rowStart, column } = pattern;
	const arena = new Arena("wasm");
	try {
		if (size === 3) return ofThree(arena, new PairedFactor(arena, rows, rowStart, column, symmetric));
		const Factor = symmetric ? BlockLdlt : BlockLu;
		return ofSix(arena, new Factor(arena, rows, rowStart, column));
	} catch (error) {
		arena.release();
		throw error;
	}
}

function ofSix(arena: Arena, factor: BlockFactor): OrderedFactors {
	const { flops, factorBlocks, order, factors, slot, a } = factor;
	return {
		...{ flops, factorBlocks, order, pattern: factors },
		factor(values) {
			const numbers = a.values;
			for (let k = 0; k < slot.length; k += 1) {
				for (let e = 0, from = 36 * k, to = 36 * slot[k]!; e < 36; e += 1) numbers[to + e] = values[from + e]!;
			}
			return factor.factor();
		},
		solve: (x) => factor.solve(x),
		close: () => arena.release(),
	};
}

function ofThree(arena: Arena, factor: PairedFactor): BlockFactors {
	const { flops, factorBlocks, target } = factor;
	return {
		...{ flops, factorBlocks },
		factor(values) {
			factor.clear();
			const { a } = factor;
			for (let k = 0; k < target.length; k += 1) {
				for (let e = 0; e < 9; e += 1) a[target[k]! + 6 * Math.floor(e / 3) + (e % 3)] = values[9 * k + e]!;
			}
			return factor.factor();
		},
		solve: (x) => factor.solve(x),
		close: () => arena.release(),
	};
}

function check({ rows, rowStart, column }: BlockPattern): void {
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
}

function refuse(place: string, problem: string, remedy: string): InputError {
	return new InputError("pattern", place, problem, remedy);
}
