/**
 * Preconditioned conjugate gradients with one reduction a step, for A and P symmetric and positive definite (Chronopoulos and Gear 1989):
 *
 *     u = P r, w = A u;  gamma = r.u, delta = w.u, |r|^2 in one reduction
 *     beta = gamma / last gamma,  alpha = gamma / (delta - beta gamma / last alpha)
 *     p = u + beta p,  s = w + beta s,  x = x + alpha p,  r = r - alpha s
 */
import type { Vector } from "../kernels/arena.js";
import { Sums } from "../sums/sums.js";
import type { System } from "../system/system.js";
import type { LinearProblem, LinearSolver, SolveOptions } from "./gmres.js";

export class Cg implements LinearSolver {
	products = 0;
	readonly #system: System;
	readonly #sums: Sums;
	readonly #r: Vector;
	readonly #u: Vector;
	readonly #w: Vector;
	readonly #p: Vector;
	readonly #s: Vector;

	constructor(system: System) {
		this.#system = system;
		this.#sums = new Sums(system.arena, system.reducer, 3);
		this.#u = system.operand();
		[this.#r, this.#w, this.#p, this.#s] = system.vectors(4) as [Vector, Vector, Vector, Vector];
	}

	/** From x = 0, to |b - A x| <= target or the limit; returns the steps. Ends too where A is not definite. */
	solve(problem: LinearProblem, b: Vector, x: Vector, { target, iterationsMax }: SolveOptions): number {
		const { arena, length } = this.#system;
		const { kernels } = arena;
		const [r, u, w, p, s] = [this.#r, this.#u, this.#w, this.#p, this.#s];
		kernels.fill(x.at, 0, length);
		kernels.fill(p.at, 0, length);
		kernels.fill(s.at, 0, length);
		kernels.copy(b.at, r.at, length);
		let [lastGamma, lastAlpha] = [0, 0];
		for (let step = 0; ; step += 1) {
			problem.precondition(r, u);
			problem.apply(u, w);
			this.products += 1;
			const { gamma, delta, square } = this.#dots();
			if (!(square > target * target) || step >= iterationsMax) return step;
			const beta = step === 0 ? 0 : gamma / lastGamma;
			const curvature = step === 0 ? delta : delta - (beta * gamma) / lastAlpha;
			if (!(gamma > 0 && curvature > 0)) return step;
			const alpha = gamma / curvature;
			kernels.axpby(1, u.at, beta, p.at, length);
			kernels.axpby(1, w.at, beta, s.at, length);
			kernels.axpby(alpha, p.at, 1, x.at, length);
			kernels.axpby(-alpha, s.at, 1, r.at, length);
			[lastGamma, lastAlpha] = [gamma, alpha];
		}
	}

	#dots(): { gamma: number; delta: number; square: number } {
		const { length } = this.#system;
		this.#sums.dots(this.#r.at, 0, 0, 0, this.#u.at, length);
		this.#sums.dots(this.#w.at, 0, 0, 0, this.#u.at, length);
		this.#sums.dots(this.#r.at, 0, 0, 0, this.#r.at, length);
		const [gamma = 0, delta = 0, square = 0] = this.#sums.reduce();
		return { gamma, delta, square };
	}
}
