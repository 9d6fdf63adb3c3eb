/**
 * The assembled operator: products and sweeps by the rows of W. Rows without ghosts stand first: they are worked on while ghosts are on their way.
 */
import { assert } from "../base/errors.js";
import type { StoredRows } from "../factor/stored-rows.js";
import type { Arena, Vector } from "../kernels/arena.js";
import { BATCH_SCRATCH } from "../kernels/batch.js";
import type { AssembledShare } from "../parallel/share.js";
import { COULOMB } from "./cone-ranges.js";
import { countUnsent, type Halo, pass } from "./halo.js";
import type { Operator, SweepData } from "./operator.js";
import { SellStorage } from "./sell-storage.js";

/** Numbers that a sweep over rolling contacts works on (assembly/laws/rolling-sweep.ts). */
const ROLLING_SCRATCH = 240;

export class AssembledOperator implements Operator {
	readonly kind = "assembled";
	readonly bytes: number;
	readonly #arena: Arena;
	readonly #halo: Halo;
	readonly #contacts: number;
	readonly #rows: number;
	/** Pairs without ghosts. */
	readonly #interior: number;
	readonly #storage: SellStorage;
	readonly #scratch: Vector;

	/** `scale` is that of own blocks and ghosts by place, `w` the own diagonal blocks, scaled; `contacts` is the number of own contacts. */
	constructor(arena: Arena, share: AssembledShare, contacts: number, scale: Vector, w: Vector, halo: Halo) {
		const before = arena.bytes;
		this.#arena = arena;
		this.#halo = halo;
		this.#contacts = contacts;
		this.#rows = share.row.length;
		this.#storage = new SellStorage(arena, share, scale, w);
		this.#interior = share.interior === this.#rows ? this.#storage.pairs : share.interior >> 1;
		this.#scratch = arena.room(Math.max(BATCH_SCRATCH, ROLLING_SCRATCH));
		this.bytes = arena.bytes - before;
	}

	get rows(): StoredRows {
		return this.#storage;
	}

	get isFinite(): boolean {
		return this.#storage.isFinite;
	}

	apply(x: Vector, y: Vector): void {
		const { kernels } = this.#arena;
		const { pairs, start, column, values } = this.#storage;
		const { full } = this.#halo;
		full.begin(x.values);
		kernels.sellApply(0, this.#interior, start.at, column.at, values.at, x.at, y.at);
		full.finish(x.values);
		kernels.sellApply(this.#interior, pairs, start.at, column.at, values.at, x.at, y.at);
	}

	sweep(data: SweepData, r: Vector, backward: boolean, relax: number, alpha = 0, omega = 0): void {
		const { full } = this.#halo;
		const stretches = backward ? this.#halo.backward : this.#halo.forward;
		for (let i = 0; i < stretches.length; i += 1) {
			const { incoming, counted, interior, boundary } = stretches[i]!;
			const exchange = i === 0 ? full : incoming;
			exchange.begin(r.values);
			this.#sweepPieces(interior, data, r, backward, relax, alpha, omega);
			exchange.finish(r.values);
			this.#sweepPieces(boundary, data, r, backward, relax, alpha, omega);
			countUnsent(counted, r);
		}
	}

	#sweepPieces(
		pieces: Int32Array,
		data: SweepData,
		r: Vector,
		backward: boolean,
		relax: number,
		alpha: number,
		omega: number,
	): void {
		const { kernels } = this.#arena;
		const { start, column, values, flags } = this.#storage;
		for (let k = 0; k < pieces.length; k += 3) {
			const [from, to, law] = [pieces[k]!, pieces[k + 1]!, pieces[k + 2]!];
			if (law !== COULOMB) {
				kernels.lawSellSweep(
					law,
					from,
					to,
					backward ? 1 : 0,
					start.at,
					column.at,
					values.at,
					relax,
					alpha,
					omega,
					data.q.at,
					data.w.at,
					data.cones.parametersAt,
					r.at,
					this.#scratch.at,
				);
				continue;
			}
			kernels.sellSweep(
				from,
				to,
				backward ? 1 : 0,
				this.#contacts,
				start.at,
				column.at,
				values.at,
				flags.at,
				relax,
				alpha,
				omega,
				data.q.at,
				data.w.at,
				data.cones.mu.at,
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
			this.#trianglePieces(interior, p, x, c, z);
			this.#trianglePieces(boundary, p, x, c, z);
			countUnsent(counted, z);
		}
	}

	#trianglePieces(pieces: Int32Array, p: Vector, x: Vector, c: Vector, z: Vector): void {
		const { kernels } = this.#arena;
		const { start, column, values, flags } = this.#storage;
		for (let k = 0; k < pieces.length; k += 3) {
			kernels.sellTriangle(
				pieces[k]!,
				pieces[k + 1]!,
				start.at,
				column.at,
				values.at,
				flags.at,
				p.at,
				x.at,
				c.at,
				z.at,
				this.#scratch.at,
			);
		}
	}
}
