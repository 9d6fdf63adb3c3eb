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
import type { SavedRecord, SavedSpace } from "../state/saved.js";
import { DIAGONAL_STEP_WORK } from "../system/cones.js";
import type { System } from "../system/system.js";
import type { Method, MethodState } from "./method.js";

export interface PqnDiagonalOptions {
	readonly theta: number;
	readonly omega: number;
}

export class PqnDiagonal implements Method {
	readonly name = "pqn-diagonal";
	readonly exhausted = false;
	readonly remedies: readonly string[] = [];
	readonly velocityFresh = true;
	/** Unknown to the method: U is fresh, so the run measures every iteration and asks for no estimate. */
	readonly error = Number.POSITIVE_INFINITY;
	products = 0;
	readonly #system: System;
	readonly #options: PqnDiagonalOptions;
	readonly #dR: Vector;
	readonly #work: Vector;

	constructor(system: System, options: PqnDiagonalOptions) {
		this.#system = system;
		this.#options = options;
		this.#dR = system.room();
		this.#work = system.arena.vector(DIAGONAL_STEP_WORK);
	}

	start(): void {
		const system = this.#system;
		system.arena.kernels.fill(this.#dR.at, 0, system.length);
		system.velocity(system.r, system.u); // a
	}

	get state(): MethodState {
		return { scalars: { name: this.name }, vectors: { dR: this.#dR } };
	}

	resume(from: SavedRecord, vectors: SavedSpace): void {
		const system = this.#system;
		from.word("name", [this.name]);
		vectors.vector("dR", 3, this.#dR.values);
		system.velocity(system.r, system.u); // a
	}

	iterate(): void {
		const system = this.#system;
		const { theta, omega } = this.#options;
		const { cones, w, r, u } = system;
		cones.diagonalStep(omega, theta, w, r, u, this.#dR, this.#work); // b, c
		system.addProjected(1, this.#dR, r); // d
		system.velocity(r, u); // a of the next
		this.products += 1;
	}
}
