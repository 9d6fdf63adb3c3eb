/**
 * A sparse matrix of 6x6 blocks and its factors in a solve's memory: ordered and analysed once, factored for new values as often as they come.
 * Memory ends at 4 GiB (a MemoryLimitError says so): some 14 million blocks of A and the factors together.
 */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import { graphOf } from "./graph.js";
import { minimumDegree } from "./minimum-degree.js";
import { type Factors, symbolic } from "./symbolic.js";

/** Where blocks stand in the order of elimination, for kernels. */
export interface StoredPattern {
	readonly aStart: IntVector;
	readonly aColumn: IntVector;
	readonly lStart: IntVector;
	readonly lColumn: IntVector;
	readonly uStart: IntVector;
	readonly uColumn: IntVector;
}

export abstract class BlockFactor {
	readonly rows: number;
	/** Block `slot[k]` of `a` is the k-th of the pattern that was given; 36 numbers by columns. */
	readonly slot: Int32Array;
	readonly a: Vector;
	/** Multiplications and additions of the factorisation. */
	abstract readonly flops: number;
	/** Blocks that are kept: L and U together, or the one half of them, the diagonal included. */
	abstract readonly factorBlocks: number;
	/** Old row of each new one. */
	readonly order: Int32Array;
	/** Where L and U have blocks. */
	readonly factors: Factors;
	protected readonly arena: Arena;
	protected readonly pattern: StoredPattern;
	/** Inverses of the diagonal blocks of U. */
	protected readonly d: Vector;
	readonly #x: Vector;

	/** A pattern by rows, of which the diagonal is part; an entry on one side has room on the other too. */
	constructor(arena: Arena, rows: number, rowStart: Int32Array, column: Int32Array) {
		const graph = graphOf(rows, rowStart, column);
		const order = minimumDegree(graph);
		const factors: Factors = symbolic(graph, order);
		const place = new Int32Array(rows);
		for (let k = 0; k < rows; k += 1) place[order[k]!] = k;
		const used = rowStart[rows]!;
		const aStart = new Int32Array(rows + 1);
		const aColumn = new Int32Array(used);
		this.slot = new Int32Array(used);
		let to = 0;
		for (let i = 0; i < rows; i += 1) {
			for (let k = rowStart[order[i]!]!; k < rowStart[order[i]! + 1]!; k += 1) {
				this.slot[k] = to;
				aColumn[to] = place[column[k]!]!;
				to += 1;
			}
			aStart[i + 1] = to;
		}
		const copyOf = (values: Int32Array): IntVector => {
			const copy = arena.integerRoom(values.length);
			copy.values.set(values);
			return copy;
		};
		const { lStart, lColumn, uStart, uColumn } = factors;
		this.pattern = {
			aStart: copyOf(aStart),
			aColumn: copyOf(aColumn),
			lStart: copyOf(lStart),
			lColumn: copyOf(lColumn),
			uStart: copyOf(uStart),
			uColumn: copyOf(uColumn),
		};
		this.rows = rows;
		this.arena = arena;
		this.order = order;
		this.factors = factors;
		this.a = arena.room(36 * used);
		this.d = arena.room(36 * rows);
		this.#x = arena.room(6 * rows);
	}

	/** Factors what stands in `a`; false where a diagonal block has no inverse. */
	abstract factor(): boolean;

	/** The vector at x in the order of elimination <- A^-1 times it. */
	protected abstract solveSorted(x: number): void;

	/** x <- A^-1 x, six numbers per row in the order that was given. */
	solve(x: Float64Array): void {
		const { order, rows } = this;
		const sorted = this.#x.values;
		for (let k = 0; k < rows; k += 1) {
			for (let i = 0, from = 6 * order[k]!; i < 6; i += 1) sorted[6 * k + i] = x[from + i]!;
		}
		this.solveSorted(this.#x.at);
		for (let k = 0; k < rows; k += 1) {
			for (let i = 0, to = 6 * order[k]!; i < 6; i += 1) x[to + i] = sorted[6 * k + i]!;
		}
	}
}
