/** A sparse matrix of 6x6 blocks and its factors in a solve's memory: ordered and analysed once, factored for new values as often as they come. */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import { graphOf } from "./graph.js";
import { minimumDegree } from "./minimum-degree.js";
import { eliminationProducts, type Factors, symbolic } from "./symbolic.js";

export class BlockLu {
	readonly rows: number;
	/** Block `slot[k]` of `a` is the k-th of the pattern that was given; 36 numbers by columns. */
	readonly slot: Int32Array;
	readonly a: Vector;
	/** Multiplications and additions of the factorisation. */
	readonly flops: number;
	/** Blocks of L and U together, the diagonal included. */
	readonly factorBlocks: number;
	/** Old row of each new one. */
	readonly order: Int32Array;
	/** Where L and U have blocks. */
	readonly factors: Factors;
	readonly #arena: Arena;
	readonly #pattern: Readonly<Record<"aStart" | "aColumn" | "lStart" | "lColumn" | "uStart" | "uColumn", IntVector>>;
	readonly #l: Vector;
	readonly #u: Vector;
	readonly #d: Vector;
	/** A row of all columns, and some numbers behind. */
	readonly #work: Vector;
	readonly #x: Vector;

	/** A pattern by rows, of which the diagonal is part; an entry on one side has room on the other too. */
	constructor(arena: Arena, rows: number, rowStart: Int32Array, column: Int32Array) {
		const graph = graphOf(rows, rowStart, column);
		const order = minimumDegree(graph);
		const factors: Factors = symbolic(graph, order);
		const place = new Int32Array(rows);
		for (let k = 0; k < rows; k += 1) place[order[k]!] = k;
		const used = rowStart[rows]!;
		const copyOf = (values: Int32Array): IntVector => {
			const copy = arena.integerRoom(values.length);
			copy.values.set(values);
			return copy;
		};
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
		const { lStart, lColumn, uStart, uColumn } = factors;
		this.#pattern = {
			aStart: copyOf(aStart),
			aColumn: copyOf(aColumn),
			lStart: copyOf(lStart),
			lColumn: copyOf(lColumn),
			uStart: copyOf(uStart),
			uColumn: copyOf(uColumn),
		};
		this.rows = rows;
		this.flops = 432 * eliminationProducts(factors);
		this.factorBlocks = 2 * lColumn.length + rows;
		this.#arena = arena;
		this.order = order;
		this.factors = factors;
		this.a = arena.room(36 * used);
		this.#l = arena.room(36 * lColumn.length);
		this.#u = arena.room(36 * uColumn.length);
		this.#d = arena.room(36 * rows);
		this.#work = arena.room(36 * (rows + 1));
		this.#x = arena.room(6 * rows);
	}

	/** Factors what stands in `a`; false where a diagonal block has no inverse. */
	factor(): boolean {
		const { aStart, aColumn, lStart, lColumn, uStart, uColumn } = this.#pattern;
		const { kernels } = this.#arena;
		const failed = kernels.luRows(
			0,
			this.rows,
			this.rows,
			aStart.at,
			aColumn.at,
			this.a.at,
			lStart.at,
			lColumn.at,
			this.#l.at,
			uStart.at,
			uColumn.at,
			this.#u.at,
			this.#d.at,
			this.#work.at,
		);
		return failed < 0;
	}

	/** x <- A^-1 x, six numbers per row in the order that was given. */
	solve(x: Float64Array): void {
		const { lStart, lColumn, uStart, uColumn } = this.#pattern;
		const { rows } = this;
		const sorted = this.#x.values;
		for (let k = 0; k < rows; k += 1) {
			const from = 6 * this.order[k]!;
			for (let i = 0; i < 6; i += 1) sorted[6 * k + i] = x[from + i]!;
		}
		this.#arena.kernels.luSolve(
			rows,
			lStart.at,
			lColumn.at,
			this.#l.at,
			uStart.at,
			uColumn.at,
			this.#u.at,
			this.#d.at,
			this.#x.at,
			this.#work.at,
		);
		for (let k = 0; k < rows; k += 1) {
			const to = 6 * this.order[k]!;
			for (let i = 0; i < 6; i += 1) x[to + i] = sorted[6 * k + i]!;
		}
	}
}
