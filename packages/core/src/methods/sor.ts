/**
 * Successive over-relaxation in the fixed-point form of Anitescu 2014, for the exact law, contact after contact in the coloured order of the layout:
 *
 *     U_a = sum_b W_ab R_b + q_a                                  with the newest R of all others
 *     R_a <- lambda proj_K(R_a - omega B_a F(U_a)) + (1 - lambda) R_a,   B_a = 3 / trace(W_aa)
 *
 * A symmetric iteration sweeps forwards and then backwards. Where gauss-seidel solves a contact exactly, this takes one step of it (assembly/projected-step.ts).
 * Anderson acceleration of whole iterations is that of gauss-seidel, with its safeguards.
 */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { GaussSeidel } from "./gauss-seidel.js";

export interface SorOptions {
	readonly omega: number;
	readonly lambda: number;
	readonly symmetric: boolean;
	/** Iterations mixed by Anderson; 0 for plain ones. */
	readonly window: number;
}

export class Sor extends GaussSeidel {
	protected override readonly stepShare: number;
	readonly #sor: SorOptions;

	constructor(system: System, options: SorOptions, pool: readonly Vector[]) {
		super(system, { window: options.window, relax: options.lambda, reverse: false }, pool, "sor");
		this.#sor = options;
		this.stepShare = options.omega * options.lambda;
	}

	protected override sweep(): void {
		this.#once(false);
		if (this.#sor.symmetric) this.#once(true);
	}

	#once(isBackward: boolean): void {
		const { system } = this;
		const { omega, lambda } = this.#sor;
		system.operator.sweep?.(system, system.r, isBackward, lambda, 0, omega);
		this.products += 1;
	}
}
