/**
 * Projected quasi-Newton with diagonal blocks only, Koziara's abstract, algorithm 1:
 *
 *     a)  U = W R + B
 *     b)  C_omega, A = diag_3x3(grad C_omega)
 *     c)  dR = (1 - theta) dR - theta A^-1 C
 *     d)  R = proj_K(R + dR)
 *
 * One product and no inner solver. U is refreshed at the end of an iteration, where the measure needs it anyway: that
 * product is the iteration's own, so the count is one per iteration.
 */
import type { Vector } from "../kernels/arena.js";
import { DIAGONAL_STEP_WORK } from "../system/cones.js";
import type { System } from "../system/system.js";
import { DeclaredMethod } from "./declared-method.js";

export interface PqnDiagonalOptions {
	readonly theta: number;
	readonly omega: number;
	/** Iterations from one measure to the next. */
	readonly measureEvery: number;
}

export class PqnDiagonal extends DeclaredMethod<Record<never, number>> {
	readonly measureEvery: number;
	readonly #options: PqnDiagonalOptions;
	readonly #dR: Vector;
	readonly #work: Vector;

	constructor(system: System, options: PqnDiagonalOptions) {
		const dR = system.room();
		super("pqn-diagonal", system, {}, { dR }, 1);
		this.measureEvery = options.measureEvery;
		this.#options = options;
		this.#dR = dR;
		this.#work = system.arena.vector(DIAGONAL_STEP_WORK);
	}

	protected begin(): void {
		this.system.arena.kernels.fill(this.#dR.at, 0, this.system.length);
	}

	iterate(): void {
		const { cones, w, r, u } = this.system;
		const { theta, omega } = this.#options;
		cones.diagonalStep(omega, theta, w, r, u, this.#dR, this.#work); // b, c
		this.system.addProjected(1, this.#dR, r); // d
		this.product(); // a of the next
	}
}
