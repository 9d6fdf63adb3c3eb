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

/** The positions of a row's blocks in `column`, by ascending column; undefined where they are stored so. */
function sortedRow({ rowStart, column }: BlockMatrix, row: number): Int32Array | undefined {
	const from = rowStart[row]!;
	const end = rowStart[row + 1]!;
	let k = from + 1;
	while (k < end && column[k]! >= column[k - 1]!) k += 1;
	if (k >= end) return undefined;
	const slots = new Int32Array(end - from);
	for (let i = 0; i < slots.length; i += 1) slots[i] = from + i;
	return slots.sort((a, b) => column[a]! - column[b]!);
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
		const slots = this.#countSlots(share);
		this.#column = arena.integerRoom(2 * slots);
		this.#values = arena.room(18 * slots);
		this.#scratch = arena.room(15);
		this.#fill(share, scale);
		this.bytes = arena.bytes - before;
	}

	/** A pair has as many slots as its longer row has blocks. */
	#countSlots({ matrix, row }: AssembledShare): number {
		const start = this.#start.values;
		const { rowStart } = matrix;
		let sum = 0;
		start[0] = 0;
		for (let at = 0; at < this.#rows; at += 2) {
			let slots = rowStart[row[at]! + 1]! - rowStart[row[at]!]!;
			if (at + 1 < this.#rows) slots = Math.max(slots, rowStart[row[at + 1]! + 1]! - rowStart[row[at + 1]!]!);
			sum += slots;
			start[(at >> 1) + 1] = sum;
		}
		return sum;
	}

	/** Row by row, in one pass. Slots beyond a row's end hold zeros and point at the row itself, so that no foreign number is touched. */
	#fill({ matrix, row, local }: AssembledShare, scale: Float64Array): void {
		const start = this.#start.values;
		const column = this.#column.values;
		const values = this.#values.values;
		const coupled = this.#coupled.values;
		const { rowStart, column: from, values: blocks } = matrix;
		// An odd last row has an empty one beside it.
		for (let at = 0; at < 2 * this.#pairs; at += 1) {
			const pair = at >> 1;
			const lane = at & 1;
			let slot = start[pair]!;
			if (at < this.#rows) {
				const own = scale[at]!;
				const first = rowStart[row[at]!]!;
				const count = rowStart[row[at]! + 1]! - first;
				const sorted = sortedRow(matrix, row[at]!);
				for (let i = 0; i < count; i += 1, slot += 1) {
					const k = sorted === undefined ? first + i : sorted[i]!;
					const other = local[from[k]!]!;
					if (other === (at ^ 1)) coupled[pair] = 1;
					column[2 * slot + lane] = BLOCK_BYTES * other;
					const factor = own * scale[other]!;
					const b = 9 * k;
					const v = 18 * slot + lane;
					values[v] = factor * blocks[b]!;
					values[v + 2] = factor * blocks[b + 1]!;
					values[v + 4] = factor * blocks[b + 2]!;
					values[v + 6] = factor * blocks[b + 3]!;
					values[v + 8] = factor * blocks[b + 4]!;
					values[v + 10] = factor * blocks[b + 5]!;
					values[v + 12] = factor * blocks[b + 6]!;
					values[v + 14] = factor * blocks[b + 7]!;
					values[v + 16] = factor * blocks[b + 8]!;
				}
			}
			for (; slot < start[pair + 1]!; slot += 1) {
				column[2 * slot + lane] = at < this.#rows ? BLOCK_BYTES * at : 0;
				for (let v = 18 * slot + lane; v < 18 * slot + 18; v += 2) values[v] = 0;
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
