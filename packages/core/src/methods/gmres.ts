/**
 * Restarted GMRES, right-preconditioned: minimise | b - A x | over x_0 + P span(v_0, ..., v_j). The preconditioner is fixed within
 * a solve, so x = x_0 + P (V y) and preconditioned directions are never stored. Saad, Iterative Methods, algorithm 9.5.
 *
 * Orthogonalisation is classical Gram-Schmidt with one fused reduction per step: V^T w and w.w together, the norm of
 * what is left by Pythagoras. Where that cancels, the vector is orthogonalised a second time.
 */
import type { Vector } from "../kernels/arena.js";
import { Sums } from "../system/sums.js";
import type { System } from "../system/system.js";

/** Of |w|^2: below this share left after orthogonalisation, Pythagoras has lost too many digits. */
const CANCELLATION = 1e-4;

/** The linear problem, as functions on vectors; `apply` may be slow, `precondition` is local or a sweep. */
export interface LinearProblem {
	/** y = A x. */
	apply(x: Vector, y: Vector): void;
	/** y = P x. */
	precondition(x: Vector, y: Vector): void;
}

export interface GmresOptions {
	/** Absolute target for | b - A x |. */
	readonly target: number;
	/** Most inner iterations. */
	readonly iterationsMax: number;
	/** Whether x holds a start; otherwise it is zero and the first residual costs no product. */
	readonly startGiven: boolean;
}

export class Gmres {
	readonly #system: System;
	readonly #restart: number;
	readonly #sums: Sums;
	/** restart + 1 directions, one after another; where they begin. */
	readonly #direction: readonly Vector[];
	readonly #basis: number;
	readonly #preconditioned: Vector;
	readonly #coefficients: Vector;
	/** Columns of the Hessenberg matrix, turned to a triangle as they come; the rotations; the turned right-hand side. */
	readonly #triangle: Float64Array;
	readonly #cosine: Float64Array;
	readonly #sine: Float64Array;
	readonly #right: Float64Array;
	products = 0;

	/** Takes restart + 2 vectors that follow one another in memory: restart + 1 directions and one for P v. */
	constructor(system: System, pool: readonly Vector[]) {
		const restart = pool.length - 2;
		this.#system = system;
		this.#restart = restart;
		this.#sums = new Sums(system, restart + 2);
		this.#direction = pool.slice(0, restart + 1);
		this.#basis = pool[0]!.at;
		this.#preconditioned = pool[restart + 1]!;
		this.#coefficients = system.arena.vector(restart + 1);
		this.#triangle = new Float64Array((restart + 1) * restart);
		this.#cosine = new Float64Array(restart);
		this.#sine = new Float64Array(restart);
		this.#right = new Float64Array(restart + 1);
	}

