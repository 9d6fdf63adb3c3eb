/**
 * The assembled operator: W in SELL-2 blocks, scaled to s_a W_ab s_b, rows in storage order, blocks of a row in the order of global ids.
 * Rows without ghosts stand first: they are worked on while ghosts are on their way.
 */
import { assert } from "../errors.js";
import type { Arena, IntVector, Vector } from "../kernels/arena.js";
import type { AssembledShare } from "../parallel/share.js";
import type { BlockMatrix } from "../problem/problem.js";
import { type Halo, pass } from "./halo.js";
import type { Operator, SweepData } from "./operator.js";

/** Of three numbers of a vector: what columns are counted in. */
const BLOCK_BYTES = 24;

/** The slots of a row are its blocks by ascending column: positions into `column`, sorted only where the row is not. */
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
	readonly bytes: number;
	readonly #arena: Arena;
	readonly #halo: Halo;
	readonly #contacts: number;
	readonly #rows: number;
	readonly #pairs: number;
	/** Pairs without ghosts. */
	readonly #interior: number;
	readonly #start: IntVector;
	readonly #column: IntVector;
	readonly #values: Vector;
	readonly #coupled: IntVector;
	readonly #scratch: Vector;

	/** `scale` is that of own blocks and ghosts by place, `contacts` the number of own contacts. */
	constructor(arena: Arena, share: AssembledShare, contacts: number, scale: Float64Array, halo: Halo) {
		const before = arena.bytes;
		this.#arena = arena;
		this.#halo = halo;
		this.#contacts = contacts;
		this.#rows = share.row.length;
		this.#pairs = (this.#rows + 1) >> 1;
		this.#interior = share.interior === this.#rows ? this.#pairs : share.interior >> 1;
		this.#start = arena.integers(this.#pairs + 1);
		this.#coupled = arena.integers(this.#pairs);
		const { slots, widest } = this.#countSlots(share);
		this.#column = arena.integers(2 * slots);
		this.#values = arena.vector(18 * slots);
		this.#scratch = arena.vector(15);
		const row = new Int32Array(widest);
		for (let at = 0; at < this.#rows; at += 1) this.#fillRow(share, at, scale, row);
		this.bytes = arena.bytes - before;
	}

	/** A pair has as many slots as its longer row has blocks. */
	#countSlots({ matrix, row }: AssembledShare): { slots: number; widest: number } {
		const start = this.#start.values;
		let widest = 0;
		for (let pair = 0; pair < this.#pairs; pair += 1) {
			let slots = 0;
			for (let at = 2 * pair; at < Math.min(2 * pair + 2, this.#rows); at += 1) {
				slots = Math.max(slots, matrix.rowStart[row[at]! + 1]! - matrix.rowStart[row[at]!]!);
			}
			start[pair + 1] = start[pair]! + slots;
			widest = Math.max(widest, slots);
		}
		return { slots: start[this.#pairs]!, widest };
	}

	/** Slots beyond a row's end hold zeros and point at the row itself, so that no foreign number is touched. */
	#fillRow({ matrix, row, local }: AssembledShare, at: number, scale: Float64Array, slots: Int32Array): void {
		const pair = at >> 1;
		const lane = at & 1;
		const first = this.#start.values[pair]!;
		const end = this.#start.values[pair + 1]!;
		const count = sortedRow(matrix, row[at]!, slots);
		const own = scale[at]!;
		for (let slot = first; slot < end; slot += 1) {
			if (slot - first >= count) {
				this.#column.values[2 * slot + lane] = BLOCK_BYTES * at;
				continue;
			}
			const k = slots[slot - first]!;
			const other = local[matrix.column[k]!]!;
			if (other === (at ^ 1)) this.#coupled.values[pair] = 1;
			this.#column.values[2 * slot + lane] = BLOCK_BYTES * other;
			const factor = own * scale[other]!;
			for (let i = 0; i < 9; i += 1) {
				this.#values.values[18 * slot + 2 * i + lane] = factor * matrix.values[9 * k + i]!;
			}
		}
	}

	apply(x: Vector, y: Vector): void {
		const { kernels } = this.#arena;
		const [start, column, values] = [this.#start.at, this.#column.at, this.#values.at];
		const { full } = this.#halo;
		full.begin(x.values);
		kernels.sellApply(0, this.#interior, start, column, values, x.at, y.at);
		full.finish(x.values);
		kernels.sellApply(this.#interior, this.#pairs, start, column, values, x.at, y.at);
	}

	sweep(data: SweepData, r: Vector, backward: boolean, relax: number, alpha = 0): void {
		const { full } = this.#halo;
		const stretches = backward ? this.#halo.backward : this.#halo.forward;
		for (let i = 0; i < stretches.length; i += 1) {
			const { incoming, counted, interior, boundary } = stretches[i]!;
			const exchange = i === 0 ? full : incoming;
			exchange.begin(r.values);
			this.#sweepRuns(interior, data, r, backward, relax, alpha);
			exchange.finish(r.values);
			this.#sweepRuns(boundary, data, r, backward, relax, alpha);
			for (let k = 0; k < counted.length; k += 1) pass(counted[k]!, r);
		}
	}

	#sweepRuns(runs: Int32Array, data: SweepData, r: Vector, backward: boolean, relax: number, alpha: number): void {
		const { kernels } = this.#arena;
		for (let k = 0; k < runs.length; k += 2) {
			kernels.sellSweep(
				runs[k]!,
				runs[k + 1]!,
				backward ? 1 : 0,
				this.#contacts,
				this.#start.at,
				this.#column.at,
				this.#values.at,
				this.#coupled.at,
				relax,
				alpha,
				data.q.at,
				data.w.at,
				data.mu.at,
				r.at,
				this.#scratch.at,
			);
		}
	}

	triangle(p: Vector, x: Vector, c: Vector, z: Vector): void {
		assert(z.values.length >= 3 * this.#rows, "z has room for ghosts");
		this.#arena.kernels.fill(z.at, 0, z.values.length);
		const { forward } = this.#halo;
		for (let i = 0; i < forward.length; i += 1) {
			const { incoming, counted, interior, boundary } = forward[i]!;
			if (i > 0) pass(incoming, z);
			this.#triangleRuns(interior, p, x, c, z);
			this.#triangleRuns(boundary, p, x, c, z);
			for (let k = 0; k < counted.length; k += 1) pass(counted[k]!, z);
		}
	}

	#triangleRuns(runs: Int32Array, p: Vector, x: Vector, c: Vector, z: Vector): void {
		const { kernels } = this.#arena;
		for (let k = 0; k < runs.length; k += 2) {
			kernels.sellTriangle(
				runs[k]!,
				runs[k + 1]!,
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
