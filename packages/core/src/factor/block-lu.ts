/** A = L U (assembly/block-lu.ts). */
import type { Arena, Vector } from "../kernels/arena.js";
import { BlockFactor } from "./block-factor.js";
import { eliminationProducts } from "./symbolic.js";

export class BlockLu extends BlockFactor {
	readonly flops: number;
	readonly factorBlocks: number;
	readonly #l: Vector;
	readonly #u: Vector;
	/** A row of all columns, and some numbers behind. */
	readonly #work: Vector;

	constructor(arena: Arena, rows: number, rowStart: Int32Array, column: Int32Array) {
		super(arena, rows, rowStart, column);
		const { lColumn, uColumn } = this.factors;
		this.flops = 432 * eliminationProducts(this.factors);
		this.factorBlocks = 2 * lColumn.length + rows;
		this.#l = arena.room(36 * lColumn.length);
		this.#u = arena.room(36 * uColumn.length);
		this.#work = arena.room(36 * (rows + 1));
	}

	factor(): boolean {
		const { aStart, aColumn, lStart, lColumn, uStart, uColumn } = this.pattern;
		const failed = this.arena.kernels.luRows(
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
			this.d.at,
			this.#work.at,
		);
		return failed < 0;
	}

	protected solveSorted(x: number): void {
		const { lStart, lColumn, uStart, uColumn } = this.pattern;
		this.arena.kernels.luSolve(
			this.rows,
			lStart.at,
			lColumn.at,
			this.#l.at,
			uStart.at,
			uColumn.at,
			this.#u.at,
			this.d.at,
			x,
			this.#work.at,
		);
	}
}
