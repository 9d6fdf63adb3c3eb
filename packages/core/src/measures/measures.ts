/** The three measures of error at (R, U), each one reduction. Their formulas stand in assembly/{natural,merit,energy}.ts. */
import type { Vector } from "../kernels/arena.js";
import type { System } from "../system/system.js";
import { freeEnergy } from "./denominator.js";

export type MeasureName = "energy" | "natural" | "merit";

export const MEASURES: readonly MeasureName[] = ["energy", "natural", "merit"];

export class Measures {
	readonly #system: System;
	readonly #partials: Vector;
	readonly #scratch: Vector;
	readonly #energyFree: number;
	readonly #meritFree: number;
	readonly #freeNorm: number;
	/** The root of energy's denominator: |dR| / energyScale estimates the energy error in a scaled system. */
	readonly energyScale: number;

	constructor(system: System) {
		this.#system = system;
		this.#partials = system.arena.vector(3 * system.leaves);
		this.#scratch = system.arena.vector(12);
		const { contacts, singular, w, q, unit } = system;
		// Free of scales: W_aa^-1 takes s^-2 and q_a takes s. All three measures are ratios, in which the unit cancels.
		this.#energyFree = freeEnergy(contacts, singular, w.values, q.values, true, unit);
		this.#meritFree = freeEnergy(contacts, singular, w.values, q.values, false, unit);
		let square = 0;
		for (const value of system.problem.q) square += value * unit * (value * unit);
		this.#freeNorm = Math.sqrt(square);
		this.energyScale = Math.sqrt(this.#energyFree);
	}

	measure(name: MeasureName, r: Vector, u: Vector): number {
		if (name === "energy") return this.energy(r, u);
		return name === "natural" ? this.natural(r, u) : this.merit(r, u);
	}

	energy(r: Vector, u: Vector): number {
		const { arena, blocks, contacts, mu, w, reducer, leaves } = this.#system;
		arena.kernels.energyLeaves(blocks, contacts, mu.at, w.at, r.at, u.at, this.#scratch.at, this.#partials.at);
		reducer.sum(this.#partials, leaves, 1, 1);
		return Math.sqrt(this.#partials.values[0]! / this.#energyFree);
	}

	natural(r: Vector, u: Vector): number {
		const { arena, blocks, contacts, mu, s, reducer, leaves } = this.#system;
		arena.kernels.naturalLeaves(blocks, contacts, mu.at, s.at, r.at, u.at, this.#scratch.at, this.#partials.at);
		reducer.sum(this.#partials, leaves, 3, 3);
		const sums = this.#partials.values;
		const scale = Math.max(this.#freeNorm, Math.sqrt(sums[1]!), Math.sqrt(sums[2]!));
		return Math.sqrt(sums[0]!) / (scale > 0 ? scale : 1);
	}

	merit(r: Vector, u: Vector): number {
		const { arena, blocks, contacts, mu, s, w, reducer, leaves } = this.#system;
		arena.kernels.meritLeaves(blocks, contacts, mu.at, s.at, w.at, r.at, u.at, this.#scratch.at, this.#partials.at);
		reducer.sum(this.#partials, leaves, 1, 1);
		return this.#partials.values[0]! / this.#meritFree;
	}
}
