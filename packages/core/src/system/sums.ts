/** Fused inner products: one reduction for as many values as a method needs at once. */
import type { Vector } from "../kernels/arena.js";
import type { System } from "./system.js";

export class Sums {
	readonly #system: System;
	readonly #partials: Vector;
	readonly #width: number;
	#offset = 0;

	/** Room for `width` values in one reduction. */
	constructor(system: System, width: number) {
		this.#system = system;
		this.#width = width;
		this.#partials = system.arena.vector(system.leaves * width);
	}

	/** Adds to the coming reduction x . V_j for j < k (V_j = v + j stride) and x . y. */
	dots(x: number, v: number, stride: number, k: number, y: number): void {
		const { arena, length } = this.#system;
		arena.kernels.dotLeaves(x, v, stride, k, y, length, this.#partials.at, this.#width, this.#offset);
		this.#offset += k + 1;
	}

	/** Reduces; the sums stand in the order they were added. */
	reduce(): Float64Array {
		this.#system.reducer.sum(this.#partials, this.#system.leaves, this.#width, this.#offset);
		this.#offset = 0;
		return this.#partials.values;
	}
}
