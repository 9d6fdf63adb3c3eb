/**
 * The global form as an operator that is never formed: with K = [H G], y = s K^T M^-1 K s x, M factored once. It has no rows to
 * sweep over. Right-hand sides live in plain typed arrays: the triangular solves are not kernels.
 */
import type { Vector } from "../kernels/arena.js";
import type { GlobalShare, Share } from "../parallel/share.js";
import { multiplyCsr, multiplyTransposedCsr } from "../problem/csr.js";
import type { GlobalForm } from "../problem/problem.js";
import type { SparseLu } from "../problem/sparse-lu.js";
import { type Halo, pass } from "./halo.js";
import type { Operator } from "./operator.js";

export class GlobalOperator implements Operator {
	readonly kind = "global";
	/** Nothing is looked at here. */
	readonly isFinite = false;
	readonly bytes: number;
	readonly #global: GlobalForm;
	readonly #lu: SparseLu;
	readonly #ids: Int32Array;
	readonly #scale: Float64Array;
	readonly #halo: Halo;
	/** Impulses by id, then results by id; the same in the degrees of freedom, with G's part beside H's. */
	readonly #byId: Float64Array;
	/** The contacts' part of byId, and the equality rows'. */
	readonly #normal: Float64Array;
	readonly #equal: Float64Array;
	readonly #motion: Float64Array;
	readonly #pushed: Float64Array;
	/** Identity rows that fill the last equality block: their entries pass through with this factor. */
	readonly #filling: Float64Array;

	/** Of a share that is the whole problem; scales by place. */
	constructor({ global, lu }: GlobalShare, share: Omit<Share, "operator">, scale: Float64Array, halo: Halo) {
		const { ids, contacts, blocks, diagonal } = share;
		this.#global = global;
		this.#lu = lu;
		this.#ids = ids;
		this.#scale = scale;
		this.#halo = halo;
		this.#byId = new Float64Array(3 * blocks);
		this.#normal = this.#byId.subarray(0, 3 * contacts);
		this.#equal = this.#byId.subarray(3 * contacts, 3 * contacts + (global.G?.columns ?? 0));
		this.#motion = new Float64Array(lu.size);
		this.#pushed = new Float64Array(lu.size);
		const rows = 3 * contacts + (global.b?.length ?? 0);
		this.#filling = new Float64Array(3 * blocks - rows);
		for (let i = 0; i < this.#filling.length; i += 1) {
			const row = rows + i;
			this.#filling[i] = diagonal[9 * ids.indexOf(Math.floor(row / 3)) + 4 * (row % 3)] as number;
		}
		this.bytes = lu.bytes + 8 * (this.#byId.length + 2 * lu.size);
	}

	apply(x: Vector, y: Vector): void {
		pass(this.#halo.full, x);
		const order = this.#ids;
		const byId = this.#byId;
		for (let at = 0; at < order.length; at += 1) {
			const id = order[at] as number;
			const s = this.#scale[at] as number;
			for (let i = 0; i < 3; i += 1) byId[3 * id + i] = s * (x.values[3 * at + i] as number);
		}
		const { H, G } = this.#global;
		multiplyCsr(H, this.#normal, this.#motion);
		if (G) {
			multiplyCsr(G, this.#equal, this.#pushed);
			for (let i = 0; i < this.#motion.length; i += 1) {
				this.#motion[i] = (this.#motion[i] as number) + (this.#pushed[i] as number);
			}
		}
		this.#lu.solve(this.#motion);
		multiplyTransposedCsr(H, this.#motion, this.#normal);
		if (G) multiplyTransposedCsr(G, this.#motion, this.#equal);
		const from = byId.length - this.#filling.length;
		for (let i = 0; i < this.#filling.length; i += 1) {
			byId[from + i] = (byId[from + i] as number) * (this.#filling[i] as number);
		}
		for (let at = 0; at < order.length; at += 1) {
			const id = order[at] as number;
			const s = this.#scale[at] as number;
			for (let i = 0; i < 3; i += 1) y.values[3 * at + i] = s * (byId[3 * id + i] as number);
		}
	}
}