	/** Solves A x = b to the target or the limit; x is overwritten. Returns the inner iterations done. */
	solve(problem: LinearProblem, b: Vector, x: Vector, options: GmresOptions): number {
		let done = 0;
		let startGiven = options.startGiven;
		for (;;) {
			const norm = this.#startResidual(problem, b, x, startGiven);
			// A norm that is not finite ends it too: nothing may be scaled by it, since NaN times the zeros of the padding is NaN.
			if (norm <= options.target || done >= options.iterationsMax || !(norm > 0) || norm === Number.POSITIVE_INFINITY) {
				return done;
			}
			const steps = Math.min(this.#restart, options.iterationsMax - done);
			const { used, claimed } = this.#cycle(problem, norm, steps, options.target);
			done += used;
			this.#addSolution(problem, x, used);
			if (done >= options.iterationsMax && !claimed) return done;
			// The claim is checked on the true residual, which also starts the next cycle.
			startGiven = true;
		}
	}

	/** v_0 = (b - A x) / |b - A x|; returns the norm. */
	#startResidual(problem: LinearProblem, b: Vector, x: Vector, startGiven: boolean): number {
		const { arena, length } = this.#system;
		const first = this.#direction[0]!;
		if (startGiven) {
			problem.apply(x, first);
			this.products += 1;
			arena.kernels.axpby(1, b.at, -1, first.at, length);
		} else {
			arena.kernels.fill(x.at, 0, length);
			arena.kernels.copy(b.at, first.at, length);
		}
		this.#sums.dots(first.at, first.at, 0, 0, first.at);
		const norm = Math.sqrt(this.#sums.reduce()[0]!);
		if (norm > 0 && norm < Number.POSITIVE_INFINITY) arena.kernels.axpby(0, first.at, 1 / norm, first.at, length);
		return norm;
	}

	/** One cycle of at most `steps` directions; stops where the estimated residual reaches the target. */
	#cycle(problem: LinearProblem, norm: number, steps: number, target: number): { used: number; claimed: boolean } {
		const { arena, length } = this.#system;
		this.#right.fill(0);
		this.#right[0] = norm;
		for (let j = 0; j < steps; j += 1) {
			const w = this.#direction[j + 1]!;
			problem.precondition(this.#direction[j]!, this.#preconditioned);
			problem.apply(this.#preconditioned, w);
			this.products += 1;
			const left = this.#orthogonalise(j, w);
			const residual = this.#rotate(j, left);
			if (residual <= target || !(left > 0)) return { used: j + 1, claimed: true };
			arena.kernels.axpby(0, w.at, 1 / left, w.at, length);
		}
		return { used: steps, claimed: false };
	}

	/** w <- w - V V^T w; column j of the triangle takes V^T w; returns |w| after. */
	#orthogonalise(j: number, w: Vector): number {
		const { arena, length } = this.#system;
		const column = j * (this.#restart + 1);
		for (let i = 0; i <= j; i += 1) this.#triangle[column + i] = 0;
		for (let pass = 0; ; pass += 1) {
			this.#sums.dots(w.at, this.#basis, length, j + 1, w.at);
			const sums = this.#sums.reduce();
			const before = sums[j + 1]!;
			if (!Number.isFinite(before)) return 0;
			let left = before;
			for (let i = 0; i <= j; i += 1) {
				const h = sums[i]!;
				left -= h * h;
				this.#triangle[column + i] = this.#triangle[column + i]! + h;
				this.#coefficients.values[i] = -h;
			}
			arena.kernels.addCombination(w.at, this.#coefficients.at, this.#basis, length, j + 1, length);
			if (left > CANCELLATION * before || pass === 2) return Math.sqrt(Math.max(left, 0));
			if (!(before > 0)) return 0;
		}
	}

	/** Givens rotations on column j; returns the estimated residual. */
	#rotate(j: number, below: number): number {
		const column = j * (this.#restart + 1);
		const h = this.#triangle;
		for (let i = 0; i < j; i += 1) {
			const a = h[column + i]!;
			const b = h[column + i + 1]!;
			const c = this.#cosine[i]!;
			const s = this.#sine[i]!;
			h[column + i] = c * a + s * b;
			h[column + i + 1] = c * b - s * a;
		}
		const a = h[column + j]!;
		const length = Math.sqrt(a * a + below * below);
		const c = length > 0 ? a / length : 1;
		const s = length > 0 ? below / length : 0;
		this.#cosine[j] = c;
		this.#sine[j] = s;
		h[column + j] = length;
		const right = this.#right[j]!;
		this.#right[j] = c * right;
		this.#right[j + 1] = -s * right;
		return Math.abs(s * right);
	}

	/** x <- x + P V y, y from the triangle. */
	#addSolution(problem: LinearProblem, x: Vector, used: number): void {
		const { arena, length } = this.#system;
		const y = this.#coefficients.values;
		for (let i = used - 1; i >= 0; i -= 1) {
			let sum = this.#right[i]!;
			for (let k = i + 1; k < used; k += 1) sum -= this.#triangle[k * (this.#restart + 1) + i]! * y[k]!;
			const share = sum / this.#triangle[i * (this.#restart + 1) + i]!;
			y[i] = Number.isFinite(share) ? share : 0;
		}
		// The last direction is no longer needed: it holds V y.
		const combination = this.#direction[used]!;
		arena.kernels.fill(combination.at, 0, length);
		arena.kernels.addCombination(combination.at, this.#coefficients.at, this.#basis, length, used, length);
		problem.precondition(combination, this.#preconditioned);
		arena.kernels.axpby(1, this.#preconditioned.at, 1, x.at, length);
	}
}
