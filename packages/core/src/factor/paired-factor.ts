/** A sparse matrix of 3x3 blocks and its factors: two blocks of three make one of six (pairing.ts), which the kernels are fast at. */
import type { Arena } from "../kernels/arena.js";
import type { BlockFactor } from "./block-factor.js";
import { BlockLdlt } from "./block-ldlt.js";
import { BlockLu } from "./block-lu.js";
import { graphOf } from "./graph.js";
import { type Pairing, pairUp } from "./pairing.js";

export class PairedFactor {
	/** Where each block of the pattern begins in `a`, a column of it being six numbers. */
	readonly target: Int32Array;
	/** The same of the diagonal blocks, which are there whether the pattern has them or not. */
	readonly diagonal: Int32Array;
	readonly #factor: BlockFactor;
	readonly #blocks: number;
	readonly #pairing: Pairing;
	readonly #x: Float64Array;

	/** A pattern by rows. Of a symmetric matrix both sides are given. */
	constructor(arena: Arena, blocks: number, rowStart: Int32Array, column: Int32Array, isSymmetric: boolean) {
		this.#blocks = blocks;
		this.#pairing = pairUp(graphOf(blocks, rowStart, column));
		const { pairs, pair, half } = this.#pairing;
		const pattern = patternOfPairs(blocks, rowStart, column, this.#pairing);
		const Factor = isSymmetric ? BlockLdlt : BlockLu;
		const factor = new Factor(arena, pairs, pattern.start, pattern.column);
		const offset = (row: number, to: number, k: number) => 36 * factor.slot[k]! + 18 * half[to]! + 3 * half[row]!;
		this.target = new Int32Array(column.length);
		this.diagonal = new Int32Array(blocks);
		for (let i = 0; i < blocks; i += 1) {
			for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1)
				this.target[k] = offset(i, column[k]!, pattern.index[k]!);
			this.diagonal[i] = offset(i, i, pattern.start[pair[i]!]!);
		}
		this.#factor = factor;
		this.#x = new Float64Array(6 * pairs);
	}

	get flops(): number {
		return this.#factor.flops;
	}

	get factorBlocks(): number {
		return this.#factor.factorBlocks;
	}

	/** The numbers of the matrix; `clear` comes first. */
	get a(): Float64Array {
		return this.#factor.a.values;
	}

	/** Zeros, but for ones where a block has no partner. */
	clear(): void {
		const { a } = this;
		const { pairs, pair, half } = this.#pairing;
		a.fill(0);
		const isFull = new Uint8Array(pairs);
		for (let i = 0; i < this.#blocks; i += 1) if (half[i] === 1) isFull[pair[i]!] = 1;
		for (let i = 0; i < this.#blocks; i += 1) {
			if (isFull[pair[i]!] === 1) continue;
			for (let k = 3; k < 6; k += 1) a[this.diagonal[i]! + 7 * k] = 1;
		}
	}

	/** Factors what stands in `a`; false where a diagonal block has no inverse. */
	factor(): boolean {
		return this.#factor.factor();
	}

	/** x <- A^-1 x, three numbers per block. */
	solve(x: Float64Array): void {
		const { pair, half } = this.#pairing;
		const sixes = this.#x;
		sixes.fill(0);
		for (let i = 0; i < this.#blocks; i += 1) {
			for (let k = 0; k < 3; k += 1) sixes[6 * pair[i]! + 3 * half[i]! + k] = x[3 * i + k]!;
		}
		this.#factor.solve(sixes);
		for (let i = 0; i < this.#blocks; i += 1) {
			for (let k = 0; k < 3; k += 1) x[3 * i + k] = sixes[6 * pair[i]! + 3 * half[i]! + k]!;
		}
	}
}

/** The pattern of pairs, the diagonal first in each row, and which of its entries each entry of the blocks is part of. */
function patternOfPairs(
	blocks: number,
	rowStart: Int32Array,
	columns: Int32Array,
	{ pairs, pair }: Pairing,
): { start: Int32Array; column: Int32Array; index: Int32Array } {
	const members: number[][] = Array.from({ length: pairs }, () => []);
	for (let i = 0; i < blocks; i += 1) members[pair[i]!]!.push(i);
	const start = new Int32Array(pairs + 1);
	const column: number[] = [];
	const index = new Int32Array(columns.length);
	const place = new Int32Array(pairs).fill(-1);
	for (let p = 0; p < pairs; p += 1) {
		const first = column.length;
		const take = (to: number): number => {
			if (place[to]! < first) {
				place[to] = column.length;
				column.push(to);
			}
			return place[to]!;
		};
		take(p);
		for (const i of members[p]!) {
			for (let k = rowStart[i]!; k < rowStart[i + 1]!; k += 1) index[k] = take(pair[columns[k]!]!);
		}
		start[p + 1] = column.length;
	}
	return { start, column: Int32Array.from(column), index };
}
