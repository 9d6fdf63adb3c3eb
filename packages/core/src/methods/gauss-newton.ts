/**
 * Gauss-Newton on the residual of the energy measure. Where sweeps wander about an answer that they do not reach, a step of it goes where the
 * measure itself falls:
 *
 *     E^2 = sum <W_aa e_a, e_a> / E_0^2,  e_a = R_a - proj_K(R_a - F_a / w_a),  w_a = trace(W_aa) / 3;   J = X W + Y the derivative of e
 *     1)  d = argmin sum <W_aa (e + J d)_a, (e + J d)_a>, roughly: CGLS on J^T M J d = -J^T M e, M = diag(W_aa), preconditioned by blocks P
 *             r = -M e;  s = J^T r;  p = P s
 *             repeat  q = J p;  a = q.r / q.M q;  d = d + a p;  r = r - a M q;  s = J^T r;  p = P s + (s.P s / last s.P s) p
 *     2)  R = proj_K(R + t d),  t = 1, 1/4, 1/16: the first by which E falls
 *
 * J^T is Y^T + W X^T: W is taken for symmetric. Where it is not, the length a still lets |e + J d| fall, and E never rises in any case.
 */
import type { Vector } from "../kernels/arena.js";
import { Sums } from "../sums/sums.js";
import type { System } from "../system/system.js";

/** s.P s has fallen to this share of its first value: nothing is left to do. */
const SMALL = 1e-4;
const SHORTER = 0.25;
const TRIALS = 3;
/** Numbers of scratch that the blocks take. */
const WORK = 18;

export class GaussNewton {
	products = 0;
	readonly #system: System;
	readonly #sums: Sums;
	/** e, then -M (e + J d). */
	readonly #residual: Vector;
	readonly #gradient: Vector;
	/** J p, and in turn with it P s. */
	readonly #change: Vector;
	readonly #weighted: Vector;
	readonly #step: Vector;
	/** R before a step. */
	readonly #before: Vector;
	/** What W is applied to. */
	readonly #direction: Vector;
	readonly #transposed: Vector;
	readonly #x: Vector;
	readonly #y: Vector;
	readonly #p: Vector;
	readonly #work: Vector;

	constructor(system: System) {
		const { arena, blocks } = system;
		this.#system = system;
		this.#sums = new Sums(arena, system.reducer, 2);
		const [residual, gradient, change, weighted, step, before] = system.vectors(6);
		this.#residual = residual!;
		this.#gradient = gradient!;
		this.#change = change!;
		this.#weighted = weighted!;
		this.#step = step!;
		this.#before = before!;
		this.#direction = system.operand();
		this.#transposed = system.operand();
		this.#x = arena.room(9 * blocks);
		this.#y = arena.room(9 * blocks);
		this.#p = arena.room(9 * blocks);
		this.#work = arena.room(WORK);
	}

	/** Collective. A step from R, whose U is fresh and whose energy error is given, by so many iterations; the error after it, that of the system's R and its fresh U. */
	take(error: number, iterations: number): number {
		this.linearise();
		this.#solve(iterations); // 1
		const { r, u, measures } = this.#system;
		this.#copy(r, this.#before);
		for (let t = 1, trial = 0; trial < TRIALS; t *= SHORTER, trial += 1) {
			this.#copy(this.#before, r); // 2
			this.#system.addProjected(t, this.#step, r);
			this.#velocity();
			const after = measures.energy(r, u);
			if (after < error) return after;
		}
		this.#copy(this.#before, r);
		this.#velocity();
		return error;
	}

	/** e, J and P at (R, U). */
	linearise(): void {
		const { arena, blocks, cones, r, u, w } = this.#system;
		// At U / w this is the residual of the energy measure, and X is w times what it is at U.
		this.#copy(u, this.#change);
		cones.divideByDiagonal(w, this.#change);
		cones.linearise(0, r, this.#change, this.#residual, this.#x, this.#y);
		arena.kernels.leastSquaresBlocks(0, blocks, w.at, this.#x.at, this.#y.at, this.#p.at, this.#work.at);
	}

	/** out = J d; d has room for ghosts. */
	derivative(d: Vector, out: Vector): void {
		const { arena, blocks, operator, w } = this.#system;
		operator.apply(d, out);
		this.products += 1;
		arena.kernels.newtonProduct(0, blocks, 0, 0, w.at, this.#x.at, this.#y.at, d.at, out.at);
	}

	/** out = J^T r, W being taken for symmetric. */
	transposed(r: Vector, out: Vector): void {
		const { arena, blocks, length, operator } = this.#system;
		const { kernels } = arena;
		kernels.transposedProducts(0, blocks, this.#x.at, this.#y.at, r.at, this.#transposed.at, this.#weighted.at);
		operator.apply(this.#transposed, out);
		this.products += 1;
		kernels.axpby(1, this.#weighted.at, 1, out.at, length);
	}

	/** d of 1). */
	#solve(iterations: number): void {
		const { arena, length } = this.#system;
		const { kernels } = arena;
		const [r, s, p, q, d] = [this.#residual, this.#gradient, this.#direction, this.#change, this.#step];
		kernels.fill(d.at, 0, length);
		this.#multiply(this.#system.w, r, q);
		kernels.axpby(-1, q.at, 0, r.at, length);
		this.transposed(r, s);
		this.#multiply(this.#p, s, p);
		let square = this.#dot(s, p);
		const small = SMALL * square;
		for (let done = 1; square > 0; done += 1) {
			this.derivative(p, q);
			this.#multiply(this.#system.w, q, this.#weighted);
			this.#sums.dots(q.at, 0, 0, 0, r.at, length);
			this.#sums.dots(q.at, 0, 0, 0, this.#weighted.at, length);
			const [along = 0, bent = 0] = this.#sums.reduce();
			if (!(bent > 0)) return;
			const a = along / bent;
			kernels.axpby(a, p.at, 1, d.at, length);
			kernels.axpby(-a, this.#weighted.at, 1, r.at, length);
			if (done === iterations) return;
			this.transposed(r, s);
			this.#multiply(this.#p, s, q);
			const next = this.#dot(s, q);
			if (!(next > small)) return;
			kernels.axpby(1, q.at, next / square, p.at, length);
			square = next;
		}
	}

	#dot(x: Vector, y: Vector): number {
		this.#sums.dots(x.at, 0, 0, 0, y.at, this.#system.length);
		return this.#sums.reduce()[0]!;
	}

	/** y_a = m_a x_a */
	#multiply(m: Vector, x: Vector, y: Vector): void {
		this.#system.arena.kernels.blockProduct(0, this.#system.blocks, m.at, x.at, y.at);
	}

	/** U = W R + q. */
	#velocity(): void {
		this.#system.velocity(this.#system.r, this.#system.u);
		this.products += 1;
	}

	#copy(from: Vector, to: Vector): void {
		this.#system.arena.kernels.copy(from.at, to.at, this.#system.length);
	}
}
