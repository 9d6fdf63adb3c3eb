/** The best iterate so far, in the measure that the caller asked for: what a solve returns when it does not end solved. */
import type { Vector } from "../kernels/arena.js";
import { GOOD_START } from "../kernels/generated/energy.js";
import type { MeasureName } from "../measures/measures.js";
import type { System } from "./system.js";

/** Of a tolerance that cannot be reached. */
const HALVINGS_MAX = 40;

export class Best {
	readonly name: MeasureName;
	value = Number.POSITIVE_INFINITY;
	/** What the solve is to reach; 0 where nobody said. */
	readonly tolerance: number;
	readonly #system: System;
	/** The iterate, where the value is finite. */
	readonly r: Vector;

	constructor(system: System, name: MeasureName, tolerance = 0) {
		this.tolerance = tolerance;
		this.#system = system;
		this.name = name;
		this.r = system.room();
	}

	clear(): void {
		this.value = Number.POSITIVE_INFINITY;
	}

	/** How often the error has to halve from the best iterate on; the merit is quadratic in it. */
	get halvingsLeft(): number {
		const factor = this.name === "merit" ? 0.25 : 0.5;
		let halvings = 0;
		for (let { value } = this; value > this.tolerance && halvings < HALVINGS_MAX; value *= factor) halvings += 1;
		return halvings;
	}

	/** Measures the system's R, refreshing U unless it is fresh. */
	measure(velocityFresh: boolean): number {
		const { r, u, measures } = this.#system;
		if (!velocityFresh) this.#system.velocity(r, u);
		return measures.measure(this.name, r, u);
	}

	/**
	 * Collective. Whether R = 0, whose U is q, is the better start than the system's R, with fresh U and this value of the measure: where the energy error of R is
	 * above GOOD_START and above that of zero. The other measures do not tell: a natural error is relative to R itself. Only while there is no best iterate, whose
	 * room it takes.
	 */
	isWorseThanZero(value: number): boolean {
		const { r, u, q, measures } = this.#system;
		const energy = this.name === "energy" ? value : measures.energy(r, u);
		if (energy <= GOOD_START) return false;
		this.r.values.fill(0);
		return !(energy <= measures.energy(this.r, q));
	}

	/** Keeps the system's R, which has this value, where it is the best; says whether it is. */
	keep(value: number): boolean {
		if (!(value < this.value)) return false;
		this.value = value;
		this.#system.arena.kernels.copy(this.#system.r.at, this.r.at, this.#system.length);
		return true;
	}

	offer(velocityFresh: boolean): number {
		const value = this.measure(velocityFresh);
		this.keep(value);
		return value;
	}

	/** R becomes the best iterate; U is stale after that. */
	restore(): void {
		if (this.value === Number.POSITIVE_INFINITY) return;
		this.#system.arena.kernels.copy(this.r.at, this.#system.r.at, this.#system.length);
	}
}
