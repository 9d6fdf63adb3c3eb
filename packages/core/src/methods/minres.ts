/**
 * Preconditioned MINRES for A symmetric, definite or not, and P symmetric and positive definite: minimises |b - A x| in the norm of P over the Krylov
 * space, by Lanczos' three terms and Givens rotations (Paige and Saunders 1975; Elman, Silvester and Wathen, algorithm 4.1):
 *
 *     z = z / gamma,  delta = A z.z
 *     v' = A z - (delta / gamma) v - (gamma / last gamma) last v;  z' = P v',  gamma' = sqrt(z'.v')
 *     w' = (z - alpha_3 last w - alpha_2 w) / alpha_1,  x = x + c eta w',  eta = -s eta
 */
import type { Vector } from "../kernels/arena.js";
import { Sums } from "../sums/sums.js";
import type { System } from "../system/system.js";
import type { LinearProblem, LinearSolver, SolveOptions } from "./gmres.js";

export class Minres implements LinearSolver {
	products = 0;
	readonly #system: System;
	readonly #sums: Sums;
	readonly #z: Vector;
	readonly #az: Vector;
	/** v and w, the last of each, and room for the next. */
	readonly #v: [Vector, Vector];
	readonly #w: [Vector, Vector];

	constructor(system: System) {
		this.#system = system;
		this.#sums = new Sums(system.arena, system.reducer, 1);
		this.#z = system.operand();
		const [az, v, lastV, w, lastW] = system.vectors(5) as [Vector, Vector, Vector, Vector, Vector];
		this.#az = az;
		this.#v = [v, lastV];
		this.#w = [w, lastW];
	}

	/** From x = 0, until |b - A x| in the norm of P has fallen from that of b as the target is below |b|, or to the limit; returns the steps. */
	solve(problem: LinearProblem, b: Vector, x: Vector, { norm, target, iterationsMax }: SolveOptions): number {
		const { arena, length } = this.#system;
		const { kernels } = arena;
		const [z, az] = [this.#z, this.#az];
		let [v, lastV] = this.#v;
		let [w, lastW] = this.#w;
		for (const each of [x, lastV, w, lastW]) kernels.fill(each.at, 0, length);
		kernels.copy(b.at, v.at, length);
		problem.precondition(v, z);
		let gamma = Math.sqrt(this.#dot(z, v));
		let lastGamma = 1;
		let eta = gamma;
		const small = (target / norm) * gamma;
		let [c, lastC, s, lastS] = [1, 1, 0, 0];
		for (let step = 0; ; step += 1) {
			if (!(Math.abs(eta) > small) || step >= iterationsMax || !(gamma > 0)) return step;
			kernels.multiply(1 / gamma, z.at, length);
			problem.apply(z, az);
			this.products += 1;
			const delta = this.#dot(az, z);
			// The next v stands where the last one was.
			kernels.axpby(1, az.at, -gamma / lastGamma, lastV.at, length);
			kernels.axpby(-delta / gamma, v.at, 1, lastV.at, length);
			[v, lastV] = [lastV, v];
			const a0 = c * delta - lastC * s * gamma;
			const a2 = s * delta + lastC * c * gamma;
			const a3 = lastS * gamma;
			kernels.axpby(1, z.at, -a3, lastW.at, length);
			kernels.axpby(-a2, w.at, 1, lastW.at, length);
			[w, lastW] = [lastW, w];
			problem.precondition(v, z);
			const next = Math.sqrt(Math.max(0, this.#dot(z, v)));
			const a1 = Math.sqrt(a0 * a0 + next * next);
			if (!(a1 > 0)) return step + 1;
			kernels.multiply(1 / a1, w.at, length);
			[lastC, c] = [c, a0 / a1];
			[lastS, s] = [s, next / a1];
			kernels.axpby(c * eta, w.at, 1, x.at, length);
			eta *= -s;
			[lastGamma, gamma] = [gamma, next];
		}
	}

	#dot(x: Vector, y: Vector): number {
		this.#sums.dots(x.at, 0, 0, 0, y.at, this.#system.length);
		return this.#sums.reduce()[0]!;
	}
}
