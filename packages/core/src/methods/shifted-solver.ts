/** (W + rho I) x = b, for methods that take proximal steps on the whole problem: by conjugate gradients from zero, or by a sparse LU. */
import type { Vector } from "../kernels/arena.js";
import { Sums } from "../sums/sums.js";
import type { System } from "../system/system.js";
import type { NewtonSystem } from "./newton-system.js";

export interface ShiftedSolver {
	/** Products with W that it has taken. */
	readonly products: number;
	/** x = (W + rho I)^-1 b, roughly or exactly; false where there is none. b may be overwritten. */
	solve(rho: number, b: Vector, x: Vector): boolean;
}

export interface CgOptions {
	/** Of |b|: the residual that is small enough. */
	readonly epsilon: number;
	readonly steps: number;
}

/** Conjugate gradients: a product, an exchange and two reductions for each step. W's symmetric part alone is what they are made for. */
export class ShiftedCg implements ShiftedSolver {
	products = 0;
	readonly #system: System;
	readonly #options: CgOptions;
	readonly #sums: Sums;
	readonly #p: Vector;
	readonly #ap: Vector;

	constructor(system: System, options: CgOptions) {
		this.#system = system;
		this.#options = options;
		this.#sums = new Sums(system.arena, system.reducer, 1);
		this.#p = system.operand();
		this.#ap = system.room();
	}

	solve(rho: number, b: Vector, x: Vector): boolean {
		const { arena, length, operator } = this.#system;
		const { kernels } = arena;
		const [p, ap] = [this.#p, this.#ap];
		kernels.fill(x.at, 0, length);
		kernels.copy(b.at, p.at, length);
		let square = this.#dot(b, b);
		const small = this.#options.epsilon * this.#options.epsilon * square;
		for (let step = 0; step < this.#options.steps && square > small; step += 1) {
			operator.apply(p, ap);
			this.products += 1;
			kernels.axpby(rho, p.at, 1, ap.at, length);
			const bent = this.#dot(p, ap);
			if (!(bent > 0)) return step > 0;
			const alpha = square / bent;
			kernels.axpby(alpha, p.at, 1, x.at, length);
			kernels.axpby(-alpha, ap.at, 1, b.at, length);
			const next = this.#dot(b, b);
			kernels.axpby(1, b.at, next / square, p.at, length);
			square = next;
		}
		return Number.isFinite(square);
	}

	#dot(x: Vector, y: Vector): number {
		this.#sums.dots(x.at, 0, 0, 0, y.at, this.#system.length);
		return this.#sums.reduce()[0]!;
	}
}

/** One factorisation for each rho, of all or of subdomains. */
export class ShiftedFactors implements ShiftedSolver {
	readonly #linear: NewtonSystem;
	readonly #system: System;
	readonly #one: Float64Array;
	readonly #zero: Float64Array;
	#rho = 0;

	get products(): number {
		return this.#linear.products;
	}

	constructor(linear: NewtonSystem, system: System) {
		this.#linear = linear;
		this.#system = system;
		this.#zero = new Float64Array(9 * system.blocks);
		this.#one = this.#zero.map((_, k) => ((k % 9) % 4 === 0 ? 1 : 0));
	}

	solve(rho: number, b: Vector, x: Vector): boolean {
		if (rho !== this.#rho) {
			if (!this.#linear.factor(this.#one, this.#zero, rho)) return false;
			this.#rho = rho;
		}
		const { arena, length } = this.#system;
		arena.kernels.copy(b.at, x.at, length);
		this.#linear.solve(x);
		return true;
	}
}
