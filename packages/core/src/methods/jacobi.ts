/**
 * Jacobi's method in the fixed-point form of Anitescu 2014, for the exact law:
 *
 *     R <- lambda proj_K(R - omega B F(R)) + (1 - lambda) R,   B = 3 / trace(W_aa) of each contact
 *
 * All contacts at once from the last R: one product an iteration, and nothing else.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { DeclaredMethod } from "./declared-method.js";

export interface JacobiOptions {
	readonly omega: number;
	readonly lambda: number;
}

export class Jacobi extends DeclaredMethod<Record<string, never>> {
	readonly #options: JacobiOptions;
	readonly #f: Vector;
	readonly #last: Vector;

	constructor(system: System, options: JacobiOptions) {
		super("jacobi", system, {}, {}, 1);
		this.#options = options;
		this.#f = system.room();
		this.#last = system.room();
	}

	protected begin(): void {}

	iterate(): void {
		const { r, arena, length } = this.system;
		const { omega, lambda } = this.#options;
		this.law(this.#f);
		this.#divideByDiagonal();
		this.copy(r, this.#last);
		this.project(this.#last, omega, this.#f, r);
		if (lambda !== 1) arena.kernels.axpby(1 - lambda, this.#last.at, lambda, r.at, length);
		this.product();
	}

	/** f <- B f. */
	#divideByDiagonal(): void {
		const { blocks, w } = this.system;
		const { values } = this.#f;
		for (let a = 0, k = 0; a < blocks; a += 1, k += 9) {
			const weight = 3 / (w.values[k]! + w.values[k + 4]! + w.values[k + 8]!);
			for (let i = 3 * a; i < 3 * a + 3; i += 1) values[i] = weight * values[i]!;
		}
	}
}
