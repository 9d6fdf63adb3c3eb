/** A = U^T D^-1 U of a symmetric matrix (assembly/block-ldlt.ts). Of each two blocks across the diagonal one is read. */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import { BlockFactor } from "./block-factor.js";
import { symmetricProducts } from "./symbolic.js";

export class BlockLdlt extends BlockFactor {
	readonly flops: number;
	readonly factorBlocks: number;
	readonly #u: Vector;
	readonly #next: IntVector;
	/** A row of all columns, and three blocks behind. */
	readonly #work: Vector;

	constructor(arena: Arena, rows: number, rowStart: Int32Array, column: Int32Array) {
		super(arena, rows, rowStart, column);
		const { uColumn } = this.factors;
		this.flops = 432 * symmetricProducts(this.factors);
		this.factorBlocks = uColumn.length + rows;
		this.#u = arena.room(36 * uColumn.length);
		this.#next = arena.integerRoom(rows);
		this.#work = arena.room(36 * (rows + 3));
	}

	factor(): boolean {
		const { aStart, aColumn, lStart, lColumn, uStart, uColumn } = this.pattern;
		const failed = this.arena.kernels.ldltRows(
			this.rows,
			aStart.at,
			aColumn.at,
			this.a.at,
			lStart.at,
			lColumn.at,
			uStart.at,
			uColumn.at,
			this.#u.at,
			this.d.at,
			this.#next.at,
			this.#work.at,
		);
		return failed < 0;
	}

	protected solveSorted(x: number): void {
		const { uStart, uColumn } = this.pattern;
		this.arena.kernels.ldltSolve(this.rows, uStart.at, uColumn.at, this.#u.at, this.d.at, x, this.#work.at);
	}
}
