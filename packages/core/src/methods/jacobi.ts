/**
 * Jacobi's method in the fixed-point form of Anitescu 2014, for the exact law:
 *
 *     R <- lambda proj_K(R - omega B F(R)) + (1 - lambda) R,   B = 3 / trace(W_aa) of each contact
 *
 * All contacts at once from the last R: one product an iteration, and nothing else. With a window the right-hand side takes the mixed point of
 * accelerated-method.ts, of which the part (1 - lambda) is projected too.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { AcceleratedMethod } from "./accelerated-method.js";

export interface JacobiOptions {
	readonly omega: number;
	readonly lambda: number;
	/** Iterations mixed by Anderson; 0 for plain ones. */
	readonly window: number;
}

export class Jacobi extends AcceleratedMethod<Record<string, never>> {
	readonly #options: JacobiOptions;
	readonly #f: Vector;
	readonly #last: Vector;

	constructor(system: System, options: JacobiOptions) {
		super("jacobi", system, options.window, {}, 1);
		this.#options = options;
		this.#f = system.room();
		this.#last = system.room();
	}

	protected begin(): void {}

	protected map(y: Vector, u: Vector): void {
		const { r, arena, length } = this.system;
		const { omega, lambda, window } = this.#options;
		this.law(this.#f, u);
		this.system.cones.divideByDiagonal(this.system.w, this.#f);
		this.copy(y, this.#last);
		this.project(this.#last, omega, this.#f, r);
		if (lambda !== 1) {
			arena.kernels.axpby(1 - lambda, this.#last.at, lambda, r.at, length);
			if (window > 0) this.system.project(r);
		}
		this.product();
	}
}
