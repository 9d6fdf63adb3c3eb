/** The assembled operator: W in SELL-2 blocks, scaled to s_a W_ab s_b, rows in storage order, blocks of a row in id order. */
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import type { BlockMatrix } from "../problem/problem.js";
import type { Layout } from "./layout.js";
import type { Operator, SweepData } from "./operator.js";

/** Of three numbers of a vector: what columns are counted in. */
const BLOCK_BYTES = 24;

/** The slots of a row are its blocks by ascending id: positions into `column`, sorted only where the row is not. */
function sortedRow(matrix: BlockMatrix, row: number, into: Int32Array): number {
	const from = matrix.rowStart[row]!;
	const count = matrix.rowStart[row + 1]! - from;
	let sorted = true;
	for (let k = 0; k < count; k += 1) {
		into[k] = from + k;
		if (k > 0 && matrix.column[from + k]! < matrix.column[from + k - 1]!) sorted = false;
	}
	if (!sorted) {
		const { column } = matrix;
		into.subarray(0, count).sort((a, b) => column[a]! - column[b]!);
	}
	return count;
}

export class AssembledOperator implements Operator {
	readonly kind = "assembled";
	readonly coupling: string;
	readonly bytes: number;
	readonly #arena: Arena;
	readonly #layout: Layout;
	readonly #contacts: number;
	readonly #pairs: number;
	readonly #start: IntVector;
	readonly #column: IntVector;
	readonly #values: Vector;
	readonly #coupled: IntVector;
	readonly #scratch: Vector;

	constructor(arena: Arena, matrix: BlockMatrix, contacts: number, layout: Layout, scale: Float64Array) {
		const before = arena.bytes;
		this.#arena = arena;
		this.#layout = layout;
		this.#contacts = contacts;
		this.#pairs = (matrix.rows + 1) >> 1;
		this.#start = arena.integers(this.#pairs + 1);
		this.#coupled = arena.integers(this.#pairs);
		const { slots, widest } = this.#countSlots(matrix);
		this.#column = arena.integers(2 * slots);
		this.#values = arena.vector(18 * slots);
		this.#scratch = arena.vector(6);
		const row = new Int32Array(widest);
		for (let at = 0; at < matrix.rows; at += 1) this.#fillRow(matrix, at, scale, row);
		this.bytes = arena.bytes - before;
		this.coupling = `${(matrix.rowStart[matrix.rows]! / matrix.rows).toFixed(1)} blocks a row`;
	}

	/** A pair has as many slots as its longer row has blocks. */
	#countSlots(matrix: BlockMatrix): { slots: number; widest: number } {
		const { order } = this.#layout;
		const start = this.#start.values;
		let widest = 0;
		for (let pair = 0; pair < this.#pairs; pair += 1) {
			let slots = 0;
			for (let at = 2 * pair; at < Math.min(2 * pair + 2, matrix.rows); at += 1) {
				const id = order[at]!;
				slots = Math.max(slots, matrix.rowStart[id + 1]! - matrix.rowStart[id]!);
			}
			start[pair + 1] = start[pair]! + slots;
			widest = Math.max(widest, slots);
		}
		return { slots: start[this.#pairs]!, widest };
	}

	/** Slots beyond a row's end hold zeros and point at the row itself, so that no foreign number is touched. */
	#fillRow(matrix: BlockMatrix, at: number, scale: Float64Array, row: Int32Array): void {
		const { order, place } = this.#layout;
		const id = order[at]!;
		const pair = at >> 1;
		const lane = at & 1;
		const first = this.#start.values[pair]!;
		const end = this.#start.values[pair + 1]!;
		const count = sortedRow(matrix, id, row);
		const own = scale[at]!;
		for (let slot = first; slot < end; slot += 1) {
			if (slot - first >= count) {
				this.#column.values[2 * slot + lane] = BLOCK_BYTES * at;
				continue;
			}
			const k = row[slot - first]!;
			const other = place[matrix.column[k]!]!;
			if (other === (at ^ 1)) this.#coupled.values[pair] = 1;
			this.#column.values[2 * slot + lane] = BLOCK_BYTES * other;
			const factor = own * scale[other]!;
			for (let i = 0; i < 9; i += 1) {
				this.#values.values[18 * slot + 2 * i + lane] = factor * matrix.values[9 * k + i]!;
			}
		}
	}

	apply(x: Vector, y: Vector): void {
		this.#arena.kernels.sellApply(0, this.#pairs, this.#start.at, this.#column.at, this.#values.at, x.at, y.at);
	}

	sweep(data: SweepData, r: Vector, backward: boolean, relax: number): void {
		const { kernels } = this.#arena;
		const { runs } = this.#layout;
		const count = runs.length / 2;
		for (let i = 0; i < count; i += 1) {
			const run = backward ? count - 1 - i : i;
			kernels.sellSweep(
				runs[2 * run]!,
				runs[2 * run + 1]!,
				backward ? 1 : 0,
				this.#contacts,
				this.#start.at,
				this.#column.at,
				this.#values.at,
				this.#coupled.at,
				relax,
				data.q.at,
				data.w.at,
				data.mu.at,
				r.at,
				this.#scratch.at,
			);
		}
	}

	triangle(p: Vector, x: Vector, c: Vector, z: Vector): void {
		const { kernels } = this.#arena;
		const { runs } = this.#layout;
		kernels.fill(z.at, 0, z.values.length);
		for (let run = 0; run < runs.length / 2; run += 1) {
			kernels.sellTriangle(
				runs[2 * run]!,
				runs[2 * run + 1]!,
				this.#start.at,
				this.#column.at,
				this.#values.at,
				this.#coupled.at,
				p.at,
				x.at,
				c.at,
				z.at,
				this.#scratch.at,
			);
		}
	}
}
